package dev.registrar.http.admission;

import dev.registrar.http.problem.ProblemException;
import dev.registrar.security.FormBodies;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Enumeration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;
import org.springframework.util.LinkedMultiValueMap;
import org.springframework.util.MultiValueMap;
import org.springframework.util.StringUtils;

/** Reads a form of at most {@value #MAX_BYTES} bytes and {@value #MAX_FIELDS} fields before the request's deadline. */
@Component
final class FormReader implements FormBodies {
    static final int MAX_BYTES = 64 * 1024;
    private static final int MAX_FIELDS = 1_000;

    /** A form is read before the rights of its sender are checked, and may be slow. */
    private static final int MAX_OF_UNKNOWN_SENDERS = 100;

    private final EarlyRefusals refusals;
    private final Semaphore unknownSenders = new Semaphore(MAX_OF_UNKNOWN_SENDERS);

    FormReader(EarlyRefusals refusals) {
        this.refusals = refusals;
    }

    @Override
    public Optional<HttpServletRequest> read(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        if (isOfKnownSender()) {
            return readForm(request, response);
        }
        if (!unknownSenders.tryAcquire()) {
            response.setHeader(HttpHeaders.RETRY_AFTER, "1");
            refusals.refuse(
                    request,
                    response,
                    HttpStatus.SERVICE_UNAVAILABLE,
                    "Too many forms are being sent right now. Nothing was changed: try again in a moment.");
            return Optional.empty();
        }
        try {
            return readForm(request, response);
        } finally {
            unknownSenders.release();
        }
    }

    /* Another tab may end the session while the context reads it; then the sender is not known any more. */
    private static boolean isOfKnownSender() {
        try {
            return SecurityContextHolder.getContext().getAuthentication() != null;
        } catch (IllegalStateException ended) {
            return false;
        }
    }

    private Optional<HttpServletRequest> readForm(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try {
            String body = new String(BoundedBody.read(request, MAX_BYTES), StandardCharsets.UTF_8);
            return Optional.of(new FormRequest(request, parameters(request, body)));
        } catch (ProblemException refused) {
            refusals.refuse(request, response, refused);
        } catch (IllegalArgumentException malformed) {
            refusals.refuse(
                    request,
                    response,
                    HttpStatus.BAD_REQUEST,
                    "The form is malformed, or has more than %s fields.".formatted(MAX_FIELDS));
        }
        return Optional.empty();
    }

    /* The parameters of the query, followed by those of the body. */
    private static Map<String, String[]> parameters(HttpServletRequest request, String body) {
        MultiValueMap<String, String> all = new LinkedMultiValueMap<>();
        request.getParameterMap().forEach((name, values) -> all.addAll(name, List.of(values)));
        String[] pairs = StringUtils.tokenizeToStringArray(body, "&", false, true);
        if (pairs.length > MAX_FIELDS) {
            throw new IllegalArgumentException("More than %s fields".formatted(MAX_FIELDS));
        }
        for (String pair : pairs) {
            int equals = pair.indexOf('=');
            all.add(
                    decoded(equals < 0 ? pair : pair.substring(0, equals)),
                    equals < 0 ? "" : decoded(pair.substring(equals + 1)));
        }
        Map<String, String[]> parameters = new LinkedHashMap<>();
        all.forEach((name, values) -> parameters.put(name, values.toArray(String[]::new)));
        return Collections.unmodifiableMap(parameters);
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    private static final class FormRequest extends HttpServletRequestWrapper {
        private final Map<String, String[]> parameters;

        FormRequest(HttpServletRequest request, Map<String, String[]> parameters) {
            super(request);
            this.parameters = parameters;
        }

        @Override
        public @Nullable String getParameter(String name) {
            String[] values = parameters.get(name);
            return values == null ? null : values[0];
        }

        @Override
        public String @Nullable [] getParameterValues(String name) {
            String[] values = parameters.get(name);
            return values == null ? null : values.clone();
        }

        @Override
        public Map<String, String[]> getParameterMap() {
            return parameters;
        }

        @Override
        public Enumeration<String> getParameterNames() {
            return Collections.enumeration(parameters.keySet());
        }
    }
}
