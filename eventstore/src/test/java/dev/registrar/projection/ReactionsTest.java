package dev.registrar.projection;

import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** An automation reacts outside of a transaction, under a lease. */
class ReactionsTest extends ProjectionFixture {
    private static final Duration LEASE = Duration.ofMillis(500);
    private static final ProjectionOptions OPTIONS = quick(options -> options.lease = LEASE);

    private final Queue<Long> calls = new ConcurrentLinkedQueue<>();

    /** Notes the position of each event, and then does something that may take long. */
    private record Slow(Queue<Long> calls, Consumer<SequencedEvent> effect) implements Automation {
        @Override
        public String name() {
            return "slow";
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types(Tally.COUNTED));
        }

        @Override
        public void react(SequencedEvent event) {
            calls.add(event.position().value());
            effect.accept(event);
        }
    }

    private Slow slow(Consumer<SequencedEvent> effect) {
        return new Slow(calls, effect);
    }

    private JdbcClient jdbc() {
        return JdbcClient.create(database().dataSource());
    }

    private TestDatabase database() {
        return instances.database.database();
    }

    private Instant leaseEnd() {
        return jdbc().sql("select lease_until from registrar.projections where name = 'slow'")
                .query(OffsetDateTime.class)
                .single()
                .toInstant();
    }

    /*
     * The first reaction ends when its lease has been renewed to twice the time of a lease after its first end: it has
     * then lasted for two leases. The other instance looks at the checkpoint at least every half second. The second event
     * comes afterwards, so a second reaction to the first one would come before it.
     */
    @Test
    void a_reaction_of_twice_the_lease_is_called_once_and_holds_no_transaction() throws InterruptedException {
        Queue<Long> openTransactions = new ConcurrentLinkedQueue<>();
        Slow automation = slow(event -> {
            if (event.position().value() == 1) {
                Instant first = leaseEnd();
                await().until(() -> leaseEnd().isAfter(first.plus(LEASE.multipliedBy(2))));
                openTransactions.add(jdbc().sql("""
                        select count(*)
                        from pg_stat_activity
                        where datname = current_database()
                        and state = 'idle in transaction'
                        and xact_start < now() - interval '400 ms'""").query(Long.class).single());
            }
        });
        ProjectionRunner one = instances.start(OPTIONS, automation);
        instances.start(OPTIONS, automation);

        instances.count(1);
        Instances.awaitPosition(one, "slow", instances.count(1));

        assertThat(calls).containsExactly(1L, 2L);
        assertThat(openTransactions).containsExactly(0L);
    }

    /** The connections of an instance that loses its database for some attempts to connect. */
    private static final class Mortal extends DelegatingDataSource {
        private final AtomicInteger failures = new AtomicInteger();

        Mortal(TestDatabase database) {
            super(database.pool(5));
        }

        @Override
        public Connection getConnection() throws SQLException {
            if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new SQLException("lost", "08006");
            }
            return super.getConnection();
        }
    }

    /*
     * Instance one reacts to the first event and loses its database meanwhile, as if it were killed. Instance two takes
     * the event over after the lease has ended. The first reaction ends only then: it moves nothing.
     */
    @Test
    void the_event_of_a_lost_instance_is_repeated_once_by_another() throws InterruptedException {
        CountDownLatch reacting = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        Mortal connections = new Mortal(database());
        try (ProjectionRunner one = ProjectionRunner.builder(connections, instances.store, List.of(slow(event -> {
                    reacting.countDown();
                    awaitUninterruptibly(goesOn);
                })))
                .options(OPTIONS)
                .build()) {
            one.start();
            instances.count(1);
            reacting.await();
            connections.failures.set(Integer.MAX_VALUE);

            ProjectionRunner two = instances.start(OPTIONS, slow(event -> {}));
            Instances.awaitPosition(two, "slow", Position.of(1));
            assertThat(calls).containsExactly(1L, 1L);

            goesOn.countDown();
            connections.failures.set(0);
            Instances.awaitPosition(two, "slow", instances.count(2));
        }

        assertThat(calls).containsExactly(1L, 1L, 2L, 3L);
    }

    @Test
    void a_database_that_is_lost_for_a_moment_after_a_reaction_does_not_repeat_it() throws InterruptedException {
        Mortal connections = new Mortal(database());
        Slow automation =
                slow(event -> connections.failures.set(event.position().value() == 1 ? 2 : 0));
        try (ProjectionRunner runner = ProjectionRunner.builder(connections, instances.store, List.of(automation))
                .options(quick(options -> options.lease = Duration.ofMinutes(10)))
                .build()) {
            runner.start();

            Instances.awaitPosition(instances.notStarted(automation), "slow", instances.count(2));
        }

        assertThat(calls).containsExactly(1L, 2L);
    }

    /*
     * Each reaction fails after a time in which the other instance has looked at the checkpoint, and each instance
     * pauses before its next attempt, so that they take turns.
     */
    @Test
    void a_reaction_that_fails_slowly_in_two_instances_by_turns_stops_the_automation() {
        ProjectionOptions twoAttempts = quick(options -> {
            options.lease = LEASE;
            options.attempts = 2;
            options.retryAfter = Duration.ofSeconds(1);
        });
        Slow automation = slow(event -> {
            Instant first = leaseEnd();
            await().until(() -> leaseEnd().isAfter(first.plus(LEASE.multipliedBy(2))));
            throw new IllegalStateException("in vain");
        });
        ProjectionRunner one = instances.start(twoAttempts, automation);
        instances.start(twoAttempts, automation);

        instances.count(1);

        await().until(() -> one.administration().status("slow").isStopped());
        assertThat(calls.size()).isBetween(2, 4);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_failed_reaction_ends_its_lease_and_is_called_again_at_once() throws InterruptedException {
        AtomicBoolean failed = new AtomicBoolean();
        Slow automation = slow(event -> {
            if (failed.compareAndSet(false, true)) {
                throw new IllegalStateException("not yet");
            }
        });
        ProjectionRunner runner = instances.start(quick(options -> options.lease = Duration.ofMinutes(10)), automation);

        Instances.awaitPosition(runner, "slow", instances.count(1));

        assertThat(calls).containsExactly(1L, 1L);
        assertThat(jdbc().sql("select count(*) from registrar.projections where lease_until is not null")
                        .query(Long.class)
                        .single())
                .isZero();
    }

    /** Receives up to ten events together; it cannot read those at some positions, and handles few at a time. */
    private record Together(Queue<List<Long>> calls, int most, List<Long> unreadable, boolean isSlow)
            implements Automation {
        @Override
        public String name() {
            return "together";
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types(Tally.COUNTED));
        }

        @Override
        public Optional<String> unreadable(SequencedEvent event) {
            return unreadable.contains(event.position().value()) ? Optional.of("of a new release") : Optional.empty();
        }

        @Override
        public int batch() {
            return 10;
        }

        @Override
        public void react(SequencedEvent event) {
            react(List.of(event));
        }

        @Override
        public void react(List<SequencedEvent> events) {
            List<Long> positions =
                    events.stream().map(event -> event.position().value()).toList();
            calls.add(positions);
            if (isSlow && positions.size() > most) {
                throw new StoreTimeoutException("Too slow", null, FailureCategory.TIMEOUT);
            }
            if (positions.size() > most || positions.stream().anyMatch(unreadable::contains)) {
                throw new IllegalArgumentException("Cannot handle %s".formatted(positions));
            }
        }
    }

    private final Queue<List<Long>> batches = new ConcurrentLinkedQueue<>();

    @Test
    void an_automation_with_a_batch_receives_events_together() throws InterruptedException {
        ProjectionRunner runner = instances.start(OPTIONS, new Together(batches, 10, List.of(), false));

        Instances.awaitPosition(runner, "together", instances.countAtOnce(3));

        assertThat(batches).containsExactly(List.of(1L, 2L, 3L));
        assertThat(runner.administration().status("together").events()).isEqualTo(3);
    }

    @Test
    void the_events_of_a_batch_that_fails_are_passed_on_one_by_one() throws InterruptedException {
        ProjectionRunner runner = instances.start(OPTIONS, new Together(batches, 1, List.of(), false));

        Instances.awaitPosition(runner, "together", instances.countAtOnce(3));

        assertThat(batches).containsExactly(List.of(1L, 2L, 3L), List.of(1L), List.of(2L), List.of(3L));
    }

    @Test
    void a_batch_that_takes_too_long_is_made_smaller() throws InterruptedException {
        ProjectionRunner runner = instances.start(OPTIONS, new Together(batches, 2, List.of(), true));

        Instances.awaitPosition(runner, "together", instances.countAtOnce(4));

        assertThat(batches).containsExactly(List.of(1L, 2L, 3L, 4L), List.of(1L, 2L), List.of(3L, 4L));
    }

    @Test
    void an_unreadable_event_of_a_batch_is_skipped_and_the_others_are_handled() throws InterruptedException {
        ProjectionOptions impatient = quick(options -> options.skipUnreadableAfter = Duration.ZERO);
        ProjectionRunner runner = instances.start(impatient, new Together(batches, 10, List.of(2L), false));

        Instances.awaitPosition(runner, "together", instances.countAtOnce(4));

        assertThat(batches).containsExactly(List.of(1L, 2L, 3L, 4L), List.of(1L), List.of(2L, 3L, 4L), List.of(3L, 4L));
        assertThat(runner.administration().status("together").skipped()).isEqualTo(1);
    }
}
