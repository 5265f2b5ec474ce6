package dev.registrar.http.admission;

import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.ProblemException;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The header {@code Idempotency-Key} of a write. */
public final class IdempotencyKeyHeader {
    /** Visible ASCII characters. */
    public static final String PATTERN = "[!-~]{1,255}";

    private static final Pattern KEY = Pattern.compile(PATTERN);

    private IdempotencyKeyHeader() {}

    /**
     * The request's idempotency key, bound to the caller and to the request's method, path, query and body; null if the
     * request has none.
     *
     * @throws ProblemException if the key is not 1 to 255 visible ASCII characters
     */
    public static @Nullable IdempotencyKey key(HttpServletRequest request) {
        String given = request.getHeader(Headers.IDEMPOTENCY_KEY);
        if (given == null) {
            return null;
        }
        if (!KEY.matcher(given).matches()) {
            throw ProblemException.malformedKey();
        }
        return IdempotencyKey.of(
                Client.storedKey(given),
                request.getMethod().getBytes(StandardCharsets.UTF_8),
                request.getRequestURI().getBytes(StandardCharsets.UTF_8),
                Objects.requireNonNullElse(request.getQueryString(), "").getBytes(StandardCharsets.UTF_8),
                BoundedBody.body(request));
    }
}
