package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.DeadLetters.Letter;
import dev.registrar.projection.ProjectionStatus.Failure;
import dev.registrar.projection.Skip.By;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Records the events that a follower could not handle: as the reason why it stopped, or as skipped. */
final class FailedEvents {
    private final Transactions transactions;
    private final BatchProcessor processor;
    private final Checkpoints checkpoints;
    private final DeadLetters deadLetters;
    private final InstantSource clock;

    FailedEvents(
            Transactions transactions,
            BatchProcessor processor,
            Checkpoints checkpoints,
            DeadLetters deadLetters,
            InstantSource clock) {
        this.transactions = transactions;
        this.processor = processor;
        this.checkpoints = checkpoints;
        this.deadLetters = deadLetters;
        this.clock = clock;
    }

    /**
     * Stores the failure of an event in the checkpoint, with the resulting state; false as {@link Checkpoints#fail}.
     */
    boolean record(UnhandledEventException failure, State state) {
        return transactions.run(transaction -> checkpoints.fail(
                transaction,
                failure.checkpoint(),
                state,
                failure.text(),
                failure.events().getFirst().position()));
    }

    /** Stores a failure that concerns no certain event in the checkpoint of a generation, with the resulting state. */
    boolean record(Follower follower, Generation generation, Throwable failure, State state) {
        return transactions.run(transaction -> checkpoints
                .lock(transaction, follower.name(), generation)
                .filter(own -> !BatchProcessor.isOfOtherCode(own, follower))
                .filter(own -> checkpoints.fail(transaction, own, state, Printable.text(failure), null))
                .isPresent());
    }

    /** Skips the one event that could not be handled; false if the checkpoint is not at it any more, or leased. */
    boolean skip(UnhandledEventException failure) {
        return transactions.run(transaction -> {
            Checkpoint from = failure.checkpoint();
            SequencedEvent event = failure.events().getFirst();
            Optional<Checkpoint> now = checkpoints.lock(transaction, from.name(), from.generation());
            boolean isAtEvent = now.isPresent()
                    && now.get().state() == State.RUNNING
                    && !now.get().isLeased()
                    && now.get().position().equals(from.position())
                    && now.get().incarnation().equals(from.incarnation());
            if (isAtEvent) {
                skip(transaction, from, event, By.SETTING, failure.text());
            }
            return isAtEvent;
        });
    }

    /**
     * Skips the event that one or both generations of a follower have stopped at, and resumes them.
     *
     * @throws NotSkippableException if no generation has stopped, or at another event
     * @throws dev.registrar.eventstore.StoreReplacedException if the store has lost the history in which it stopped; it
     *     starts again by itself
     */
    void skip(Follower follower, Position position) {
        transactions.run(transaction -> {
            List<Checkpoint> generations = Stream.of(Generation.LIVE, Generation.NEXT)
                    .flatMap(generation -> checkpoints.lock(transaction, follower.name(), generation).stream())
                    .toList();
            check(follower, position, generations);
            for (Checkpoint stopped : generations) {
                if (stopped.stoppedAt().equals(Optional.of(position))) {
                    Failure failure = stopped.failure();
                    SequencedEvent next = processor.read(follower.query(), stopped.reached(), 1).events().stream()
                            .filter(event -> event.position().equals(position))
                            .findFirst()
                            // Code with another query stopped there.
                            .orElseThrow(() -> NotSkippableException.ofEvent(follower.name(), position));
                    skip(transaction, stopped, next, By.OPERATOR, failure == null ? "" : failure.message());
                }
            }
            return generations;
        });
    }

    private static void check(Follower follower, Position position, List<Checkpoint> generations) {
        List<Position> stoppedAt = generations.stream()
                .flatMap(generation -> generation.stoppedAt().stream())
                .toList();
        if (stoppedAt.isEmpty()) {
            State state = generations.isEmpty()
                    ? State.RUNNING
                    : generations.getFirst().state();
            throw NotSkippableException.ofState(follower.name(), state.text());
        }
        if (!stoppedAt.contains(position)) {
            throw NotSkippableException.ofPosition(follower.name(), position, stoppedAt);
        }
    }

    private void skip(JdbcClient transaction, Checkpoint from, SequencedEvent event, By by, String reason) {
        Skip skip = new Skip(event.position(), by, reason, clock.instant());
        deadLetters.add(transaction, from, List.of(new Letter(skip, null)));
        Head after =
                new Head(event.position(), from.incarnation(), event.event().id());
        checkpoints.move(transaction, from, after, 0, 1);
    }
}
