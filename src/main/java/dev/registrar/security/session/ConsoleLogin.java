package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/** How persons log in to the console. */
public interface ConsoleLogin {
    /** The path within the service that begins the login. */
    String path();

    /**
     * Adds the login to the chain of the console.
     *
     * @param welcome answers a browser whose person has logged in, a {@link CallerAuthentication}
     */
    void addTo(HttpSecurity http, AuthenticationSuccessHandler welcome);
}
