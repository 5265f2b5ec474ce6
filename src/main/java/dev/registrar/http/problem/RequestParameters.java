package dev.registrar.http.problem;

import dev.registrar.http.problem.Problem.FieldError;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
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
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.AnnotatedElementUtils;
import org.springframework.http.MediaType;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * Takes parameters at their word. A query parameter that an operation does not know, or that is there twice, is
 * refused; so is text in another encoding than UTF-8. Numbers have ASCII digits and ids of imports the canonical form,
 * where Spring and the JDK are lenient.
 */
@Configuration(proxyBeanMethods = false)
class RequestParameters implements WebMvcConfigurer, HandlerInterceptor {
    /** The package of this service's controllers, with its sub-packages; the framework has controllers of its own. */
    private static final String CONTROLLERS = "dev.registrar.http.";

    private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,19}");
    private static final Pattern CANONICAL_UUID =
            Pattern.compile("[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}");

    private final Map<Method, Operation> operations = new ConcurrentHashMap<>();

    /** Whether an operation takes a body, and what it says of its parameters, by name. */
    private record Operation(boolean takesBody, Map<String, Known> query, Map<String, Class<?>> path) {}

    /** What an operation says of a query parameter. */
    private record Known(Class<?> type, boolean mayBeEmpty) {
        boolean repeatable() {
            return Collection.class.isAssignableFrom(type);
        }
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    /**
     * Reads a UUID in its canonical form.
     *
     * @throws IllegalArgumentException if it is something else
     */
    static UUID uuid(String text) {
        if (!CANONICAL_UUID.matcher(text).matches()) {
            throw new IllegalArgumentException("A UUID has 36 characters in its canonical form");
        }
        return UUID.fromString(text);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws HttpMediaTypeNotSupportedException {
        if (request.getDispatcherType() == DispatcherType.REQUEST
                && handler instanceof HandlerMethod method
                && (method.getBeanType().getPackageName() + ".").startsWith(CONTROLLERS)) {
            Operation operation = operations.computeIfAbsent(method.getMethod(), RequestParameters::operation);
            if (operation.takesBody()) {
                checkEncoding(request.getContentType());
            }
            List<FieldError> unknown = new ArrayList<>();
            List<FieldError> invalid = new ArrayList<>();
            checkPath(request, operation.path(), invalid);
            request.getParameterMap().forEach((name, values) -> {
                Known known = operation.query().get(name);
                if (known == null) {
                    unknown.add(unknown(name, operation.query().keySet()));
                } else {
                    checkQuery(name, values, known, invalid);
                }
            });
            if (!unknown.isEmpty() || !invalid.isEmpty()) {
                throw new RefusedParametersException(unknown, invalid);
            }
        }
        return true;
    }

    private static void checkEncoding(@Nullable String contentType) throws HttpMediaTypeNotSupportedException {
        if (contentType != null) {
            MediaType type = MediaType.parseMediaType(contentType);
            if (type.getCharset() != null && !StandardCharsets.UTF_8.equals(type.getCharset())) {
                throw new HttpMediaTypeNotSupportedException(
                        type, List.of(new MediaType(type.getType(), type.getSubtype())));
            }
        }
    }

    private static Operation operation(Method method) {
        Map<String, Known> query = new TreeMap<>();
        Map<String, Class<?>> path = new TreeMap<>();
        for (Parameter parameter : method.getParameters()) {
            RequestParam declared = AnnotatedElementUtils.findMergedAnnotation(parameter, RequestParam.class);
            if (declared != null) {
                query.put(
                        declared.name().isEmpty() ? parameter.getName() : declared.name(),
                        new Known(parameter.getType(), declared.defaultValue().isEmpty()));
            } else if (parameter.isAnnotationPresent(PathVariable.class)) {
                path.put(parameter.getName(), parameter.getType());
            }
        }
        RequestMapping mapping = AnnotatedElementUtils.findMergedAnnotation(method, RequestMapping.class);
        return new Operation(mapping != null && mapping.consumes().length > 0, query, path);
    }

    private static FieldError unknown(String name, Set<String> known) {
        return FieldError.ofParameter(
                name,
                known.isEmpty()
                        ? "is unknown: this operation has no query parameters"
                        : "is unknown: this operation has " + String.join(", ", known));
    }

    private static void checkPath(HttpServletRequest request, Map<String, Class<?>> path, List<FieldError> invalid) {
        if (request.getAttribute(HandlerMapping.URI_TEMPLATE_VARIABLES_ATTRIBUTE) instanceof Map<?, ?> sent) {
            path.forEach((name, type) -> checkType(name, String.valueOf(sent.get(name)), type, invalid));
        }
    }

    private static void checkQuery(String name, String[] values, Known known, List<FieldError> invalid) {
        if (values.length > 1 && !known.repeatable()) {
            invalid.add(FieldError.ofParameter(name, "may be there once but is %d times".formatted(values.length)));
            return;
        }
        for (String value : values) {
            if (!value.isEmpty()) {
                checkType(name, value, known.type(), invalid);
            } else if (!known.mayBeEmpty()) {
                invalid.add(FieldError.ofParameter(name, "must not be empty"));
            }
        }
    }

    /* Spring falls back to its own lenient conversion where a converter refuses, so that the text itself is checked. */
    private static void checkType(String name, String text, Class<?> type, List<FieldError> invalid) {
        boolean number = type == int.class || type == long.class;
        if ((number && !NUMBER.matcher(text).matches())
                || (type == UUID.class && !CANONICAL_UUID.matcher(text).matches())) {
            invalid.add(FieldError.ofParameter(name, "must be " + UnreadableBody.expected(type)));
        }
    }
}
