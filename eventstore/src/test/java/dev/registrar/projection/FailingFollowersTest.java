package dev.registrar.projection;

import static dev.registrar.projection.Instances.DEFAULTS;
import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Events that a follower cannot read or handle. */
class FailingFollowersTest extends ProjectionFixture {
    @Test
    void a_manual_batch_throws_the_failure_of_an_event() {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            throw new IllegalArgumentException("no");
        });
        ProjectionRunner runner = instances.notStarted(poisoned);
        instances.count(1);

        assertThatThrownBy(() -> runner.processNext("poisoned"))
                .isInstanceOf(UnhandledEventException.class)
                .hasMessageContaining("the event at 1");
        assertThat(runner.administration().status("poisoned").state()).isEqualTo("running");
    }

    @Test
    void an_event_that_cannot_be_handled_stops_its_view_and_no_other() throws InterruptedException {
        AtomicBoolean repaired = new AtomicBoolean();
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5 && !repaired.get()) {
                throw new IllegalArgumentException("five");
            }
        });
        Tally healthy = new Tally("healthy");
        ProjectionRunner runner = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);

        await().until(() -> runner.administration().status("poisoned").state().equals("stopped"));
        awaitPosition(runner, "healthy", last);

        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L);
        assertThat(runner.administration().status("poisoned").failure())
                .extracting(String::valueOf)
                .asString()
                .contains("five")
                .contains("position=5");
        assertThat(runner.administration().status("poisoned").lagEvents()).isEqualTo(6);
        assertThat(runner.administration().status("poisoned").isStopped()).isTrue();
        assertThat(runner.administration().status("healthy").isStopped()).isFalse();

        repaired.set(true);
        runner.administration().resume("poisoned");

        awaitPosition(runner, "poisoned", last);
        assertThat(positions(runner, poisoned)).isEqualTo(instances.counted());
        assertThat(runner.administration().status("poisoned").failure()).isNull();
        assertThat(runner.administration().status("poisoned").isStopped()).isFalse();
    }

    @Test
    void an_event_is_retried_before_it_stops_a_view() throws InterruptedException {
        AtomicInteger tries = new AtomicInteger();
        Tally flaky = new Tally("flaky", 1, event -> {
            if (event.position().value() == 2 && tries.incrementAndGet() < 4) {
                throw new IllegalArgumentException("not yet");
            }
        });
        ProjectionRunner runner = instances.start(QUICK, flaky);

        awaitPosition(runner, "flaky", instances.countAtOnce(3));

        assertThat(tries).hasValue(4);
        assertThat(positions(runner, flaky)).isEqualTo(instances.counted());
    }

    @Test
    void an_event_that_cannot_be_handled_is_skipped_if_so_configured() throws InterruptedException {
        Tally poisoned = new Tally("poisoned", 1, event -> {
            if (event.position().value() == 5) {
                throw new IllegalArgumentException("five");
            }
        });
        ProjectionRunner runner =
                instances.start(DEFAULTS.withRetries(2, Duration.ofMillis(1), OnFailure.SKIP), poisoned);

        awaitPosition(runner, "poisoned", instances.countAtOnce(7));

        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 3L, 4L, 6L, 7L);
        assertThat(runner.administration().status("poisoned").skipped()).isEqualTo(1);
        assertThat(skips()).containsExactly("poisoned 5 java.lang.IllegalArgumentException: five");
    }

    private List<String> skips() {
        return JdbcClient.create(instances.database.database().dataSource())
                .sql("select name || ' ' || position || ' ' || error from registrar.projection_skips")
                .query((row, number) -> row.getString(1))
                .list();
    }

    /** A tally that cannot read the events at some positions. */
    private record Choosy(Tally tally, List<Long> unreadable) implements View {
        @Override
        public String name() {
            return tally.name();
        }

        @Override
        public int version() {
            return tally.version();
        }

        @Override
        public Query query() {
            return tally.query();
        }

        @Override
        public void create(Tables tables) {
            tally.create(tables);
        }

        @Override
        public Optional<String> unreadable(SequencedEvent event) {
            return unreadable.contains(event.position().value()) ? Optional.of("not \0 read") : Optional.empty();
        }

        @Override
        public void apply(List<SequencedEvent> events, Tables tables) {
            tally.apply(events, tables);
            events.forEach(event -> unreadable(event).ifPresent(reason -> {
                throw new IllegalArgumentException(reason);
            }));
        }
    }

    /* The view writes before it fails: the rows of the first attempt must be rolled back. */
    @ParameterizedTest
    @ValueSource(ints = {1, 4})
    void unreadable_events_are_skipped_and_stop_no_follower(int batch) throws InterruptedException {
        Choosy view = new Choosy(new Tally("choosy"), List.of(1L, 4L, 5L, 10L));
        // No event is retried within this test.
        ProjectionRunner runner =
                instances.start(DEFAULTS.withBatch(batch).withRetries(5, Duration.ofMinutes(1), OnFailure.STOP), view);

        awaitPosition(runner, "choosy", instances.countAtOnce(10));
        runner.administration().rebuild("choosy");
        await().until(() -> runner.administration().status("choosy").rebuild().isEmpty());

        ProjectionStatus status = runner.administration().status("choosy");
        assertThat(runner.views().read(view, Position.START, Tally::positions).found())
                .containsExactly(2L, 3L, 6L, 7L, 8L, 9L);
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.events()).isEqualTo(6);
        assertThat(status.skipped()).isEqualTo(4);
        assertThat(status.skips())
                .extracting(skip -> skip.position().value(), Skip::by, Skip::reason)
                .containsExactly(
                        tuple(10L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(5L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(4L, Skip.By.UNREADABLE, "not \uFFFD read"),
                        tuple(1L, Skip.By.UNREADABLE, "not \uFFFD read"));
    }
}
