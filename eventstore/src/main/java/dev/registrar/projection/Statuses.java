package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Computes the statuses of views and automations from their checkpoints and the store. */
final class Statuses {
    private final Followers followers;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final JdbcClient jdbc;
    private final InstantSource clock;

    Statuses(Followers followers, EventStore store, Checkpoints checkpoints, JdbcClient jdbc, InstantSource clock) {
        this.followers = followers;
        this.store = store;
        this.checkpoints = checkpoints;
        this.jdbc = jdbc;
        this.clock = clock;
    }

    /** The statuses of all followers, in their given order. */
    List<ProjectionStatus> all() {
        return of(checkpoints.all(jdbc));
    }

    /** The statuses of all followers, in their given order, from all checkpoints as they were just now. */
    List<ProjectionStatus> of(List<Checkpoint> all) {
        Map<String, Map<Generation, Checkpoint>> known = new HashMap<>();
        for (Checkpoint checkpoint : all) {
            known.computeIfAbsent(checkpoint.name(), name -> new EnumMap<>(Generation.class))
                    .put(checkpoint.generation(), checkpoint);
        }
        Head head = store.head();
        List<ProjectionStatus> statuses = new ArrayList<>();
        for (Follower follower : followers.all()) {
            Map<Generation, Checkpoint> generations = known.getOrDefault(follower.name(), Map.of());
            Checkpoint live = generations.get(Generation.LIVE);
            if (live != null) {
                statuses.add(status(follower, live, generations.get(Generation.NEXT), head));
            }
        }
        return statuses;
    }

    private ProjectionStatus status(Follower follower, Checkpoint live, @Nullable Checkpoint next, Head head) {
        Position reached = live.position();
        Optional<SequencedEvent> waiting;
        try {
            waiting = live.reached().equals(head) ? Optional.empty() : first(live.readOn(store, follower.query(), 1));
        } catch (StoreReplacedException lost) {
            // The follower will restart at the first event.
            reached = Position.START;
            waiting = first(store.read(follower.query(), ReadOptions.forwards().limit(1)));
        }
        long behind = head.position().value() - reached.value();
        Duration lag = waiting.map(event -> Duration.between(event.recordedAt(), clock.instant()))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
        return new ProjectionStatus(
                live.name(),
                follower instanceof View ? "view" : "automation",
                live.state().text(),
                live.version(),
                live.position(),
                head.position(),
                waiting.isPresent() ? behind : 0,
                lag,
                live.events(),
                live.skipped(),
                live.skipped() == 0 ? List.of() : checkpoints.skips(jdbc, live, ProjectionStatus.MOST_SKIPS),
                live.movedAt(),
                live.failure(),
                Optional.ofNullable(next).map(rebuilding -> rebuild(rebuilding, head)));
    }

    private static Optional<SequencedEvent> first(EventStream events) {
        try (events) {
            return events.hasNext() ? Optional.of(events.next()) : Optional.empty();
        }
    }

    private ProjectionStatus.Rebuild rebuild(Checkpoint next, Head head) {
        double seconds = Duration.between(next.startedAt(), next.movedAt()).toMillis() / 1e3;
        return new ProjectionStatus.Rebuild(
                next.version(),
                next.state().text(),
                next.position(),
                next.events(),
                seconds > 0 ? next.events() / seconds : 0,
                Math.max(0, head.position().value() - next.position().value()),
                next.startedAt(),
                next.failure());
    }
}
