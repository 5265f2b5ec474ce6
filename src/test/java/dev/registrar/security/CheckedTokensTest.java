package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.springframework.security.oauth2.jwt.BadJwtException;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.jwt.JwtDecoder;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** Checked tokens are kept for a short time, and never beyond their expiry. */
class CheckedTokensTest {
    private final List<String> decoded = new ArrayList<>();
    private Instant expiry = Instant.now().plusSeconds(60);

    private CheckedTokens tokens(JwtDecoder decoder) {
        return new CheckedTokens(decoder, new TokenCallers("roles", "student_id"));
    }

    private Jwt decode(String token) {
        decoded.add(token);
        return Jwt.withTokenValue(token)
                .header("alg", "RS256")
                .issuer("https://issuer.example")
                .subject("subject-of-" + token)
                .expiresAt(expiry)
                .build();
    }

    private static Caller authenticate(CheckedTokens tokens, String token) {
        return tokens.check(token).getPrincipal();
    }

    @Test
    void a_token_is_decoded_once() {
        CheckedTokens tokens = tokens(this::decode);

        assertThat(authenticate(tokens, "a").subject()).isEqualTo("subject-of-a");
        assertThat(authenticate(tokens, "a").subject()).isEqualTo("subject-of-a");
        assertThat(authenticate(tokens, "b").subject()).isEqualTo("subject-of-b");

        assertThat(decoded).containsExactly("a", "b");
    }

    @Test
    void a_token_that_has_expired_is_decoded_again() {
        CheckedTokens tokens = tokens(this::decode);
        expiry = Instant.now();

        authenticate(tokens, "a");
        authenticate(tokens, "a");

        assertThat(decoded).containsExactly("a", "a");
    }

    @Test
    void a_token_that_the_decoder_refuses_is_refused_each_time() {
        CheckedTokens tokens = tokens(token -> {
            decoded.add(token);
            throw new BadJwtException("expired");
        });

        for (int attempt = 1; attempt <= 2; attempt++) {
            assertThatThrownBy(() -> authenticate(tokens, "a")).isInstanceOf(InvalidBearerTokenException.class);
            assertThat(decoded).hasSize(attempt);
        }
    }
}
