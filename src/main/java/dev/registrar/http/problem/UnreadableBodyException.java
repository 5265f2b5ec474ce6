package dev.registrar.http.problem;

import org.springframework.http.ProblemDetail;

/** The body of a request is not the expected JSON. */
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
