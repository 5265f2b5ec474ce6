package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authentication.BadCredentialsException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;

/** Answers 401 to a request without a valid token or password, and 403 to one that its caller may not send. */
final class RefusedAccess implements AuthenticationEntryPoint, AccessDeniedHandler {
    private static final String RETRY_AFTER_SECONDS = "1";

    private final String area;
    private final AccessMode mode;
    private final Refusals refusals;

    RefusedAccess(String area, AccessMode mode, Refusals refusals) {
        this.area = area;
        this.mode = mode;
        this.refusals = refusals;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException authentication) {
        if (mode == AccessMode.DEMO) {
            challenge(
                    request,
                    response,
                    "Basic realm=\"Registrar\"",
                    authentication instanceof BadCredentialsException ? "invalid-password" : "no-password",
                    "A name and its password are required: send those of the demo login in the header Authorization, as HTTP Basic");
        } else if (authentication instanceof AuthenticationServiceException) {
            response.setHeader(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            String detail =
                    "The token cannot be checked now, because the issuer's keys cannot be read; nothing was changed: send the request again later";
            refusals.refuse(request, response, HttpStatus.SERVICE_UNAVAILABLE, area, "issuer-unavailable", detail);
        } else if (authentication instanceof OAuth2AuthenticationException) {
            challenge(
                    request,
                    response,
                    "Bearer error=\"invalid_token\"",
                    "invalid-token",
                    "The access token is not valid: it has expired, or is malformed, or was not issued for this service");
        } else {
            challenge(
                    request,
                    response,
                    "Bearer",
                    "no-token",
                    "An access token is required: send it in the header Authorization, as a Bearer token");
        }
    }

    private void challenge(
            HttpServletRequest request, HttpServletResponse response, String scheme, String reason, String detail) {
        response.setHeader(HttpHeaders.WWW_AUTHENTICATE, scheme);
        refusals.refuse(request, response, HttpStatus.UNAUTHORIZED, area, reason, detail);
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied) {
        String detail = "The caller's roles and scopes do not allow this request";
        refusals.refuse(request, response, HttpStatus.FORBIDDEN, area, "not-allowed", detail);
    }
}
