package dev.registrar.http.problem;

import org.springframework.http.ProblemDetail;

/** A body is not what is expected. */
public final class UnreadableBodyException extends RuntimeException {
    private final transient ProblemDetail problem;

    public UnreadableBodyException(ProblemDetail problem) {
        super(problem.getDetail());
        this.problem = problem;
    }

    public ProblemDetail problem() {
        return problem;
    }
}
