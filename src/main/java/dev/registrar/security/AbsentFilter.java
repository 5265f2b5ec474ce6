package dev.registrar.security;

import jakarta.servlet.FilterChain;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.http.HttpStatus;
import org.springframework.web.ErrorResponseException;
import org.springframework.web.filter.OncePerRequestFilter;

/** Answers 404 to every caller, as if the area did not exist. */
final class AbsentFilter extends OncePerRequestFilter {
    private final RefusedRequests answers;

    AbsentFilter(RefusedRequests answers) {
        this.answers = answers;
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain) {
        ErrorResponseException absent = new ErrorResponseException(HttpStatus.NOT_FOUND);
        absent.setDetail("No resource at %s".formatted(request.getRequestURI()));
        answers.answer(request, response, absent);
    }
}
