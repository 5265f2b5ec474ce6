package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** What a token says about its caller. */
class TokenCallersTest {

    private static CallerAuthentication caller(String rolesClaim, Consumer<Map<String, Object>> claims) {
        Jwt token = Jwt.withTokenValue("token")
                .header("alg", "RS256")
                .issuer("https://issuer.example")
                .subject("subject")
                .expiresAt(Instant.parse("2026-09-01T08:00:00Z"))
                .claims(claims)
                .build();
        return new TokenCallers(rolesClaim, "student_id").convert(token);
    }

    private static List<String> authorities(CallerAuthentication caller) {
        return caller.getAuthorities().stream()
                .map(GrantedAuthority::getAuthority)
                .sorted()
                .toList();
    }

    @Test
    void roles_come_from_the_claim_that_the_settings_name() {
        CallerAuthentication flat =
                caller("roles", claims -> claims.put("roles", List.of("student", "auditor", "administrator")));
        CallerAuthentication nested = caller(
                "realm_access.roles", claims -> claims.put("realm_access", Map.of("roles", List.of("operator"))));
        CallerAuthentication absent = caller("roles", claims -> claims.put("groups", List.of("operator")));

        assertThat(authorities(flat)).containsExactly("ROLE_AUDITOR", "ROLE_STUDENT");
        assertThat(authorities(nested)).containsExactly("ROLE_OPERATOR");
        assertThat(authorities(absent)).isEmpty();
    }

    @Test
    void scopes_are_words_or_a_list() {
        CallerAuthentication words = caller("roles", claims -> claims.put("scope", "openid dcb:read"));
        CallerAuthentication list = caller("roles", claims -> claims.put("scp", List.of("dcb:append", "dcb:read")));

        assertThat(authorities(words)).containsExactly("SCOPE_dcb:read");
        assertThat(authorities(list)).containsExactly("SCOPE_dcb:append", "SCOPE_dcb:read");
    }

    @Test
    void no_claim_gives_the_authority_of_the_actor_local() {
        CallerAuthentication forged = caller("roles", claims -> {
            claims.put("roles", List.of("LOCAL", "ROLE_OPERATOR", "local"));
            claims.put("scope", "LOCAL local");
            claims.put("sub", "local");
        });

        assertThat(authorities(forged)).isEmpty();
        assertThat(forged.getPrincipal().isLocal()).isFalse();
    }

    @Test
    void a_caller_has_the_client_and_the_student_of_the_token() {
        Caller student = caller("roles", claims -> {
                    claims.put("azp", "app");
                    claims.put("student_id", "s1");
                })
                .getPrincipal();

        assertThat(student.client()).isEqualTo("app");
        assertThat(student.student()).isEqualTo("s1");
        assertThat(caller("roles", claims -> claims.put("client_id", "batch"))
                        .getPrincipal()
                        .client())
                .isEqualTo("batch");
    }

    @Test
    void a_token_without_issuer_subject_or_expiry_is_not_valid() {
        for (String missing : List.of("iss", "sub", "exp")) {
            assertThatThrownBy(() -> caller("roles", claims -> claims.remove(missing)))
                    .isInstanceOf(InvalidBearerTokenException.class);
        }
    }
}
