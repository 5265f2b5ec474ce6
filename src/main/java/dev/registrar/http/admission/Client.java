package dev.registrar.http.admission;

import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
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
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            for (String part : parts) {
                byte[] bytes = part.getBytes(StandardCharsets.UTF_8);
                digest.update(
                        ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
                digest.update(bytes);
            }
            return Base64.getUrlEncoder().withoutPadding().encodeToString(digest.digest());
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
