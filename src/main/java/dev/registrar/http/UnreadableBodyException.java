package dev.registrar.http;

import org.springframework.http.ProblemDetail;

/** A body is not what is expected. */
final class UnreadableBodyException extends RuntimeException {
    private final transient ProblemDetail problem;

    UnreadableBodyException(ProblemDetail problem) {
        super(problem.getDetail());
        this.problem = problem;
    }

    ProblemDetail problem() {
        return problem;
    }
}
