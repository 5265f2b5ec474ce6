package dev.registrar.security.tokens;

import com.nimbusds.jose.RemoteKeySourceException;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.JWKSelector;
import com.nimbusds.jose.jwk.JWKSet;
import com.nimbusds.jose.jwk.source.JWKSource;
import com.nimbusds.jose.proc.SecurityContext;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An issuer's public keys: fetched when a token needs them, and kept for a bounded time while the issuer is down. */
final class IssuerKeys implements JWKSource<SecurityContext> {
    /*
     * One thread at a time fetches. The others use the existing keys. They wait only if there are no usable keys, or if
     * their token names a key that is missing. After an attempt, no other is made for a pause: neither a client that sends
     * tokens of invented keys nor an issuer that is down costs more than one attempt in that time.
     *
     * A token whose key is missing is invalid (401) only if the issuer has just said which keys it has. After a failed attempt
     * the token may be valid, and the service cannot tell (503).
     */
    private static final Logger LOG = LoggerFactory.getLogger(IssuerKeys.class);
    private static final Known NOTHING = new Known(null, 0, 0, null);

    private final String issuer;
    private final Reader reader;
    private final TokenSettings settings;
    private final LongSupplier nanoTime;
    private final ReentrantLock fetching = new ReentrantLock();
    private volatile Known known = NOTHING;

    /** Fetches the present key set of the issuer. */
    @FunctionalInterface
    interface Reader {
        /** @throws IOException if the issuer does not answer, or not with its key set */
        JWKSet read() throws IOException;
    }

    /**
     * The result of the attempts so far.
     *
     * @param keys null before the first successful attempt
     * @param fetched when the keys were fetched
     * @param attempted when the last attempt ended
     * @param failure of the last attempt; null if it succeeded
     */
    private record Known(
            @Nullable JWKSet keys,
            long fetched,
            long attempted,
            @Nullable IOException failure) {

        boolean isAttempt() {
            return keys != null || failure != null;
        }

        List<JWK> select(JWKSelector selector) {
            return keys == null ? List.of() : selector.select(keys);
        }
    }

    /** @param nanoTime as {@link System#nanoTime} */
    IssuerKeys(String issuer, Reader reader, TokenSettings settings, LongSupplier nanoTime) {
        this.issuer = issuer;
        this.reader = reader;
        this.settings = settings;
        this.nanoTime = nanoTime;
    }

    /** @throws RemoteKeySourceException if the issuer does not answer, and the keys in memory do not suffice */
    @Override
    public List<JWK> get(JWKSelector selector, @Nullable SecurityContext context) throws RemoteKeySourceException {
        List<JWK> found = usable().select(selector);
        if (!found.isEmpty()) {
            return found;
        }
        fetch(true);
        Known latest = known;
        found = latest.select(selector);
        if (found.isEmpty() && latest.failure() != null) {
            throw new RemoteKeySourceException("The issuer's keys cannot be fetched", latest.failure());
        }
        return found;
    }

    private Known usable() throws RemoteKeySourceException {
        if (!areYoungerThan(settings.keyRefresh())) {
            fetch(!areYoungerThan(settings.keyRetention()));
        }
        Known latest = known;
        if (!areYoungerThan(settings.keyRetention())) {
            throw new RemoteKeySourceException("The issuer's keys cannot be fetched", latest.failure());
        }
        return latest;
    }

    private boolean areYoungerThan(Duration age) {
        Known latest = known;
        return latest.keys() != null && nanoTime.getAsLong() - latest.fetched() < age.toNanos();
    }

    /** @param wait whether to wait while another thread fetches */
    private void fetch(boolean wait) {
        if (!isDue()) {
            return;
        }
        if (wait) {
            fetching.lock();
        } else if (!fetching.tryLock()) {
            return;
        }
        try {
            // Another thread may have fetched them in the meantime.
            if (isDue()) {
                known = fetched(known);
            }
        } finally {
            fetching.unlock();
        }
    }

    private boolean isDue() {
        Known latest = known;
        return !latest.isAttempt()
                || nanoTime.getAsLong() - latest.attempted()
                        >= settings.keyPause().toNanos();
    }

    private Known fetched(Known before) {
        try {
            JWKSet keys = reader.read();
            if (before.failure() != null) {
                LOG.info("The keys of the issuer {} were fetched again", issuer);
            }
            long now = nanoTime.getAsLong();
            return new Known(keys, now, now, null);
        } catch (IOException failure) {
            LOG.warn("The keys of the issuer {} cannot be fetched: {}", issuer, failure.getMessage());
            return new Known(before.keys(), before.fetched(), nanoTime.getAsLong(), failure);
        }
    }
}
