package dev.registrar.http;

import java.net.URI;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * Problem details (RFC 9457) as this API gives them: a stable {@code type} and {@code code}, and a pointer to each
 * field at fault.
 */
final class Problem {
    private static final String TYPE = "urn:registrar:problem:";

    private Problem() {}

    /**
     * What is wrong with one value of a request.
     *
     * @param pointer to the field of the body, as a JSON pointer (RFC 6901)
     * @param parameter the name of the parameter of the path, where it is not a field
     */
    record FieldError(@Nullable String pointer, @Nullable String parameter, String detail) {
        FieldError(String pointer, String detail) {
            this(pointer, null, detail);
        }

        static FieldError ofParameter(String name, String detail) {
            return new FieldError(null, name, detail);
        }
    }

    static ProblemDetail of(HttpStatusCode status, String code, @Nullable String detail) {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        problem.setType(URI.create(TYPE + code));
        problem.setTitle(title(code));
        problem.setDetail(detail);
        problem.setProperty("code", code);
        return problem;
    }

    static ProblemDetail invalid(List<FieldError> errors) {
        ProblemDetail problem =
                of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-value", "A value of the request is not allowed");
        problem.setProperty("errors", errors);
        return problem;
    }

    static ResponseEntity<Object> response(ProblemDetail problem) {
        return ResponseEntity.status(problem.getStatus())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    static ResponseEntity<Object> response(ProblemDetail problem, String retryAfterSeconds) {
        return ResponseEntity.status(problem.getStatus())
                .header("Retry-After", retryAfterSeconds)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem);
    }

    private static String title(String code) {
        String words = code.replace('-', ' ');
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
