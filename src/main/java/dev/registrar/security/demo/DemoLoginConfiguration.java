package dev.registrar.security.demo;

import dev.registrar.security.Refusals;
import dev.registrar.security.session.ConsoleLogin;
import dev.registrar.security.session.ConsolePaths;
import java.util.Arrays;
import java.util.function.Predicate;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.authentication.dao.DaoAuthenticationProvider;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/** The demo login: HTTP Basic for the API, and a login form for the console. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("registrar.demo-login")
class DemoLoginConfiguration {
    /** The least: the password is random, and each request has it. */
    private static final BCryptPasswordEncoder PASSWORDS = new BCryptPasswordEncoder(4);

    @Bean
    DemoLogin demoLogin() {
        return DemoLogin.generate();
    }

    /** Of the API: each request has a name and the password. */
    @Bean
    AuthenticationManager demoCallers(DemoLogin login) {
        return callers(login, actor -> true);
    }

    private static AuthenticationManager callers(DemoLogin login, Predicate<DemoActor> which) {
        UserDetails[] users = Arrays.stream(DemoActor.values())
                .filter(which)
                .map(actor -> User.withUsername(actor.login())
                        .password(PASSWORDS.encode(login.password()))
                        .build())
                .toArray(UserDetails[]::new);
        DaoAuthenticationProvider provider = new DaoAuthenticationProvider(new InMemoryUserDetailsManager(users)) {
            @Override
            protected Authentication createSuccessAuthentication(
                    Object principal, Authentication authentication, UserDetails user) {
                return DemoActor.of(user.getUsername()).authenticated();
            }
        };
        provider.setPasswordEncoder(PASSWORDS);
        return new ProviderManager(provider);
    }

    /** Of the console: persons only. */
    @Bean
    ConsoleLogin demoForm(DemoLogin login, Refusals refusals) {
        AuthenticationManager persons = callers(login, DemoActor::isPerson);
        return new ConsoleLogin() {
            @Override
            public String path() {
                return ConsolePaths.FORM_LOGIN;
            }

            /* The framework's own handler would keep the failure, and with it the typed password, in the session. */
            @Override
            public void addTo(HttpSecurity http, AuthenticationSuccessHandler welcome) {
                http.authenticationManager(persons)
                        .formLogin(form -> form.loginPage(path())
                                .failureHandler((request, response, failure) -> refusals.redirect(
                                        request,
                                        response,
                                        HttpStatus.FOUND,
                                        "login",
                                        "login-failed",
                                        path() + "?wrong"))
                                .successHandler(welcome));
            }
        };
    }
}
