package dev.registrar.security.session;

import org.jspecify.annotations.Nullable;

/**
 * What a page offers to a visitor where pages need a login: the attribute {@value #ATTRIBUTE} of its request.
 *
 * @param path begins the login; null if none is configured
 */
public record LoginOffer(@Nullable String path) {
    static final String ATTRIBUTE = "loginOffer";

    public boolean isPossible() {
        return path != null;
    }
}
