package dev.registrar.security;

import java.nio.charset.StandardCharsets;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
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
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;
    private static final int PSEUDONYM_BYTES = 8;

    private final SecretKeySpec key;

    public RefusalLog() {
        byte[] random = new byte[KEY_BYTES];
        new SecureRandom().nextBytes(random);
        this.key = new SecretKeySpec(random, ALGORITHM);
    }

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
        return SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known
                ? pseudonym(known.getPrincipal())
                : "-";
    }

    private String pseudonym(Caller caller) {
        if (caller.isLocal()) {
            return caller.subject();
        }
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(caller.issuer().getBytes(StandardCharsets.UTF_8));
            mac.update((byte) 0);
            byte[] digest = mac.doFinal(caller.subject().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, PSEUDONYM_BYTES);
        } catch (NoSuchAlgorithmException | InvalidKeyException missing) {
            throw new IllegalStateException(missing);
        }
    }
}
