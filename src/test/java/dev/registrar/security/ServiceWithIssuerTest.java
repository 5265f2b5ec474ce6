package dev.registrar.security;

import dev.registrar.http.ServiceTest;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.TestPropertySource;

/**
 * As {@link ServiceTest}, but the service accepts the tokens of {@link TestIssuer} only, browsers log in by
 * {@link TestLogins}, and {@code /dcb} is enabled. All such tests share one service.
 */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ServiceTest
@Import({TestIssuer.Keys.class, TestLogins.Registration.class})
@TestPropertySource(
        properties = {
            "spring.security.oauth2.resourceserver.jwt.issuer-uri=" + TestIssuer.URL,
            "spring.security.oauth2.resourceserver.jwt.audiences=" + TestIssuer.AUDIENCE,
            "registrar.security.dcb-enabled=true",
            "registrar.live.max-streams-per-client=5",
            "registrar.security.tokens.key-timeout=30s",
            "registrar.live.heartbeat=200ms"
        })
public @interface ServiceWithIssuerTest {}
