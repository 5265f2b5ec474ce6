package dev.registrar.security.session;

import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.CheckedTokens;
import dev.registrar.security.Refusals;
import dev.registrar.security.tokens.TokenSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.client.SimpleClientHttpRequestFactory;
import org.springframework.http.converter.FormHttpMessageConverter;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.config.ObjectPostProcessor;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.Authentication;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.context.SecurityContext;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.security.core.context.SecurityContextImpl;
import org.springframework.security.oauth2.client.endpoint.RestClientAuthorizationCodeTokenResponseClient;
import org.springframework.security.oauth2.client.http.OAuth2ErrorResponseErrorHandler;
import org.springframework.security.oauth2.client.oidc.userinfo.OidcUserRequest;
import org.springframework.security.oauth2.client.registration.ClientRegistrationRepository;
import org.springframework.security.oauth2.client.web.HttpSessionOAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizationRequestRedirectFilter;
import org.springframework.security.oauth2.client.web.OAuth2AuthorizedClientRepository;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.oauth2.core.http.converter.OAuth2AccessTokenResponseHttpMessageConverter;
import org.springframework.security.oauth2.core.oidc.user.DefaultOidcUser;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.context.HttpSessionSecurityContextRepository;
import org.springframework.web.client.RestClient;

/**
 * The login at the issuer: OpenID Connect, authorization code with proof key. The access token names the person, and is
 * checked as that of any request to the API. The ID token only shows that the tokens are for this login.
 */
public final class IssuerLogin implements ConsoleLogin {
    private static final String AREA = "login";

    private final ClientRegistrationRepository clients;
    private final CheckedTokens tokens;
    private final TokenSettings settings;
    private final Refusals refusals;

    /** @param clients has the registration of the console */
    public IssuerLogin(
            ClientRegistrationRepository clients, CheckedTokens tokens, TokenSettings settings, Refusals refusals) {
        this.clients = clients;
        this.tokens = tokens;
        this.settings = settings;
        this.refusals = refusals;
    }

    @Override
    public String path() {
        return ConsolePaths.LOGIN;
    }

    @Override
    public void addTo(HttpSecurity http, AuthenticationSuccessHandler welcome) {
        OAuth2AuthorizedClientRepository loginTokens = new HttpSessionOAuth2AuthorizedClientRepository();
        http.oauth2Login(login -> login.clientRegistrationRepository(clients)
                .authorizedClientRepository(loginTokens)
                .loginPage(ConsolePaths.LOGIN)
                .tokenEndpoint(endpoint -> endpoint.accessTokenResponseClient(codes()))
                .userInfoEndpoint(
                        endpoint -> endpoint.oidcUserService(this::person).userService(request -> {
                            throw new OAuth2AuthenticationException("The scope has no openid");
                        }))
                .successHandler((request, response, person) -> {
                    loginTokens.removeAuthorizedClient(ConsolePaths.REGISTRATION, person, request, response);
                    welcome.onAuthenticationSuccess(request, response, keep(person, request, response));
                })
                .failureHandler(this::refuse)
                .withObjectPostProcessor(new ObjectPostProcessor<OAuth2AuthorizationRequestRedirectFilter>() {
                    @Override
                    public <F extends OAuth2AuthorizationRequestRedirectFilter> F postProcess(F begin) {
                        begin.setAuthenticationFailureHandler(IssuerLogin.this::refuse);
                        return begin;
                    }
                }));
    }

    /** The person whom the login's access token names. */
    private static final class Person extends DefaultOidcUser {
        private static final long serialVersionUID = 1L;

        private final transient CallerAuthentication caller;

        Person(OidcUserRequest login, CallerAuthentication caller) {
            super(List.of(), login.getIdToken());
            this.caller = caller;
        }
    }

    private Person person(OidcUserRequest login) {
        return new Person(login, tokens.check(login.getAccessToken().getTokenValue()));
    }

    /* The session keeps the caller and no token. */
    private static CallerAuthentication keep(
            Authentication login, HttpServletRequest request, HttpServletResponse response) {
        if (!(login.getPrincipal() instanceof Person person)) {
            throw new IllegalStateException("%s is no login of a person".formatted(login.getClass()));
        }
        CallerAuthentication caller = person.caller.inSession();
        SecurityContext context = new SecurityContextImpl(caller);
        SecurityContextHolder.setContext(context);
        new HttpSessionSecurityContextRepository().saveContext(context, request, response);
        return caller;
    }

    private RestClientAuthorizationCodeTokenResponseClient codes() {
        SimpleClientHttpRequestFactory http = new SimpleClientHttpRequestFactory();
        http.setConnectTimeout(settings.keyTimeout());
        http.setReadTimeout(settings.keyTimeout());
        RestClientAuthorizationCodeTokenResponseClient client = new RestClientAuthorizationCodeTokenResponseClient();
        client.setRestClient(RestClient.builder()
                .requestFactory(http)
                .configureMessageConverters(converters -> converters
                        .addCustomConverter(new FormHttpMessageConverter())
                        .addCustomConverter(new OAuth2AccessTokenResponseHttpMessageConverter()))
                .defaultStatusHandler(new OAuth2ErrorResponseErrorHandler())
                .build());
        return client;
    }

    private void refuse(HttpServletRequest request, HttpServletResponse response, AuthenticationException failure) {
        if (isOfNoLogin(failure)) {
            refusals.redirect(request, response, HttpStatus.FOUND, AREA, "login-not-begun", ConsolePaths.FRONT);
        } else if (isUnavailable(failure)) {
            refuseForNow(request, response);
        } else {
            refusals.refuse(
                    request,
                    response,
                    HttpStatus.FORBIDDEN,
                    AREA,
                    "login-failed",
                    "The login was not completed, or it is not for this service. Begin it again from the front page.");
        }
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

    private void refuseForNow(HttpServletRequest request, HttpServletResponse response) {
        refusals.refuse(
                request,
                response,
                HttpStatus.SERVICE_UNAVAILABLE,
                AREA,
                "issuer-unavailable",
                "The issuer does not answer, so no login is possible right now. Try again in a moment.");
    }
}
