package dev.registrar.http.admission;

import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.springframework.security.core.context.SecurityContextHolder;

/** The client to whom requests, streams and idempotency keys are attributed. */
public final class Client {
    private Client() {}

    /** The caller; the remote address if the service does not know its callers. */
    public static String of(HttpServletRequest request) {
        return caller().map(known -> known.issuer() + " " + known.subject()).orElseGet(request::getRemoteAddr);
    }

    /**
     * The key under which the store keeps a caller's idempotency key: a digest of both, so that a caller neither uses
     * nor notices the keys of others. In the mode {@code local} it is the given key.
     */
    static String storedKey(String given) {
        return caller().map(known -> "caller " + digest(known.issuer(), known.subject(), given))
                .orElse(given);
    }

    private static Optional<Caller> caller() {
        return SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                ? Optional.of(known.getPrincipal()).filter(caller -> !caller.isLocal())
                : Optional.empty();
    }

    private static String digest(String... parts) {
        byte[][] bytes = Arrays.stream(parts)
                .map(part -> part.getBytes(StandardCharsets.UTF_8))
                .toArray(byte[][]::new);
        return IdempotencyKey.of("digest", bytes).fingerprint();
    }
}
