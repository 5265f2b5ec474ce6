package dev.registrar.security.session;

import dev.registrar.security.AccessTokens;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.RefusalLog;
import dev.registrar.security.RefusedRequests;
import dev.registrar.security.tokens.TokenSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.http.HttpClient;
import java.util.List;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseCookie;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.ProviderManager;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.authentication.OidcAuthorizationCodeAuthenticationProvider;
import org.springframework.security.oauth2.client.web.DefaultOAuth2AuthorizationRequestResolver;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestCustomizers;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.web.authentication.logout.LogoutFilter;
import org.springframework.security.web.authentication.logout.SecurityContextLogoutHandler;
import org.springframework.security.web.authentication.session.ChangeSessionIdAuthenticationStrategy;
import org.springframework.security.web.authentication.session.CompositeSessionAuthenticationStrategy;
import org.springframework.security.web.context.SecurityContextRepository;
import org.springframework.security.web.csrf.CsrfAuthenticationStrategy;
import org.springframework.security.web.csrf.CsrfTokenRepository;
import org.springframework.security.web.servlet.util.matcher.PathPatternRequestMatcher;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.client.RestClient;

/** The filters of login and logout: OpenID Connect, authorization code with proof key. */
final class LoginFilters {
    private static final String AREA = "login";

    private final ConsoleLogin login;
    private final AccessTokens tokens;
    private final TokenSettings settings;
    private final SecurityContextRepository persons;
    private final CsrfTokenRepository csrf;
    private final RefusedRequests answers;
    private final RefusalLog log;

    LoginFilters(
            ConsoleLogin login,
            AccessTokens tokens,
            TokenSettings settings,
            SecurityContextRepository persons,
            CsrfTokenRepository csrf,
            RefusedRequests answers,
            RefusalLog log) {
        this.login = login;
        this.tokens = tokens;
        this.settings = settings;
        this.persons = persons;
        this.csrf = csrf;
        this.answers = answers;
        this.log = log;
    }

    void addTo(HttpSecurity http) {
        http.addFilter(logout()).addFilter(begin()).addFilter(end());
    }

    private LogoutFilter logout() {
        SecurityContextLogoutHandler end = new SecurityContextLogoutHandler();
        // Requests of other tabs, which have passed the filters, share the session's context with this one.
        end.setClearAuthentication(false);
        LogoutFilter filter = new LogoutFilter(
                (request, response, person) -> redirect(ConsolePaths.FRONT, request, response),
                end,
                (request, response, person) -> forget(request, response));
        filter.setLogoutRequestMatcher(PathPatternRequestMatcher.pathPattern(HttpMethod.POST, ConsolePaths.LOGOUT));
        return filter;
    }

    /* Otherwise the browser's button "back" may show pages as they were before the logout. */
    static void forget(HttpServletRequest request, HttpServletResponse response) {
        String name = request.getServletContext().getSessionCookieConfig().getName();
        String context = request.getContextPath();
        ResponseCookie ended = ResponseCookie.from(name == null ? "JSESSIONID" : name, "")
                .path(context.isEmpty() ? ConsolePaths.FRONT : context)
                .maxAge(0)
                .httpOnly(true)
                .sameSite("Lax")
                .secure(request.isSecure())
                .build();
        response.addHeader(HttpHeaders.SET_COOKIE, ended.toString());
        response.setHeader("Clear-Site-Data", "\"cache\"");
    }

    private OAuth2AuthorizationRequestRedirectFilter begin() {
        DefaultOAuth2AuthorizationRequestResolver resolver =
                new DefaultOAuth2AuthorizationRequestResolver(login.clients());
        resolver.setAuthorizationRequestCustomizer(OAuth2AuthorizationRequestCustomizers.withPkce());
        OAuth2AuthorizationRequestRedirectFilter filter = new OAuth2AuthorizationRequestRedirectFilter(resolver);
        filter.setAuthenticationFailureHandler(this::refuse);
        return filter;
    }

    private LoginFilter end() {
        LoginFilter filter = new LoginFilter(login.clients(), tokens);
        filter.setAuthenticationManager(new ProviderManager(codes()));
        filter.setSecurityContextRepository(persons);
        filter.setSessionAuthenticationStrategy(new CompositeSessionAuthenticationStrategy(
                List.of(new ChangeSessionIdAuthenticationStrategy(), new CsrfAuthenticationStrategy(csrf))));
        filter.setAuthenticationSuccessHandler(this::welcome);
        filter.setAuthenticationFailureHandler(this::refuse);
        return filter;
    }

    /* Only tokens are requested from the issuer: the access token names the person. */
    private OidcAuthorizationCodeAuthenticationProvider codes() {
        HttpClient.Builder connections = HttpClient.newBuilder()
                .connectTimeout(settings.keyTimeout())
                .followRedirects(HttpClient.Redirect.NEVER);
        if (login.tls() != null) {
            connections.sslContext(login.tls());
        }
        JdkClientHttpRequestFactory http = new JdkClientHttpRequestFactory(connections.build());
        http.setReadTimeout(settings.keyTimeout());
        RestClientAuthorizationCodeTokenResponseClient client = new RestClientAuthorizationCodeTokenResponseClient();
        client.setRestClient(RestClient.builder()
                .requestFactory(http)
                .configureMessageConverters(converters -> converters
                        .disableDefaults()
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        OidcAuthorizationCodeAuthenticationProvider codes = new OidcAuthorizationCodeAuthenticationProvider(
                client, request -> new DefaultOidcUser(List.of(), request.getIdToken()));
        codes.setJwtDecoderFactory(login.idTokens());
        return codes;
    }

    private void welcome(HttpServletRequest request, HttpServletResponse response, Authentication person) {
        SessionLimits.lengthen(request.getSession());
        if (person instanceof CallerAuthentication known) {
            KnownPerson.remember(known.getPrincipal(), request, response);
        }
        redirect(WantedPage.take(request), request, response);
    }

    private static void redirect(String path, HttpServletRequest request, HttpServletResponse response) {
        response.setStatus(HttpStatus.FOUND.value());
        response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + path);
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure) {
        if (isOfNoLogin(failure)) {
            log.refused(request.getMethod(), AREA, HttpStatus.FOUND, "login-not-begun");
            redirect(ConsolePaths.FRONT, request, response);
            return;
        }
        boolean unavailable = isUnavailable(failure);
        HttpStatus status = unavailable ? HttpStatus.SERVICE_UNAVAILABLE : HttpStatus.FORBIDDEN;
        ErrorResponseException refused = new ErrorResponseException(status);
        refused.setDetail(
                unavailable
                        ? "The issuer does not answer, so no login is possible right now. Try again in a moment."
                        : "The login was not completed, or it is not for this service. Begin it again from the front page.");
        log.refused(request.getMethod(), AREA, status, unavailable ? "issuer-unavailable" : "login-failed");
        answers.answer(request, response, refused);
    }

    /* Mostly two tabs that logged in at once: the session knows the login of one, and the person may be logged in. */
    private static boolean isOfNoLogin(AuthenticationException failure) {
        return failure instanceof OAuth2AuthenticationException known
                && known.getError().getErrorCode().equals("authorization_request_not_found");
    }

    private static boolean isUnavailable(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof AuthenticationServiceException) {
                return true;
            }
        }
        return false;
    }
}
