package dev.registrar.http.admission;

import dev.registrar.security.RefusedRequests;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.stereotype.Component;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.servlet.HandlerExceptionResolver;

/** Answers requests that are refused before {@link BodyLimitFilter} has read their body. */
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

    /* The body of a refused request is not read, so the connection cannot be used again. */
    void refuse(HttpServletRequest request, HttpServletResponse response, RuntimeException reason) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (hasBody) {
            response.setHeader("Connection", "close");
        }
        problems.resolveException(request, response, null, reason);
        if (hasBody) {
            UnreadBody.skip(request, response);
        }
    }
}
