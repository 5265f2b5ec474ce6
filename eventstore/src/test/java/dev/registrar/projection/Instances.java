package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Instances of a service that share only a database. */
final class Instances implements AutoCloseable {
    static final ProjectionOptions DEFAULTS = ProjectionOptions.defaults();
    static final ProjectionOptions QUICK = quick(options -> {});

    private static final StoreOptions FEW_CONNECTIONS =
            StoreDatabase.settings(Map.of("read-connections", 2, "resource-lock-connections", 1));

    final StoreDatabase database = new StoreDatabase();
    final PostgresEventStore store = newStore();
    private final List<AutoCloseable> open = new ArrayList<>();

    /** Options that poll and retry often, with further changes. */
    static ProjectionOptions quick(Consumer<ProjectionOptions.Builder> changes) {
        return ProjectionOptions.with(options -> {
            options.retryAfter = Duration.ofMillis(1);
            options.longestPoll = Duration.ofMillis(200);
            changes.accept(options);
        });
    }

    Instances() {
        start(store, DEFAULTS);
    }

    /** A started instance with a store of its own. */
    ProjectionRunner start(ProjectionOptions options, Follower... followers) {
        return start(newStore(), options, followers);
    }

    private PostgresEventStore newStore() {
        return database.newStore(InstantSource.system(), FEW_CONNECTIONS);
    }

    ProjectionRunner start(EventStore ownStore, ProjectionOptions options, Follower... followers) {
        ProjectionRunner runner = ProjectionRunner.builder(database.database().pool(10), ownStore, List.of(followers))
                .options(options)
                .build();
        open.add(runner);
        runner.start();
        return runner;
    }

    /** An instance without threads, whose batches the test processes. */
    ProjectionRunner notStarted(Follower... followers) {
        ProjectionRunner runner = ProjectionRunner.open(database.database().dataSource(), store, List.of(followers));
        open.add(runner);
        return runner;
    }

    static void awaitPosition(ProjectionRunner runner, String name, Position position) throws InterruptedException {
        assertThat(runner.views().waitFor(name, position, AwaitilityTimeouts.MAX_WAIT))
                .isTrue();
    }

    static List<Long> positions(ProjectionRunner runner, Tally tally) {
        return runner.views().read(tally, Position.START, Tally::positions).found();
    }

    /** Appends events that tallies count, one at a time; returns the last position. */
    Position count(int events) {
        Position last = Position.START;
        for (int i = 0; i < events; i++) {
            last = append(store, event());
        }
        return last;
    }

    /** Appends events that tallies count in one append; returns the last position. */
    Position countAtOnce(int events) {
        return append(store, IntStream.range(0, events).mapToObj(i -> event()).toArray(Event[]::new));
    }

    static Event event() {
        return Event.of(Tally.COUNTED, List.of(new Tag("tally:1")), "{}");
    }

    static Position append(EventStore store, Event... events) {
        return ((Appended) store.append(Append.of(List.of(events)))).last();
    }

    /** The positions that a tally must have. */
    List<Long> counted() {
        try (Stream<Long> positions = store.read(Query.of(QueryItem.types(Tally.COUNTED))).stream()
                .map(event -> event.position().value())) {
            return positions.toList();
        }
    }

    void close(ProjectionRunner instance) {
        open.remove(instance);
        instance.close();
    }

    @Override
    public void close() {
        for (AutoCloseable each : open) {
            try {
                each.close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
        store.close();
        database.close();
    }
}
