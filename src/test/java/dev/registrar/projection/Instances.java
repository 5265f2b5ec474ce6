package dev.registrar.projection;

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
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.Notifications;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.source.MapConfigurationPropertySource;

/** Instances of a service that share a database, and nothing else. */
final class Instances implements AutoCloseable {
    final StoreDatabase database = new StoreDatabase();
    final PostgresEventStore store = database.newStore();
    private final List<AutoCloseable> open = new ArrayList<>();

    Instances() {
        start(store, Map.of());
    }

    /** The settings as they are when nobody sets any, but for some. */
    static ProjectionSettings settings(Map<String, ?> some) {
        return new Binder(new MapConfigurationPropertySource(some)).bindOrCreate("", ProjectionSettings.class);
    }

    /** An instance with a store of its own, running. */
    Projections start(Map<String, ?> settings, Follower... followers) {
        return start(database.newStore(), settings, followers);
    }

    Projections start(EventStore ownStore, Map<String, ?> settings, Follower... followers) {
        AppendSignals arrivals = AppendSignals.of(ownStore);
        Notifications notifications = new Notifications(database.database().dataSource(), arrivals, "registrar");
        Projections projections = new Projections(
                List.of(followers),
                ownStore,
                arrivals,
                database.database().pool(10),
                "registrar",
                settings(settings),
                InstantSource.system(),
                new SimpleMeterRegistry());
        notifications.start();
        projections.start();
        open.addAll(List.of(projections, notifications, arrivals));
        return projections;
    }

    /** Appends so many events that tallies count, each by itself, and tells where the last one is. */
    Position count(int events) {
        Position last = Position.START;
        for (int i = 0; i < events; i++) {
            last = append(store, event());
        }
        return last;
    }

    /** The same, all at once. */
    Position countAtOnce(int events) {
        return append(store, IntStream.range(0, events).mapToObj(i -> event()).toArray(Event[]::new));
    }

    static Event event() {
        return Event.of(Tally.COUNTED, List.of(new Tag("tally:1")), "{}");
    }

    static Position append(EventStore store, Event... events) {
        return ((Appended) store.append(Append.of(List.of(events)))).last();
    }

    /** The positions that a tally should have. */
    List<Long> counted() {
        try (Stream<Long> positions = store.read(Query.of(QueryItem.types(Tally.COUNTED))).stream()
                .map(event -> event.position().value())) {
            return positions.toList();
        }
    }

    void close(Projections instance) {
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
