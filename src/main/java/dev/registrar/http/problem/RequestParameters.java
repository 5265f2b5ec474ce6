package dev.registrar.http.problem;

import dev.registrar.http.problem.Problem.FieldError;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Parameter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerMapping;

/**
 * Makes requests strict. It rejects a query parameter that is unknown to the operation or repeated, and a JSON body
 * that is not in UTF-8: the JSON mapper detects other encodings and accepts overlong sequences. Numbers must have ASCII
 * digits, and UUIDs their canonical form; Spring and the JDK are more lenient.
 */
public final class RequestParameters {
    /** The package of this service's controllers, with its sub-packages; the framework has controllers of its own. */
    private static final String CONTROLLERS = "dev.registrar.http.";

    private static final Pattern CANONICAL_UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final Map<Method, Operation> operations = new ConcurrentHashMap<>();

    /** Whether an operation takes a body, and one that Spring reads; the declarations of its parameters by name. */
    private record Operation(
            boolean takesBody, boolean takesJson, Map<String, QueryParameter> query, Map<String, Parameter> path) {}

    /** The declaration of a query parameter. */
    private record QueryParameter(Parameter declared, boolean mayBeEmpty) {
        boolean repeatable() {
            return Collection.class.isAssignableFrom(declared.getType());
        }
    }

    /**
     * Reads a UUID in its canonical form.
     *
     * @throws IllegalArgumentException if the text has another form
     */
    static UUID uuid(String text) {
        if (!CANONICAL_UUID.matcher(text).matches()) {
            throw new IllegalArgumentException("A UUID has 36 characters in its canonical form");
        }
        return UUID.fromString(text);
    }

    /**
     * Checks a request to an operation of the API, whose body can be read again; one to a page or to the framework
     * passes.
     *
     * @throws ProblemException if the operation refuses parameters, or a JSON body has another encoding
     */
    public void check(HttpServletRequest request, HandlerMethod method)
            throws IOException, HttpMediaTypeNotSupportedException {
        if (!(method.getBeanType().getPackageName() + ".").startsWith(CONTROLLERS)) {
            return;
        }
        Operation operation = operations.computeIfAbsent(method.getMethod(), RequestParameters::operation);
        if (operation.takesBody()) {
            checkEncoding(request.getContentType());
        }
        List<FieldError> unknown = new ArrayList<>();
        List<FieldError> invalid = new ArrayList<>();
        checkPath(request, operation.path(), invalid);
        request.getParameterMap().forEach((name, values) -> {
            QueryParameter declared = operation.query().get(name);
            if (declared == null) {
                unknown.add(unknown(name, operation.query().keySet()));
            } else {
                checkQuery(name, values, declared, invalid);
            }
        });
        if (!unknown.isEmpty()) {
            ProblemDetail problem = Problem.of(HttpStatus.BAD_REQUEST, "unknown-parameter", Problem.sentences(unknown));
            problem.setProperty("errors", unknown);
            throw new ProblemException(problem);
        }
        if (!invalid.isEmpty()) {
            throw new ProblemException(Problem.invalid(invalid));
        }
        if (operation.takesJson()) {
            UnreadableBody.checkEncoding(request.getInputStream().readAllBytes());
        }
    }

    /* The text of a CSV file shows its encoding. Its operation decides which it reads. */
    private static void checkEncoding(@Nullable String contentType) throws HttpMediaTypeNotSupportedException {
        if (contentType != null) {
            MediaType type = MediaType.parseMediaType(contentType);
            if (type.getSubtype().contains("json")
                    && type.getCharset() != null
                    && !StandardCharsets.UTF_8.equals(type.getCharset())) {
                throw new HttpMediaTypeNotSupportedException(
                        type, List.of(new MediaType(type.getType(), type.getSubtype())));
            }
        }
    }

    private static Operation operation(Method method) {
        Map<String, QueryParameter> query = new TreeMap<>();
        Map<String, Parameter> path = new TreeMap<>();
        boolean takesJson = false;
        for (Parameter parameter : method.getParameters()) {
            RequestParam declared = AnnotatedElementUtils.findMergedAnnotation(parameter, RequestParam.class);
            if (declared != null) {
                query.put(
                        declared.name().isEmpty() ? parameter.getName() : declared.name(),
                        new QueryParameter(parameter, declared.defaultValue().isEmpty()));
            } else if (parameter.isAnnotationPresent(PathVariable.class)) {
                path.put(parameter.getName(), parameter);
            }
            takesJson |= parameter.isAnnotationPresent(RequestBody.class);
        }
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        return new Operation(mapping != null && mapping.consumes().length > 0, takesJson, query, path);
    }

    private static FieldError unknown(String name, Set<String> declared) {
        return FieldError.ofParameter(
                name,
                declared.isEmpty()
                        ? "is unknown: this operation has no query parameters"
                        : "is unknown: this operation has " + String.join(", ", declared));
    }

    private static void checkPath(HttpServletRequest request, Map<String, Parameter> path, List<FieldError> invalid) {
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> sent) {
            path.forEach((name, declared) -> checkType(name, String.valueOf(sent.get(name)), declared, invalid));
        }
    }

    private static void checkQuery(String name, String[] values, QueryParameter declared, List<FieldError> invalid) {
        if (values.length > 1 && !declared.repeatable()) {
            invalid.add(FieldError.ofParameter(name, "occurs %s times but may occur once".formatted(values.length)));
            return;
        }
        for (String value : values) {
            if (!value.isEmpty()) {
                checkType(name, value, declared.declared(), invalid);
            } else if (!declared.mayBeEmpty()) {
                invalid.add(FieldError.ofParameter(name, "must not be empty"));
            }
        }
    }

    /* Checks the text itself: if a converter refuses, Spring falls back to its own lenient conversion. */
    private static void checkType(String name, String text, Parameter declared, List<FieldError> invalid) {
        WholeNumber number = WholeNumber.of(declared.getType(), declared);
        boolean isValid = number != null
                ? number.contains(text)
                : declared.getType() != UUID.class
                        || CANONICAL_UUID.matcher(text).matches();
        if (!isValid) {
            invalid.add(
                    FieldError.ofParameter(name, "must be " + UnreadableBody.expected(declared.getType(), declared)));
        }
    }
}
