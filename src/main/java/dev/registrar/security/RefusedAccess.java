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
import org.springframework.web.ErrorResponseException;

/**
 * Answers 401 to a request without a valid token or password and 403 to one that its caller may not send, and logs
 * both.
 */
final class RefusedAccess implements AuthenticationEntryPoint, AccessDeniedHandler {
    private static final String RETRY_AFTER_SECONDS = "1";

    private final String area;
    private final AccessMode mode;
    private final RefusedRequests answers;
    private final RefusalLog log;

    RefusedAccess(String area, AccessMode mode, RefusedRequests answers, RefusalLog log) {
        this.area = area;
        this.mode = mode;
        this.answers = answers;
        this.log = log;
    }

    @Override
    public void commence(
            HttpServletRequest request, HttpServletResponse response, AuthenticationException authentication) {
        if (mode == AccessMode.DEMO) {
            refuse(
                    request,
                    response,
                    challenge(
                            "Basic realm=\"Registrar\"",
                            "A name and its password are required: send those of the demo login in the header Authorization, as HTTP Basic"),
                    authentication instanceof BadCredentialsException ? "invalid-password" : "no-password");
        } else if (authentication instanceof AuthenticationServiceException) {
            ErrorResponseException unavailable = refusal(
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "The token cannot be checked now, because the issuer's keys cannot be read; nothing was changed: send the request again later");
            unavailable.getHeaders().set(HttpHeaders.RETRY_AFTER, RETRY_AFTER_SECONDS);
            refuse(request, response, unavailable, "issuer-unavailable");
        } else if (authentication instanceof OAuth2AuthenticationException) {
            refuse(
                    request,
                    response,
                    challenge(
                            "Bearer error=\"invalid_token\"",
                            "The access token is not valid: it has expired, or is malformed, or was not issued for this service"),
                    "invalid-token");
        } else {
            refuse(
                    request,
                    response,
                    challenge(
                            "Bearer",
                            "An access token is required: send it in the header Authorization, as a Bearer token"),
                    "no-token");
        }
    }

    private static ErrorResponseException challenge(String scheme, String detail) {
        ErrorResponseException refused = refusal(HttpStatus.UNAUTHORIZED, detail);
        refused.getHeaders().set(HttpHeaders.WWW_AUTHENTICATE, scheme);
        return refused;
    }

    @Override
    public void handle(HttpServletRequest request, HttpServletResponse response, AccessDeniedException denied) {
        ErrorResponseException refused =
                refusal(HttpStatus.FORBIDDEN, "The caller's roles and scopes do not allow this request");
        refuse(request, response, refused, "not-allowed");
    }

    private static ErrorResponseException refusal(HttpStatus status, String detail) {
        ErrorResponseException refusal = new ErrorResponseException(status);
        refusal.setDetail(detail);
        return refusal;
    }

    private void refuse(
            HttpServletRequest request, HttpServletResponse response, ErrorResponseException refusal, String reason) {
        log.refused(
                request.getMethod(),
                area,
                HttpStatus.valueOf(refusal.getStatusCode().value()),
                reason);
        answers.answer(request, response, refusal);
    }
}
