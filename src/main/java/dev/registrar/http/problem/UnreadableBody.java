package dev.registrar.http.problem;

import dev.registrar.http.problem.Problem.FieldError;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.RecordComponent;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.exc.MismatchedInputException;
import tools.jackson.databind.exc.UnrecognizedPropertyException;
import tools.jackson.databind.json.JsonMapper;

/** The problems of a body that is not the expected JSON: malformed (400), or with a value of the wrong type (422). */
public final class UnreadableBody {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private UnreadableBody() {}

    /**
     * Checks that a JSON body is in UTF-8, without a byte order mark. UTF-16 and UTF-32 are either invalid UTF-8 or
     * have a zero byte, which JSON text never has.
     *
     * @throws ProblemException if the body has another encoding
     */
    static void checkEncoding(byte[] body) {
        try {
            String text = StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(body))
                    .toString();
            if (text.indexOf('\0') < 0 && !text.startsWith("\uFEFF")) {
                return;
            }
        } catch (CharacterCodingException malformed) {
            // Refused below.
        }
        throw new ProblemException(malformed(
                "malformed-json", new FieldError("", "The body must be JSON in UTF-8, without a byte order mark")));
    }

    /**
     * The problem with a body.
     *
     * @param cause the error of the JSON mapper; null if there was no body
     */
    public static ProblemDetail problem(@Nullable Throwable cause, byte[] body) {
        return switch (cause) {
            case UnrecognizedPropertyException unknown ->
                malformed("unknown-field", new FieldError(pointer(unknown), "is not a known field"));
            case DatabindException invalid when invalid.getPath().isEmpty() -> wrongAsAWhole(body);
            case DatabindException invalid -> wrongType(invalid);
            case InputCoercionException tooLarge -> wrongType(tooLarge);
            case StreamReadException twice
            when twice.processor() != null && isJson(body) ->
                malformed(
                        "duplicate-field",
                        new FieldError(
                                twice.processor()
                                        .streamReadContext()
                                        .pathAsPointer()
                                        .toString(),
                                "occurs twice in its object"));
            case JacksonException broken -> malformed("malformed-json", new FieldError("", where(broken)));
            case null, default -> malformed("malformed-json", new FieldError("", "A JSON body is required"));
        };
    }

    /* This mapper does not check for repeated fields. */
    private static boolean isJson(byte[] body) {
        try {
            return !JSON.readTree(body).isMissingNode();
        } catch (JacksonException broken) {
            return false;
        }
    }

    /* The mapper reports these in the same way: a list in place of an object, an empty body, text after the object. */
    private static ProblemDetail wrongAsAWhole(byte[] body) {
        try {
            return JSON.readTree(body).isMissingNode()
                    ? malformed("malformed-json", new FieldError("", "A JSON body is required"))
                    : Problem.invalid(List.of(new FieldError("", "The body must be a JSON object")));
        } catch (JacksonException broken) {
            return malformed("malformed-json", new FieldError("", where(broken)));
        }
    }

    private static ProblemDetail wrongType(JacksonException invalid) {
        return Problem.invalid(List.of(new FieldError(pointer(invalid), "must be " + expected(invalid))));
    }

    /** What the mapper expected at the location of the failure. */
    public static String expected(JacksonException invalid) {
        Class<?> type = switch (invalid) {
            case MismatchedInputException mismatch -> mismatch.getTargetType();
            case InputCoercionException tooLarge -> tooLarge.getTargetType();
            default -> null;
        };
        return type == null ? "of another type" : expected(type, field(invalid));
    }

    /* What declares the field at the location of the failure; null if that is no field of a record. */
    private static @Nullable AnnotatedElement field(JacksonException invalid) {
        if (invalid.getPath().isEmpty()) {
            return null;
        }
        JacksonException.Reference last = invalid.getPath().getLast();
        return last.from() instanceof Class<?> form && form.isRecord()
                ? Arrays.stream(form.getRecordComponents())
                        .filter(component -> component.getName().equals(last.getPropertyName()))
                        .map(RecordComponent::getAccessor)
                        .findFirst()
                        .orElse(null)
                : null;
    }

    /**
     * Describes a type in terms of JSON.
     *
     * @param declared has the constraints of a number; null if nothing declares any
     */
    public static String expected(Class<?> type, @Nullable AnnotatedElement declared) {
        WholeNumber number = WholeNumber.of(type, declared);
        if (number != null) {
            return number.toString();
        } else if (type == String.class) {
            return "a string";
        } else if (type == Boolean.class || type == boolean.class) {
            return "true or false";
        } else if (type == Instant.class) {
            return "a time such as \"2026-09-01T08:00:00Z\"";
        } else if (type == UUID.class) {
            return "a UUID such as \"01900000-0000-7000-8000-00000000abcd\"";
        } else if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        } else if (type.isEnum()) {
            return Arrays.stream(type.getEnumConstants())
                    .map(constant -> JSON.writeValueAsString(constant))
                    .collect(Collectors.joining(", ", "one of ", ""));
        }
        return "an object";
    }

    private static ProblemDetail malformed(String code, FieldError error) {
        ProblemDetail problem = Problem.of(
                HttpStatus.BAD_REQUEST,
                code,
                "The body is not the expected JSON: %s".formatted(Problem.sentence(error)));
        problem.setProperty("errors", List.of(error));
        return problem;
    }

    private static String where(JacksonException broken) {
        return broken.getLocation() == null
                ? "The body is not JSON"
                : "The body is not JSON from line %s, column %s on"
                        .formatted(
                                broken.getLocation().getLineNr(),
                                broken.getLocation().getColumnNr());
    }

    /** The location of the failure, as a JSON pointer. */
    public static String pointer(JacksonException invalid) {
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
