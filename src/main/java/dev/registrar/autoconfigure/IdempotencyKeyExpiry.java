package dev.registrar.autoconfigure;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.Scheduled;

/** Forgets idempotency keys whose retention has passed, from time to time and in small batches. */
class IdempotencyKeyExpiry {
    private static final int BATCH = 1_000;

    private final PostgresEventStore store;

    IdempotencyKeyExpiry(PostgresEventStore store) {
        this.store = store;
    }

    @Scheduled(initialDelay = 1, fixedDelay = 10, timeUnit = TimeUnit.MINUTES)
    void forgetExpiredKeys() {
        int forgotten;
        do {
            forgotten = store.forgetExpiredKeys(BATCH);
        } while (forgotten == BATCH && !Thread.currentThread().isInterrupted());
    }
}
