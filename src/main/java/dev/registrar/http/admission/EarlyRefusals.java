package dev.registrar.http.admission;

import dev.registrar.security.RefusedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Answers requests that are refused in front of Spring MVC. Their body is not read, so their connection is closed. */
@Component
final class EarlyRefusals implements RefusedRequests {
    private final HandlerExceptionResolver problems;

    EarlyRefusals(@Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems) {
        this.problems = problems;
    }

    @Override
    public void answer(HttpServletRequest request, HttpServletResponse response, ErrorResponseException refusal) {
        refuse(request, response, refusal);
    }

    void refuse(HttpServletRequest request, HttpServletResponse response, HttpStatus status, String detail) {
        ErrorResponseException refusal = new ErrorResponseException(status);
        refusal.setDetail(detail);
        refuse(request, response, refusal);
    }

    void refuse(HttpServletRequest request, HttpServletResponse response, RuntimeException reason) {
        BoundedBody.closeAfterAnswer(request, response);
        problems.resolveException(request, response, null, reason);
    }
}
