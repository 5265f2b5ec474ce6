package dev.registrar.http.failure;

import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.UnknownToCallerException;
import dev.registrar.security.RefusalLog;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import org.springframework.web.servlet.HandlerMapping;

/** Answers if an operation refuses its caller, and logs it. Before {@link Problems}, which takes any exception. */
@RestControllerAdvice
@Order(Ordered.HIGHEST_PRECEDENCE)
final class AccessProblems {
    private final RefusalLog refusals;

    AccessProblems(RefusalLog refusals) {
        this.refusals = refusals;
    }

    @ExceptionHandler
    ResponseEntity<Object> unknownToCaller(UnknownToCallerException refused, HttpServletRequest request) {
        log(request, HttpStatus.NOT_FOUND, "other-student");
        return refused.unknown().response();
    }

    /* The texts of the framework are not used, since they differ between versions. */
    @ExceptionHandler
    ResponseEntity<Object> accessDenied(AccessDeniedException denied, HttpServletRequest request) {
        log(request, HttpStatus.FORBIDDEN, "not-allowed");
        return Problem.response(Problem.of(
                HttpStatus.FORBIDDEN,
                Problem.code(HttpStatus.FORBIDDEN),
                denied instanceof AuthorizationDeniedException
                        ? "The caller's roles and scopes do not allow this request"
                        : denied.getMessage()));
    }

    private void log(HttpServletRequest request, HttpStatus status, String reason) {
        Object mapping = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
        refusals.refused(request.getMethod(), String.valueOf(mapping), status, reason);
    }
}
