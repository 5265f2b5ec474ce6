package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

@ExtendWith(OutputCaptureExtension.class)
class IdempotencyKeyExpiryTest {
    private static final Duration MOMENT = Duration.ofMillis(1);
    private static final Duration NEVER = Duration.ofDays(1);

    @Test
    void a_run_deletes_batches_until_one_is_not_full() throws InterruptedException {
        BlockingQueue<Integer> asked = new LinkedBlockingQueue<>();
        AtomicInteger left = new AtomicInteger(2 * IdempotencyKeyExpiry.BATCH + 1);
        IntUnaryOperator forget = most -> {
            int forgotten = Math.min(most, left.get());
            left.addAndGet(-forgotten);
            asked.add(most);
            return forgotten;
        };

        try (IdempotencyKeyExpiry expiry = new IdempotencyKeyExpiry(forget, MOMENT, NEVER)) {
            expiry.start();
            for (int batch = 0; batch < 3; batch++) {
                assertThat(asked.poll(1, TimeUnit.MINUTES)).isEqualTo(IdempotencyKeyExpiry.BATCH);
            }
        }
        assertThat(left).hasValue(0);
        assertThat(asked).isEmpty();
    }

    @Test
    void a_failed_run_is_logged_and_the_next_one_starts(CapturedOutput output) throws InterruptedException {
        CountDownLatch rounds = new CountDownLatch(3);
        IntUnaryOperator forget = most -> {
            rounds.countDown();
            throw new IllegalStateException("no database");
        };

        try (IdempotencyKeyExpiry expiry = new IdempotencyKeyExpiry(forget, MOMENT, MOMENT)) {
            expiry.start();
            assertThat(rounds.await(1, TimeUnit.MINUTES)).isTrue();
        }
        assertThat(output)
                .contains("Expired idempotency keys could not be removed")
                .contains("no database");
    }

    @Test
    void closing_ends_a_run_after_its_batch() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        IntUnaryOperator forget = most -> {
            begun.countDown();
            return most;
        };
        IdempotencyKeyExpiry expiry = new IdempotencyKeyExpiry(forget, MOMENT, MOMENT);
        expiry.start();
        assertThat(begun.await(1, TimeUnit.MINUTES)).isTrue();

        expiry.close();

        assertThat(expiry.isRunning()).isFalse();
    }

    @Test
    void an_expiry_that_was_never_started_is_closed_at_once() {
        IdempotencyKeyExpiry expiry = new IdempotencyKeyExpiry(most -> 0);

        expiry.close();

        assertThat(expiry.isRunning()).isFalse();
    }
}
