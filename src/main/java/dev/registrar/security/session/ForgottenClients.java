package dev.registrar.security.session;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.security.core.Authentication;
import org.springframework.security.oauth2.client.OAuth2AuthorizedClient;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;

/** Hands the tokens of a login over within its request. They are kept nowhere. */
final class ForgottenClients implements OAuth2AuthorizedClientRepository {
    private static final String ATTRIBUTE = ForgottenClients.class.getName();

    @Override
    @SuppressWarnings("TypeParameterUnusedInFormals") // as Spring declares it
    public <T extends OAuth2AuthorizedClient> @Nullable T loadAuthorizedClient(
            String registration, Authentication principal, HttpServletRequest request) {
        return null;
    }

    @Override
    public void saveAuthorizedClient(
            OAuth2AuthorizedClient client,
            Authentication principal,
            HttpServletRequest request,
            HttpServletResponse response) {
        request.setAttribute(ATTRIBUTE, client.getAccessToken().getTokenValue());
    }

    /** The access token of the request's login, which is forgotten here. */
    static Optional<String> takeToken(HttpServletRequest request) {
        Object token = request.getAttribute(ATTRIBUTE);
        request.removeAttribute(ATTRIBUTE);
        return token instanceof String value ? Optional.of(value) : Optional.empty();
    }

    @Override
    public void removeAuthorizedClient(
            String registration, Authentication principal, HttpServletRequest request, HttpServletResponse response) {
        // None is kept.
    }
}
