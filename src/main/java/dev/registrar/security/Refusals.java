package dev.registrar.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;

/** Refuses requests in front of Spring MVC. Each refusal is logged. */
@Component
public final class Refusals {
    private final RefusedRequests answers;
    private final RefusalLog log;

    public Refusals(RefusedRequests answers, RefusalLog log) {
        this.answers = answers;
        this.log = log;
    }

    /**
     * Answers a request with a problem or an error page, beside the headers that the response has already.
     *
     * @param place the area of the service
     * @param reason a constant in kebab-case
     * @param detail for the caller
     */
    public void refuse(
            HttpServletRequest request,
            HttpServletResponse response,
            HttpStatus status,
            String place,
            String reason,
            String detail) {
        log.refused(request.getMethod(), place, status, reason);
        ErrorResponseException refusal = new ErrorResponseException(status);
        refusal.setDetail(detail);
        answers.answer(request, response, refusal);
    }

    /**
     * Leads a browser to another page instead.
     *
     * @param path within the service: a forged header Host leads nowhere
     */
    public void redirect(
            HttpServletRequest request,
            HttpServletResponse response,
            HttpStatus status,
            String place,
            String reason,
            String path) {
        log.refused(request.getMethod(), place, status, reason);
        response.setStatus(status.value());
        response.setHeader(HttpHeaders.LOCATION, request.getContextPath() + path);
    }
}
