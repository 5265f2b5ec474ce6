package dev.registrar.security;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.stereotype.Component;

/**
 * The security events of refused requests, one line for each, on a logger of its own. A line has no personal data: no
 * path, parameter or address, and in place of the subject a pseudonym that is new with each start.
 */
@Component
public final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final int PSEUDONYM_BYTES = 8;

    private final String secret = UUID.randomUUID().toString();

    public RefusalLog() {}

    /**
     * Logs a refusal of the current request.
     *
     * @param place the mapping's pattern, or the name of the area
     * @param reason a constant in kebab-case
     */
    public void refused(String method, String place, HttpStatus status, String reason) {
        LOG.warn(
                "Refused: method={} place={} status={} reason={} subject={}",
                method,
                place,
                status.value(),
                reason,
                pseudonym());
    }

    private String pseudonym() {
        if (SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known) {
            Caller caller = known.getPrincipal();
            return caller.isLocal() ? caller.subject() : digest(secret, caller, PSEUDONYM_BYTES);
        }
        return "-";
    }

    /** The first bytes of a digest of a caller, as a hexadecimal number. */
    static String digest(String secret, Caller caller, int bytes) {
        try {
            String text = secret + caller.issuer() + '\0' + caller.subject();
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, bytes);
        } catch (NoSuchAlgorithmException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
