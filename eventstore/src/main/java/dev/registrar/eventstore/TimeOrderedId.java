package dev.registrar.eventstore;

import java.security.SecureRandom;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;

/** Ids that sort by their creation time: UUIDs of version 7 (RFC 9562, section 5.7). */
public final class TimeOrderedId {
    private static final int COUNTER_BITS = 12;
    private static final long VERSION_7 = 0x7000L;
    private static final long VARIANT = 0x8000_0000_0000_0000L;

    /** Milliseconds since 1970 and, in the lowest 12 bits, a counter within the millisecond. */
    private static final AtomicLong LAST = new AtomicLong();
    /** Separates the random bits of this process from those of a process with the same seed. */
    private static final long PROCESS = new SecureRandom().nextLong();

    private TimeOrderedId() {}

    /**
     * A new id, higher than every earlier id of this process. Above 4,096 ids per millisecond, the time in the ids runs
     * ahead of the clock. An id has 62 random bits, but they are predictable: do not use an id as a secret.
     */
    public static UUID next() {
        long now = System.currentTimeMillis() << COUNTER_BITS;
        long time = LAST.updateAndGet(last -> Math.max(last + 1, now));
        long high = (time >>> COUNTER_BITS << 16) | VERSION_7 | (time & 0xFFF);
        long low = ((ThreadLocalRandom.current().nextLong() ^ PROCESS) >>> 2) | VARIANT;
        return new UUID(high, low);
    }
}
