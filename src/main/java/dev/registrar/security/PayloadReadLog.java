package dev.registrar.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Component;

/**
 * The security events of auditors who read payloads and tags, one line for each access, on a logger of its own. A line
 * has no personal data: no parameter, payload or tag, and in place of the subject its digest. The digest is the same
 * after a restart, so that an access can be attributed to an auditor whose subject is known.
 */
@Component
public final class PayloadReadLog {
    private static final Logger LOG = LoggerFactory.getLogger(PayloadReadLog.class);
    private static final int DIGEST_BYTES = 16;

    public PayloadReadLog() {}

    /**
     * Logs the current request if its caller is an auditor. The mode {@code local} has no auditors.
     *
     * @param place the mapping's pattern
     */
    public void reads(String method, String place) {
        Caller caller = Caller.current();
        if (caller.has(Role.AUDITOR) && !caller.isLocal()) {
            LOG.info(
                    "Payloads read: method={} place={} subject={}",
                    method,
                    place,
                    RefusalLog.digest("", caller, DIGEST_BYTES));
        }
    }
}
