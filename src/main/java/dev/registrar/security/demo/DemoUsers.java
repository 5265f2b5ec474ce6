package dev.registrar.security.demo;

import java.util.stream.Stream;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;

/** Checks the name and the password of an actor. */
final class DemoUsers extends DaoAuthenticationProvider {
    /** The least: the password is random, and each request has it. */
    private static final BCryptPasswordEncoder PASSWORDS = new BCryptPasswordEncoder(4);

    DemoUsers(String password, Stream<DemoActor> actors) {
        super(new InMemoryUserDetailsManager(actors.map(actor -> User.withUsername(actor.login())
                        .password(PASSWORDS.encode(password))
                        .build())
                .toArray(UserDetails[]::new)));
        setPasswordEncoder(PASSWORDS);
    }

    @Override
    protected Authentication createSuccessAuthentication(
            Object principal, Authentication authentication, UserDetails user) {
        return DemoActor.of(user.getUsername()).authenticated();
    }
}
