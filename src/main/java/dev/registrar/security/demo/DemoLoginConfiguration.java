package dev.registrar.security.demo;

import dev.registrar.security.RefusalLog;
import dev.registrar.security.session.ConsoleLogin;
import dev.registrar.security.session.ConsolePaths;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Arrays;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.security.authentication.AuthenticationManager;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.DefaultRedirectStrategy;
import org.springframework.security.web.RedirectStrategy;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;

/** The demo login: HTTP Basic for the API, and a login form for the console. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("registrar.demo-login")
class DemoLoginConfiguration {

    @Bean
    DemoLogin demoLogin() {
        return DemoLogin.generate();
    }

    /** Of the API: each request has a name and the password. */
    @Bean
    AuthenticationManager demoCallers(DemoLogin login) {
        return new ProviderManager(new DemoUsers(login.password(), Arrays.stream(DemoActor.values())));
    }

    /** Of the console: persons only. */
    @Bean
    ConsoleLogin demoForm(DemoLogin login, RefusalLog log) {
        ProviderManager persons = new ProviderManager(new DemoUsers(
                login.password(), Arrays.stream(DemoActor.values()).filter(DemoActor::isPerson)));
        RedirectStrategy redirects = new DefaultRedirectStrategy();
        return new ConsoleLogin() {
            @Override
            public String path() {
                return ConsolePaths.FORM_LOGIN;
            }

            @Override
            public void addTo(HttpSecurity http, AuthenticationSuccessHandler welcome) {
                http.authenticationManager(persons)
                        .formLogin(form -> form.loginPage(path())
                                .failureHandler((request, response, failure) -> refuse(request, response))
                                .successHandler(welcome));
            }

            /* The framework's own handler would keep the failure, and with it the typed password, in the session. */
            private void refuse(HttpServletRequest request, HttpServletResponse response) throws IOException {
                log.refused(request.getMethod(), "login", HttpStatus.FOUND, "login-failed");
                redirects.sendRedirect(request, response, path() + "?wrong");
            }
        };
    }
}
