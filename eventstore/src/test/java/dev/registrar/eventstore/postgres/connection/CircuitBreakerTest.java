package dev.registrar.eventstore.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.metrics.MicrometerMetrics;
import dev.registrar.eventstore.postgres.connection.CircuitBreaker.State;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A circuit breaker for a server other than the event store's database. */
class CircuitBreakerTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final CircuitBreaker breaker = CircuitBreaker.of(
            "covers",
            new BreakerOptions(true, 50, 2, Duration.ofSeconds(10), Duration.ofMillis(10), 1),
            new MicrometerMetrics(registry));

    private String call(boolean fails) throws IOException {
        return breaker.call(
                () -> {
                    if (fails) {
                        throw new IOException("gone");
                    }
                    return "answer";
                },
                IOException.class::isInstance);
    }

    @Test
    void the_circuit_opens_after_outages_and_closes_after_a_successful_trial_call() throws IOException {
        assertThat(call(false)).isEqualTo("answer");
        assertThatThrownBy(() -> call(true)).hasMessage("gone");
        assertThat(breaker.state()).isEqualTo(State.OPEN);
        assertThat(registry.get("resilience4j.circuitbreaker.state")
                        .tag("name", "covers")
                        .gauges())
                .isNotEmpty();

        await().ignoreExceptionsInstanceOf(CircuitOpenException.class).until(() -> call(false), "answer"::equals);

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }

    @Test
    void an_open_circuit_makes_no_call() {
        CircuitBreaker longOpen = CircuitBreaker.of(
                "other",
                new BreakerOptions(true, 50, 1, Duration.ofSeconds(10), Duration.ofMinutes(10), 1),
                new MicrometerMetrics(registry));
        assertThatThrownBy(() -> longOpen.call(
                        () -> {
                            throw new IOException("gone");
                        },
                        failure -> true))
                .hasMessage("gone");

        assertThatThrownBy(() -> longOpen.call(
                        () -> {
                            throw new AssertionError("The server was called");
                        },
                        failure -> true))
                .isInstanceOf(CircuitOpenException.class)
                .hasMessage("Circuit breaker open; the server was not called");
    }

    @Test
    void a_failure_that_is_no_outage_counts_as_an_answer() {
        for (int i = 0; i < 5; i++) {
            assertThatThrownBy(() -> breaker.call(
                            () -> {
                                throw new IllegalArgumentException("not found");
                            },
                            IOException.class::isInstance))
                    .hasMessage("not found");
        }

        assertThat(breaker.state()).isEqualTo(State.CLOSED);
        assertThat(breaker.calls()).isEqualTo(5);
        assertThat(breaker.failedCalls()).isZero();
    }

    @Test
    void a_bug_leaves_no_trial_call_behind() throws IOException {
        for (int i = 0; i < 2; i++) {
            assertThatThrownBy(() -> call(true)).isInstanceOf(IOException.class);
        }
        await().until(() -> {
            try {
                breaker.call(
                        () -> {
                            throw new AssertionError("a bug");
                        },
                        failure -> true);
                return false;
            } catch (CircuitOpenException stillOpen) {
                return false;
            } catch (AssertionError bug) {
                return true;
            }
        });

        // The trial call was released, so another trial call may be made.
        assertThat(call(false)).isEqualTo("answer");
        assertThat(breaker.state()).isEqualTo(State.CLOSED);
    }
}
