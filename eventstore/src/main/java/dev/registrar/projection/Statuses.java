package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.projection.Checkpoints.Known;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Computes the statuses of views, automations and relays from their checkpoints and the store. */
final class Statuses {
    private final Followers followers;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final DeadLetters deadLetters;
    private final InstantSource clock;

    Statuses(
            Followers followers,
            EventStore store,
            Checkpoints checkpoints,
            DeadLetters deadLetters,
            InstantSource clock) {
        this.followers = followers;
        this.store = store;
        this.checkpoints = checkpoints;
        this.deadLetters = deadLetters;
        this.clock = clock;
    }

    /** The statuses of all followers, in their given order. */
    List<ProjectionStatus> all() {
        return of(checkpoints.known());
    }

    /** The statuses of all followers, in their given order, from all checkpoints as they were just now. */
    List<ProjectionStatus> of(Known known) {
        Head head = store.head();
        Map<String, Long> letters = deadLetters.counts();
        return followers.all().stream()
                .flatMap(follower -> known.of(follower, Generation.LIVE).stream()
                        .map(live -> status(follower, live, known.of(follower, Generation.NEXT), head, letters)))
                .toList();
    }

    private ProjectionStatus status(
            Follower follower, Checkpoint live, Optional<Checkpoint> next, Head head, Map<String, Long> letters) {
        Position reached = live.position();
        Optional<SequencedEvent> waiting;
        try {
            waiting = live.reached().equals(head)
                    ? Optional.empty()
                    : first(store.read(
                            follower.query(),
                            ReadOptions.forwards().after(live.reached()).limit(1)));
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
                kind(follower),
                live.state().text(),
                live.version(),
                live.position(),
                head.position(),
                waiting.isPresent() ? behind : 0,
                lag,
                live.events(),
                live.skipped(),
                live.skipped() == 0 ? List.of() : deadLetters.lastSkips(live.name(), ProjectionStatus.MOST_SKIPS),
                letters.getOrDefault(live.name(), 0L),
                live.movedAt(),
                live.failure(),
                next.map(rebuilding -> rebuild(rebuilding, head)));
    }

    private static String kind(Follower follower) {
        return switch (follower) {
            case View view -> "view";
            case Automation automation -> "automation";
            case Relay relay -> "relay";
        };
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
