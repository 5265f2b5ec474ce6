package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.mock.env.MockEnvironment;

/** The service does not start if it would accept tokens that are not meant for it. */
class IssuerSettingsTest {
    private static final String JWT = "spring.security.oauth2.resourceserver.jwt.";

    private final MockEnvironment environment = new MockEnvironment();

    @ParameterizedTest
    @ValueSource(strings = {"", " ", ","})
    void an_issuer_without_an_audience_is_refused(String audiences) {
        environment.setProperty(JWT + "issuer-uri", "https://issuer.example");
        environment.setProperty(JWT + "audiences", audiences);

        RefusedStartException refused =
                catchThrowableOfType(RefusedStartException.class, () -> IssuerSettings.check(environment));
        FailureAnalysis analysis = new RefusedStartFailureAnalyzer().analyze(refused);

        assertThat(analysis)
                .extracting(FailureAnalysis::getDescription)
                .asString()
                .contains(JWT + "issuer-uri", JWT + "audiences");
        assertThat(analysis).extracting(FailureAnalysis::getAction).asString().contains(JWT + "audiences");
        environment.setProperty(JWT + "audiences", "registrar");
        assertThatCode(() -> IssuerSettings.check(environment)).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @ValueSource(strings = {"jwt.jwk-set-uri", "jwt.public-key-location", "opaquetoken.introspection-uri"})
    void keys_without_an_issuer_are_refused(String setting) {
        environment.setProperty("spring.security.oauth2.resourceserver." + setting, "https://issuer.example/keys");

        assertThatThrownBy(() -> IssuerSettings.check(environment))
                .isInstanceOf(RefusedStartException.class)
                .hasMessageContaining(setting)
                .hasMessageContaining(JWT + "issuer-uri");
    }

    @Test
    void no_settings_mean_the_mode_local() {
        assertThatCode(() -> IssuerSettings.check(environment)).doesNotThrowAnyException();
        assertThat(AccessMode.of(environment)).isEqualTo(AccessMode.LOCAL);

        environment.setProperty(JWT + "issuer-uri", "https://issuer.example");

        assertThat(AccessMode.of(environment)).isEqualTo(AccessMode.TOKENS);
    }
}
