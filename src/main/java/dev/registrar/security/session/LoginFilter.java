package dev.registrar.security.session;

import dev.registrar.security.AccessTokens;
import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.OAuth2LoginAuthenticationFilter;

/**
 * The end of a login: exchanges the code for tokens, and knows the person by the access token, which is checked as that
 * of any request to the API. The ID token only shows that the tokens are for this login.
 */
final class LoginFilter extends OAuth2LoginAuthenticationFilter {
    private final AccessTokens tokens;

    LoginFilter(ClientRegistrationRepository clients, AccessTokens tokens) {
        super(clients, new ForgottenClients(), ConsolePaths.CALLBACK);
        this.tokens = tokens;
    }

    @Override
    public Authentication attemptAuthentication(HttpServletRequest request, HttpServletResponse response) {
        super.attemptAuthentication(request, response);
        String token = ForgottenClients.takeToken(request)
                .orElseThrow(() -> new AuthenticationServiceException("The login has no access token"));
        CallerAuthentication caller = tokens.check(token).inSession();
        // The browser's earlier login, if it has one.
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication before) {
            before.endSession();
        }
        return caller;
    }
}
