package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.projection.Checkpoint.Failure;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.Skip.By;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.RecoverableDataAccessException;
import org.springframework.dao.TransientDataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Moves a follower along the log, one transaction at a time. */
final class BatchProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

    /*
     * Why each event is applied exactly once, however many instances there are and whatever becomes of them: the transaction
     * that writes rows also moves the checkpoint, from where it was found when its row was locked. Who cannot have the lock
     * at once does nothing. The lock is the transaction's, so it ends with it, and with its connection; there is no leader
     * who could believe to be one still. Positions become visible in their order, so that "behind the checkpoint" misses
     * nothing that commits late.
     *
     * An automation's commands are not part of the transaction. They are given at least once, in order, and carry keys.
     *
     * A step's commit does not wait for the disk: what a crash of the server takes back are its last transactions, rows and
     * checkpoint together, and the step is made again.
     */
    private static final String WITHOUT_WAITING_FOR_THE_DISK = "set local synchronous_commit = off";

    /** Characters of payloads and metadata in one transaction. */
    private static final long MOST_CHARACTERS = 4 << 20;
    /** How long a checkpoint may stay behind events that do not concern it. */
    private static final Duration BEHIND = Duration.ofSeconds(5);

    /** How long the network may say nothing before a transaction counts as lost. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(1);

    /** The same, while the indexes of a build are made. */
    private static final Duration LONGEST_INDEXING = Duration.ofHours(6);

    /** How long the live tables are waited for before look-ups may go on. */
    private static final String BRIEFLY = "set local lock_timeout = '500ms'";

    private final DataSource connections;
    private final EventStore store;
    private final Checkpoints checkpoints;

    BatchProcessor(DataSource connections, EventStore store, Checkpoints checkpoints) {
        this.connections = connections;
        this.store = store;
        this.checkpoints = checkpoints;
    }

    /** What is done in one transaction. */
    interface Work<T> {
        T in(JdbcClient transaction);
    }

    /** Runs a transaction of its own, which no other joins. */
    <T> T transaction(Work<T> work) {
        return transaction(LONGEST_SILENCE, work);
    }

    private <T> T transaction(Duration longestSilence, Work<T> work) {
        try (Connection connection = connections.getConnection()) {
            connection.setNetworkTimeout(Runnable::run, Math.toIntExact(longestSilence.toMillis()));
            connection.setAutoCommit(false);
            T result = work.in(Checkpoints.on(connection));
            connection.commit();
            return result;
        } catch (SQLException failure) {
            throw new DataAccessResourceFailureException("A transaction of the projections failed", failure);
        }
    }

    /**
     * Handles the next events.
     *
     * @param most events
     * @throws UnhandledEventException if the follower could not handle them
     * @throws RuntimeException if the database or the store failed, or the follower for such a reason
     */
    BatchResult step(Follower follower, Generation build, int most) {
        return leavingOutUnreadable(follower, without -> step(follower, build, most, without));
    }

    private BatchResult step(Follower follower, Generation build, int most, Without without) {
        return transaction(transaction -> {
            Optional<Checkpoint> free = checkpoints.lockIfFree(transaction, follower.name(), build);
            if (free.isEmpty() || isOfOtherCode(free.get(), follower)) {
                return new BatchResult.Elsewhere();
            }
            return switch (free.get().state()) {
                case RUNNING -> step(transaction, follower, free.get(), most, without);
                case PAUSED -> new BatchResult.Resting();
                case STOPPED -> rest(transaction, follower, free.get());
            };
        });
    }

    /* What could not be handled may be gone with the store that it was in. */
    private BatchResult rest(JdbcClient transaction, Follower follower, Checkpoint stopped) {
        try {
            stopped.headOf(store);
            return new BatchResult.Resting();
        } catch (StoreReplacedException lost) {
            return startAgain(transaction, follower, stopped, lost);
        }
    }

    private BatchResult startAgain(
            JdbcClient transaction, Follower follower, Checkpoint from, StoreReplacedException lost) {
        LOG.warn(
                "The history that {} has followed up to position {} was replaced, so it starts again from the first event: {}",
                follower.name(),
                from.position(),
                lost.getMessage());
        startAgain(transaction, follower, from, lost.head());
        return new BatchResult.Moved(Position.START);
    }

    /* An automation has no rows that could be another version's. */
    private static boolean isOfOtherCode(Checkpoint checkpoint, Follower follower) {
        return follower instanceof View && checkpoint.version() != follower.version();
    }

    /** Which events are left out before a follower is given the others. */
    private enum Without {
        NONE,
        UNREADABLE
    }

    /*
     * First without a look at each event, which would cost as much as handling it. Only where that fails, and one of the
     * events cannot be read, it is done again without those, in a transaction of its own.
     */
    private static <T> T leavingOutUnreadable(Follower follower, Function<Without, T> work) {
        try {
            return work.apply(Without.NONE);
        } catch (UnhandledEventException failure) {
            if (failure.events().stream()
                    .noneMatch(event -> follower.unreadable(event).isPresent())) {
                throw failure;
            }
            return work.apply(Without.UNREADABLE);
        }
    }

    private BatchResult step(JdbcClient transaction, Follower follower, Checkpoint from, int most, Without without) {
        Batch batch;
        try {
            batch = read(follower, from, most);
        } catch (StoreReplacedException lost) {
            return startAgain(transaction, follower, from, lost);
        }
        Position end = batch.end().position();
        if (batch.events().isEmpty()) {
            boolean isFarBehind = end.isAfter(from.position())
                    && from.movedAt().isBefore(Instant.now().minus(BEHIND));
            if (isFarBehind || !from.namesItsEvent()) {
                checkpoints.move(transaction, from, batch.end(), 0, 0);
            }
            return new BatchResult.CaughtUp(end);
        }
        transaction.sql(WITHOUT_WAITING_FOR_THE_DISK).update();
        handle(transaction, follower, from, batch, without);
        return batch.isLast() ? new BatchResult.CaughtUp(end) : new BatchResult.Moved(end);
    }

    /** Events that were read, and whether none is left behind them. */
    private record Batch(Head head, List<SequencedEvent> events, boolean isLast) {
        /** Nothing else is to be handled up to here. */
        Head end() {
            return isLast ? head : head.at(events.getLast());
        }
    }

    private Batch read(Follower follower, Checkpoint from, int most) {
        List<SequencedEvent> events = new ArrayList<>();
        long characters = 0;
        try (EventStream stream = from.readOn(store, follower.query(), most)) {
            while (characters < MOST_CHARACTERS && stream.hasNext()) {
                SequencedEvent event = stream.next();
                events.add(event);
                characters += event.event().payload().length()
                        + event.event().metadata().length();
            }
            boolean isLast = events.size() < most && characters < MOST_CHARACTERS;
            return new Batch(stream.head(), events, isLast);
        }
    }

    /* And moves the checkpoint behind them. */
    private void handle(JdbcClient transaction, Follower follower, Checkpoint from, Batch batch, Without without) {
        List<SequencedEvent> events = batch.events();
        List<Skip> skips = List.of();
        if (without == Without.UNREADABLE) {
            skips = events.stream()
                    .flatMap(event -> follower.unreadable(event).stream()
                            .map(reason -> new Skip(event.position(), By.UNREADABLE, reason, Instant.now())))
                    .toList();
            Set<Position> left = skips.stream().map(Skip::position).collect(Collectors.toSet());
            events = events.stream()
                    .filter(event -> !left.contains(event.position()))
                    .toList();
            checkpoints.skip(transaction, from, skips);
        }
        if (!skips.isEmpty()) {
            LOG.warn(
                    "{} leaves out {} events that cannot be read: {}",
                    follower.name(),
                    skips.size(),
                    skips.stream().map(Skip::position).toList());
        }
        if (!events.isEmpty()) {
            handle(transaction, follower, from, events);
        }
        checkpoints.move(transaction, from, batch.end(), events.size(), skips.size());
    }

    private void handle(JdbcClient transaction, Follower follower, Checkpoint from, List<SequencedEvent> events) {
        try {
            switch (follower) {
                case View view -> view.apply(events, checkpoints.tables(transaction, view.name(), from.build()));
                case Automation automation -> events.forEach(automation::react);
            }
        } catch (RuntimeException | AssertionError | StackOverflowError failure) {
            if (failure instanceof RuntimeException passing && isPassing(passing)) {
                throw passing;
            }
            throw new UnhandledEventException(from, events, failure);
        }
    }

    /** Whether a failure is the database's or the store's, and says nothing of events or of statements. */
    static boolean isPassing(RuntimeException failure) {
        return (failure instanceof EventStoreException
                        && !(failure instanceof RefusedInputException)
                        && !(failure instanceof IdempotencyKeyReusedException))
                || failure instanceof TransientDataAccessException
                || failure instanceof RecoverableDataAccessException
                || failure instanceof DataAccessResourceFailureException;
    }

    /** Forgets what was made of a store that is no longer there. */
    void startAgain(JdbcClient transaction, Follower follower, Checkpoint from, Head present) {
        if (follower instanceof View view) {
            transaction.sql(BRIEFLY).update();
            checkpoints.dropTables(transaction, view.name(), from.build());
            checkpoints.createTables(transaction, view, from.build());
        }
        checkpoints.startAt(transaction, from, present.start());
    }

    /**
     * Puts the next build of a view in the live one's place, if it has caught up; waits for who is at either of them.
     *
     * @param most events that may still be missing
     */
    boolean promote(View view, int most) {
        // The live build goes on meanwhile.
        index(view);
        return leavingOutUnreadable(view, without -> promote(view, most, without));
    }

    private boolean promote(View view, int most, Without without) {
        return transaction(transaction -> {
            transaction.sql(BRIEFLY).update();
            Optional<Checkpoint> live = checkpoints.lock(transaction, view.name(), Generation.LIVE);
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (live.isEmpty()
                    || live.get().version() > view.version()
                    || next.isEmpty()
                    || next.get().version() != view.version()
                    || next.get().state() != State.RUNNING) {
                return false;
            }
            Batch rest;
            try {
                rest = read(view, next.get(), most);
            } catch (StoreReplacedException lost) {
                // The next step of that build starts it again.
                return false;
            }
            if (!rest.isLast()) {
                return false;
            }
            handle(transaction, view, next.get(), rest, without);
            checkpoints.promote(transaction, view.name());
            if (live.get().state() == State.PAUSED) {
                checkpoints.setState(transaction, view.name(), State.PAUSED);
            }
            return true;
        });
    }

    /* Those that are there already are left alone. */
    private void index(View view) {
        transaction(LONGEST_INDEXING, transaction -> {
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (next.isPresent() && next.get().version() == view.version()) {
                view.index(checkpoints.tables(transaction, view.name(), Generation.NEXT));
            }
            return next;
        });
    }

    /** Notes why a follower does not go on, or why not yet. */
    void fail(UnhandledEventException failure, State state) {
        transaction(transaction -> {
            Checkpoint from = failure.checkpoint();
            checkpoints.fail(
                    transaction,
                    from,
                    state,
                    String.valueOf(failure.getCause()),
                    failure.events().size() == 1 ? failure.events().getFirst().position() : null);
            return from;
        });
    }

    /**
     * Leaves out the event that one or both builds of a follower have stopped at, and lets them go on.
     *
     * @throws NotSkippableException if none has stopped, or at another event
     * @throws StoreReplacedException if the store has lost where it stopped; it starts again by itself
     */
    void skip(Follower follower, Position position) {
        transaction(transaction -> {
            List<Checkpoint> builds = Stream.of(Generation.LIVE, Generation.NEXT)
                    .flatMap(build -> checkpoints.lock(transaction, follower.name(), build).stream())
                    .toList();
            List<Position> stoppedAt =
                    builds.stream().flatMap(build -> build.stoppedAt().stream()).toList();
            if (stoppedAt.isEmpty()) {
                throw NotSkippableException.ofState(
                        follower.name(),
                        builds.isEmpty()
                                ? State.RUNNING.text()
                                : builds.getFirst().state().text());
            }
            if (!stoppedAt.contains(position)) {
                throw NotSkippableException.ofPosition(follower.name(), position, stoppedAt);
            }
            for (Checkpoint build : builds) {
                if (build.stoppedAt().equals(Optional.of(position))) {
                    Failure failure = build.failure();
                    SequencedEvent next = read(follower, build, 1).events().stream()
                            .filter(event -> event.position().equals(position))
                            .findFirst()
                            // Other code has stopped, which follows other events.
                            .orElseThrow(() -> NotSkippableException.ofEvent(follower.name(), position));
                    skip(transaction, build, next, By.OPERATOR, failure == null ? "" : failure.message());
                    checkpoints.goOn(transaction, build);
                }
            }
            return builds;
        });
    }

    private void skip(JdbcClient transaction, Checkpoint from, SequencedEvent event, By by, String reason) {
        checkpoints.skip(transaction, from, List.of(new Skip(event.position(), by, reason, Instant.now())));
        Head behind =
                new Head(event.position(), from.incarnation(), event.event().id());
        checkpoints.move(transaction, from, behind, 0, 1);
    }

    /** Leaves out the one event that could not be handled, unless the checkpoint has moved since. */
    void skip(UnhandledEventException failure) {
        transaction(transaction -> {
            Checkpoint from = failure.checkpoint();
            SequencedEvent event = failure.events().getFirst();
            Optional<Checkpoint> now = checkpoints.lock(transaction, from.name(), from.build());
            if (now.isPresent()
                    && now.get().state() == State.RUNNING
                    && now.get().position().equals(from.position())
                    && now.get().incarnation().equals(from.incarnation())) {
                skip(transaction, from, event, By.SETTING, String.valueOf(failure.getCause()));
            }
            return now;
        });
    }
}
