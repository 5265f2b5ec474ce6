package dev.registrar.security;

import java.util.Arrays;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.jwt.Jwt;
import org.springframework.security.oauth2.server.resource.InvalidBearerTokenException;

/** Reads the caller from a token whose signature, issuer, audience and time were checked. */
final class TokenCallers {
    /** Maximum length of a subject in OpenID Connect, and of an actor's in the event store. */
    private static final int MAX_LENGTH = 255;

    private final String rolesClaim;
    private final String studentClaim;

    TokenCallers(String rolesClaim, String studentClaim) {
        this.rolesClaim = rolesClaim;
        this.studentClaim = studentClaim;
    }

    CallerAuthentication convert(Jwt token) {
        String issuer = token.getClaimAsString("iss");
        String subject = token.getSubject();
        if (issuer == null || subject == null || subject.isBlank() || token.getExpiresAt() == null) {
            throw new InvalidBearerTokenException("The token has no issuer, subject or expiry");
        }
        if (subject.length() > MAX_LENGTH) {
            throw new InvalidBearerTokenException(
                    "The token's subject has more than %s characters".formatted(MAX_LENGTH));
        }
        Caller caller = new Caller(issuer, subject, client(token), token.getClaimAsString(studentClaim), roles(token));
        return CallerAuthentication.of(caller, scopes(token), token.getExpiresAt());
    }

    private static @Nullable String client(Jwt token) {
        String client = token.getClaimAsString("client_id");
        return client == null ? token.getClaimAsString("azp") : client;
    }

    private Set<Role> roles(Jwt token) {
        return texts(claim(token.getClaims())).stream()
                .flatMap(value -> Role.of(value).stream())
                .collect(Collectors.toSet());
    }

    /* The claim of that name, or else the field at that path, such as realm_access.roles. */
    private @Nullable Object claim(Map<String, Object> claims) {
        Object found = claims.get(rolesClaim);
        if (found != null) {
            return found;
        }
        Object level = claims;
        for (String name : rolesClaim.split("\\.", -1)) {
            level = level instanceof Map<?, ?> fields ? fields.get(name) : null;
        }
        return level;
    }

    private static Set<Scope> scopes(Jwt token) {
        Object claim = token.getClaims().get("scope");
        Collection<String> granted = texts(claim == null ? token.getClaims().get("scp") : claim);
        return Arrays.stream(Scope.values())
                .filter(scope -> granted.contains(scope.claim()))
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(Scope.class)));
    }

    /* A list, or a text with spaces between its words. */
    private static List<String> texts(@Nullable Object claim) {
        return switch (claim) {
            case String words -> List.of(words.split(" ", -1));
            case Collection<?> list -> list.stream().map(String::valueOf).toList();
            case null, default -> List.of();
        };
    }
}
