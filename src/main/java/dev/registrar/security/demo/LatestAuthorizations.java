package dev.registrar.security.demo;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.security.oauth2.server.authorization.InMemoryOAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2Authorization;
import org.springframework.security.oauth2.server.authorization.OAuth2AuthorizationService;
import org.springframework.security.oauth2.server.authorization.OAuth2TokenType;

/** The latest {@value #MAX} authorizations. Spring's store in memory has no bound. */
final class LatestAuthorizations implements OAuth2AuthorizationService {
    static final int MAX = 1_000;

    private final OAuth2AuthorizationService stored = new InMemoryOAuth2AuthorizationService();
    private final Map<String, OAuth2Authorization> byAge = new LinkedHashMap<>();

    @Override
    public synchronized void save(OAuth2Authorization authorization) {
        stored.save(authorization);
        byAge.put(authorization.getId(), authorization);
        if (byAge.size() > MAX) {
            OAuth2Authorization oldest = byAge.values().iterator().next();
            remove(oldest);
        }
    }

    @Override
    public synchronized void remove(OAuth2Authorization authorization) {
        stored.remove(authorization);
        byAge.remove(authorization.getId());
    }

    @Override
    public @Nullable OAuth2Authorization findById(String id) {
        return stored.findById(id);
    }

    @Override
    public @Nullable OAuth2Authorization findByToken(String token, @Nullable OAuth2TokenType tokenType) {
        return stored.findByToken(token, tokenType);
    }
}
