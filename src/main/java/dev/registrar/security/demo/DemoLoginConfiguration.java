package dev.registrar.security.demo;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.gen.RSAKeyGenerator;
import com.nimbusds.jose.jwk.source.ImmutableJWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import dev.registrar.security.FormBodies;
import dev.registrar.security.OwnCertificate;
import dev.registrar.security.SecuritySettings;
import dev.registrar.security.session.ConsoleLogin;
import dev.registrar.security.session.FormFilter;
import dev.registrar.security.session.IdTokens;
import dev.registrar.security.tokens.TokenDecoders;
import dev.registrar.security.tokens.TokenSettings;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.ssl.SslBundles;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;
import org.springframework.http.MediaType;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetails;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.crypto.factory.PasswordEncoderFactories;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.springframework.security.oauth2.jose.jws.SignatureAlgorithm;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.client.InMemoryRegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.client.RegisteredClientRepository;
import org.springframework.security.oauth2.server.authorization.settings.AuthorizationServerSettings;
import org.springframework.security.oauth2.server.authorization.token.JwtEncodingContext;
import org.springframework.security.oauth2.server.authorization.token.OAuth2TokenCustomizer;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.LoginUrlAuthenticationEntryPoint;
import org.springframework.security.web.context.SecurityContextHolderFilter;
import org.springframework.security.web.util.matcher.MediaTypeRequestMatcher;

/** Spring's Authorization Server in this process, with the demo's users and clients. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnBooleanProperty("registrar.demo-login")
class DemoLoginConfiguration {
    private static final String LOGIN = "/login";
    private static final int KEY_BITS = 2048;

    @Bean
    DemoLogin demoLogin(Environment environment) {
        return DemoLogin.generate(environment);
    }

    @Bean
    JWKSource<SecurityContext> demoKeys() throws JOSEException {
        return new ImmutableJWKSet<>(new JWKSet(new RSAKeyGenerator(KEY_BITS)
                .keyID(UUID.randomUUID().toString())
                .generate()));
    }

    @Bean
    JwtDecoder demoTokens(JWKSource<SecurityContext> keys, DemoLogin login, TokenSettings settings) {
        return new TokenDecoders(settings)
                .of(keys, login.issuer(), List.of(DemoLogin.AUDIENCE), List.of(SignatureAlgorithm.RS256));
    }

    @Bean
    AuthorizationServerSettings authorizationServerSettings(DemoLogin login) {
        return AuthorizationServerSettings.builder().issuer(login.issuer()).build();
    }

    @Bean
    PasswordEncoder demoPasswords() {
        return PasswordEncoderFactories.createDelegatingPasswordEncoder();
    }

    @Bean
    RegisteredClientRepository demoClients(DemoLogin login, PasswordEncoder passwords, Environment environment) {
        return new ReachableClients(
                new InMemoryRegisteredClientRepository(
                        DemoClients.of(login.issuer(), () -> passwords.encode(login.password()))),
                environment);
    }

    @Bean
    UserDetailsService demoUsers(DemoLogin login, PasswordEncoder passwords) {
        String password = passwords.encode(login.password());
        return new InMemoryUserDetailsManager(Arrays.stream(DemoActor.values())
                .map(actor ->
                        User.withUsername(actor.login()).password(password).build())
                .toArray(UserDetails[]::new));
    }

    @Bean
    OAuth2AuthorizationService demoAuthorizations() {
        return new LatestAuthorizations();
    }

    /** Puts role and student into the tokens of an actor, by the names that the service reads. */
    @Bean
    OAuth2TokenCustomizer<JwtEncodingContext> demoClaims(SecuritySettings settings) {
        return context -> DemoClaims.add(context, settings);
    }

    /**
     * The console's registration at this issuer. Its address is that of the browser, by whatever name it came. With TLS
     * the service accepts its own certificate, which may be self-signed.
     */
    @Bean
    ConsoleLogin demoConsole(
            DemoLogin login,
            JWKSource<SecurityContext> keys,
            TokenSettings settings,
            Environment environment,
            SslBundles bundles) {
        DemoConsole console = new DemoConsole(login, environment);
        JwtDecoder tokens = new TokenDecoders(settings)
                .of(keys, login.issuer(), List.of(DemoClients.CONSOLE), List.of(SignatureAlgorithm.RS256));
        SSLContext tls = OwnCertificate.tls(environment)
                .map(own -> OwnCertificate.accepted(own, bundles))
                .orElse(null);
        return new ConsoleLogin(console, client -> new IdTokens(tokens, client), tls);
    }

    @Bean
    @Order(10)
    SecurityFilterChain demoIssuer(HttpSecurity http, FormBodies forms) {
        MediaTypeRequestMatcher pages = new MediaTypeRequestMatcher(MediaType.TEXT_HTML);
        pages.setUseEquals(true);
        http.oauth2AuthorizationServer(issuer -> {
            http.securityMatcher(issuer.getEndpointsMatcher());
            issuer.oidc(Customizer.withDefaults());
        });
        return http.addFilterAfter(new FormFilter(forms), SecurityContextHolderFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .exceptionHandling(handling ->
                        handling.defaultAuthenticationEntryPointFor(new LoginUrlAuthenticationEntryPoint(LOGIN), pages))
                .build();
    }

    /** The login page, with a session and protection from forged requests. */
    @Bean
    @Order(20)
    SecurityFilterChain demoLoginPage(HttpSecurity http, FormBodies forms, Environment environment) {
        // Of Spring's login page: it has styles of its own, and leads to a client on this machine after the login.
        String policy = "default-src 'none'; style-src 'self'; base-uri 'none'; frame-ancestors 'none';"
                + " form-action 'self' %1$s://localhost:* %1$s://127.0.0.1:*".formatted(DemoLogin.scheme(environment));
        return http.securityMatcher(LOGIN, "/logout", "/default-ui.css")
                .addFilterAfter(new FormFilter(forms), SecurityContextHolderFilter.class)
                .authorizeHttpRequests(requests -> requests.anyRequest().authenticated())
                .formLogin(Customizer.withDefaults())
                .headers(headers -> headers.addHeaderWriter(
                        (request, response) -> response.setHeader("Content-Security-Policy", policy)))
                .build();
    }
}
