package dev.registrar.http.problem;

import dev.registrar.eventstore.KebabCase;
import java.net.URI;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.HttpStatusCode;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;

/**
 * The problem details (RFC 9457) of this API: a stable {@code type} and {@code code}, and a pointer to each invalid
 * field.
 */
public final class Problem {
    private static final String TYPE = "urn:registrar:problem:";
    private static final int MAX_SENTENCES = 5;

    private static final int MAX_SHOWN = 100;

    private Problem() {}

    /**
     * An error in one value of a request.
     *
     * @param pointer to the field of the body, as a JSON pointer (RFC 6901); null if the value is not in the body
     * @param parameter the name of the path or query parameter; null if the value is in the body
     */
    public record FieldError(
            @Nullable String pointer, @Nullable String parameter, String detail) {
        public FieldError(String pointer, String detail) {
            this(pointer, null, detail);
        }

        public static FieldError ofParameter(String name, String detail) {
            return new FieldError(null, name, detail);
        }
    }

    /** Converts the path of a bean property, such as {@code events[0].type}, to a JSON pointer. */
    public static String pointer(String path) {
        return "/"
                + path.replace(".<list element>", "")
                        .replace('.', '/')
                        .replace('[', '/')
                        .replace("]", "");
    }

    public static ProblemDetail of(HttpStatusCode status, String code, @Nullable String detail) {
        ProblemDetail problem = ProblemDetail.forStatus(status);
        problem.setType(URI.create(TYPE + code));
        problem.setTitle(title(code));
        problem.setDetail(detail);
        problem.setProperty("code", code);
        return problem;
    }

    /** The code of a problem that has no code beyond its status: the status in kebab-case. */
    public static String code(HttpStatusCode status) {
        HttpStatus known = HttpStatus.resolve(status.value());
        return known == null ? "error" : KebabCase.of(known);
    }

    public static ProblemDetail invalid(List<FieldError> errors) {
        ProblemDetail problem = of(HttpStatus.UNPROCESSABLE_CONTENT, "invalid-value", sentences(errors));
        problem.setProperty("errors", errors);
        return problem;
    }

    /** The first {@value #MAX_SENTENCES} errors, each as a sentence, and the number of further ones. */
    public static String sentences(List<FieldError> errors) {
        String first =
                errors.stream().limit(MAX_SENTENCES).map(Problem::sentence).collect(Collectors.joining("; "));
        return errors.size() > MAX_SENTENCES
                ? "%s; and %s more".formatted(first, errors.size() - MAX_SENTENCES)
                : first;
    }

    /** An error, preceded by the name of its field or parameter. */
    static String sentence(FieldError error) {
        String name = error.parameter() == null ? error.pointer() : error.parameter();
        return name == null || name.isEmpty() ? error.detail() : "%s %s".formatted(shown(name), error.detail());
    }

    /** A client's text for a sentence: its beginning, up to {@value #MAX_SHOWN} characters. */
    public static String shown(String text) {
        return text.codePointCount(0, text.length()) <= MAX_SHOWN
                ? text
                : text.substring(0, text.offsetByCodePoints(0, MAX_SHOWN)) + "…";
    }

    public static <B> ResponseEntity<B> response(ProblemDetail problem) {
        return insteadOf(ResponseEntity.status(problem.getStatus())
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem));
    }

    public static <B> ResponseEntity<B> response(ProblemDetail problem, String retryAfterSeconds) {
        return insteadOf(ResponseEntity.status(problem.getStatus())
                .header("Retry-After", retryAfterSeconds)
                .contentType(MediaType.APPLICATION_PROBLEM_JSON)
                .body(problem));
    }

    /**
     * An answer of another type than its operation declares: a problem, or a body that is serialized already. An
     * operation declares the type of its success, which is the one in the API's description.
     */
    @SuppressWarnings("unchecked")
    public static <B> ResponseEntity<B> insteadOf(ResponseEntity<?> answer) {
        return (ResponseEntity<B>) answer;
    }

    private static String title(String code) {
        String words = code.replace('-', ' ');
        return words.substring(0, 1).toUpperCase(Locale.ROOT) + words.substring(1);
    }
}
