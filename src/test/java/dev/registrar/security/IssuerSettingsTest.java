package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.registrar.security.tokens.TokenSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.security.oauth2.server.resource.autoconfigure.OAuth2ResourceServerProperties;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.mock.env.MockEnvironment;

/** The service does not start if it would accept tokens that are not meant for it. */
@ExtendWith(OutputCaptureExtension.class)
class IssuerSettingsTest {
    private static final String JWT = "spring.security.oauth2.resourceserver.jwt.";

    private final MockEnvironment environment = new MockEnvironment();

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ","})
    void an_issuer_without_an_audience_is_refused(String audiences) {
        environment.setProperty(JWT + "issuer-uri", "https://issuer.example");
        environment.setProperty(JWT + "audiences", audiences);

        RefusedStartException refused =
                catchThrowableOfType(RefusedStartException.class, () -> StartCheck.checkIssuer(environment));
        FailureAnalysis analysis = new RefusedStartFailureAnalyzer().analyze(refused);

        assertThat(analysis)
                .extracting(FailureAnalysis::getDescription)
                .asString()
                .contains(JWT + "issuer-uri", JWT + "audiences");
        assertThat(analysis).extracting(FailureAnalysis::getAction).asString().contains(JWT + "audiences");
        environment.setProperty(JWT + "audiences", "registrar");
        assertThatCode(() -> StartCheck.checkIssuer(environment)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jwt.jwk-set-uri", "jwt.public-key-location", "opaquetoken.introspection-uri"})
    void keys_without_an_issuer_are_refused(String setting) {
        environment.setProperty("spring.security.oauth2.resourceserver." + setting, "https://issuer.example/keys");

        assertThatThrownBy(() -> StartCheck.checkIssuer(environment))
                .isInstanceOf(RefusedStartException.class)
                .hasMessageContaining(setting)
                .hasMessageContaining(JWT + "issuer-uri");
    }

    @ParameterizedTest
    @CsvSource({
        "http://issuer.example, true",
        "HTTP://issuer.example/realm, true",
        "http://192.168.1.5:9000, true",
        "http://localhost.example, true",
        "http://127.0.0.1.example, true",
        "http://localhost@issuer.example, true",
        "https://issuer.example, false",
        "http://localhost:9000/realm, false",
        "http://LOCALHOST, false",
        "http://issuer.localhost./realm, false",
        "http://127.1.2.3:9000, false",
        "http://[::1]:9000, false"
    })
    void an_issuer_over_plain_http_is_unprotected_unless_it_is_this_machine(String url, boolean unprotected) {
        assertThat(IssuerConfiguration.unprotected(issuer(url, null)))
                .isEqualTo(unprotected ? List.of(url) : List.of());
        assertThat(IssuerConfiguration.unprotected(issuer("https://issuer.example", url)))
                .isEqualTo(unprotected ? List.of(url) : List.of());
    }

    private static OAuth2ResourceServerProperties.Jwt issuer(String uri, @Nullable String keys) {
        OAuth2ResourceServerProperties.Jwt issuer = new OAuth2ResourceServerProperties().getJwt();
        issuer.setIssuerUri(uri);
        issuer.setJwkSetUri(keys);
        return issuer;
    }

    @Test
    void an_unprotected_issuer_is_one_warning_at_the_start(CapturedOutput log) {
        OAuth2ResourceServerProperties properties = new OAuth2ResourceServerProperties();
        properties.getJwt().setIssuerUri("http://issuer.example");
        properties.getJwt().setJwkSetUri("http://issuer.example/keys");
        properties.getJwt().setAudiences(List.of("registrar"));

        new IssuerConfiguration()
                .issuerTokens(
                        properties,
                        Binder.get(environment).bindOrCreate("registrar.security.tokens", TokenSettings.class));

        assertThat(log.getOut().lines().filter(line -> line.contains("WARN")))
                .singleElement()
                .asString()
                .contains("http://issuer.example and http://issuer.example/keys");
    }

    @Test
    void no_settings_mean_the_mode_local() {
        assertThatCode(() -> StartCheck.checkIssuer(environment)).doesNotThrowAnyException();
        assertThat(AccessMode.of(environment)).isEqualTo(AccessMode.LOCAL);

        environment.setProperty(JWT + "issuer-uri", "https://issuer.example");

        assertThat(AccessMode.of(environment)).isEqualTo(AccessMode.TOKENS);
    }
}
