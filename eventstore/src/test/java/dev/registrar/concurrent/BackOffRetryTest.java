package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which calls are repeated, and how often. */
class BackOffRetryTest {
    private static final BackOff SHORT = BackOff.doubling(Duration.ofNanos(1), Duration.ofMillis(1));
    private static final BackOff LONG = BackOff.doubling(Duration.ofHours(1), Duration.ofHours(1));

    private final AtomicInteger attempts = new AtomicInteger();

    private int failing(int times) throws IOException {
        if (attempts.getAndIncrement() < times) {
            throw new IOException("attempt " + attempts);
        }
        return attempts.get();
    }

    private <X extends Exception> int retry(int maxRetries, BackOff pauses, Deadline.Work<Integer, X> call) throws X {
        return pauses.retry(maxRetries, IOException.class::isInstance, call);
    }

    @Test
    void a_call_is_repeated_until_it_succeeds() throws IOException {
        assertThat(retry(3, SHORT, () -> failing(3))).isEqualTo(4);
    }

    @Test
    void the_last_failure_is_thrown_when_no_retry_is_left() {
        assertThatThrownBy(() -> retry(2, SHORT, () -> failing(9)))
                .isInstanceOf(IOException.class)
                .hasMessage("attempt 3");
        assertThatThrownBy(() -> retry(0, LONG, () -> failing(9))).hasMessage("attempt 4");
    }

    @Test
    void a_call_is_not_repeated_after_another_failure() {
        assertThatThrownBy(() -> retry(3, SHORT, () -> {
                    attempts.incrementAndGet();
                    throw new IllegalStateException("a bug");
                }))
                .hasMessage("a bug");
        assertThat(attempts).hasValue(1);
    }

    @Test
    void no_call_is_repeated_past_the_deadline() {
        assertThatThrownBy(() -> Deadline.within(Duration.ofMinutes(1), () -> retry(3, LONG, () -> failing(9))))
                .hasMessage("attempt 1");
    }

    @Test
    void no_call_is_repeated_for_an_interrupted_caller() {
        Thread.currentThread().interrupt();

        assertThatThrownBy(() -> retry(3, LONG, () -> failing(9))).hasMessage("attempt 1");

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void a_number_of_retries_out_of_bounds_is_refused() {
        assertThatThrownBy(() -> retry(-1, SHORT, () -> failing(0)))
                .hasMessage("maxRetries must be 0 to 100 but is -1");
        assertThatThrownBy(() -> retry(101, SHORT, () -> failing(0))).hasMessageContaining("101");
    }
}
