package dev.registrar.http;

import dev.registrar.http.Problem.FieldError;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** Tells what is wrong with a body that is not the JSON expected: malformed (400), or of the wrong kind (422). */
final class UnreadableBody {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private UnreadableBody() {}

    /**
     * The problem with a body.
     *
     * @param cause what the JSON mapper said, if there was a body at all
     */
    static ProblemDetail problem(@Nullable Throwable cause, byte[] body) {
        return switch (cause) {
            case UnrecognizedPropertyException unknown ->
                malformed("unknown-field", new FieldError(pointer(unknown), "There is no field of this name"));
            case DatabindException invalid when invalid.getPath().isEmpty() -> wrongAsAWhole(body);
            case DatabindException invalid -> wrongKind(invalid);
            case InputCoercionException tooLarge -> wrongKind(tooLarge);
            case JacksonException broken -> malformed("malformed-json", new FieldError("", where(broken)));
            case null, default -> malformed("malformed-json", new FieldError("", "A JSON body is required"));
        };
    }

    /* The mapper says the same of a list where an object belongs, of nothing at all, and of text after the object. */
    private static ProblemDetail wrongAsAWhole(byte[] body) {
        try {
            return JSON.readTree(body).isMissingNode()
                    ? malformed("malformed-json", new FieldError("", "A JSON body is required"))
                    : Problem.invalid(List.of(new FieldError("", "The body is a JSON object")));
        } catch (JacksonException broken) {
            return malformed("malformed-json", new FieldError("", where(broken)));
        }
    }

    private static ProblemDetail wrongKind(JacksonException invalid) {
        return Problem.invalid(List.of(new FieldError(pointer(invalid), "The value is of the wrong kind")));
    }

    private static ProblemDetail malformed(String code, FieldError error) {
        ProblemDetail problem = Problem.of(HttpStatus.BAD_REQUEST, code, "The body is not the JSON that is expected");
        problem.setProperty("errors", List.of(error));
        return problem;
    }

    private static String where(JacksonException broken) {
        return broken.getLocation() == null
                ? "The body is not JSON"
                : "The body is not JSON from line %d, column %d on"
                        .formatted(
                                broken.getLocation().getLineNr(),
                                broken.getLocation().getColumnNr());
    }

    /** The place of the failure, as a JSON pointer. */
    static String pointer(JacksonException invalid) {
        StringBuilder pointer = new StringBuilder();
        for (JacksonException.Reference step : invalid.getPath()) {
            pointer.append('/')
                    .append(
                            step.getPropertyName() == null
                                    ? Integer.toString(step.getIndex())
                                    : step.getPropertyName().replace("~", "~0").replace("/", "~1"));
        }
        return pointer.toString();
    }
}
