package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.projection.DeadLetters.Letter;
import dev.registrar.projection.Skip.By;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Moves a follower along the log, one batch of events and one transaction at a time. */
final class BatchProcessor {
    private static final Logger LOG = LoggerFactory.getLogger(BatchProcessor.class);

    /*
     * Why each event is applied exactly once, with any number of instances and crashes: the transaction that writes
     * rows also moves the checkpoint, from the position that it found when it locked the checkpoint's row. An instance
     * that does not get the lock at once does nothing. The lock belongs to the transaction, so it ends with the
     * transaction and with its connection; no instance can hold it without knowing. Positions become visible in their
     * order, so a read after the checkpoint misses no event that commits late.
     *
     * What an automation or a relay does is not part of a transaction (Reactions). It is done at least once, in order.
     * An automation's commands carry keys.
     *
     * A view starts again if a tag that its query names was added to stored events. The checkpoint names the last
     * retagging that was known when its row was locked, before the events were read. Of a later one, which the events may
     * have had or not, the next batch learns. An automation or a relay goes on, as it must not repeat what it has done.
     *
     * A batch's commit does not wait for the disk. A crash of the server may undo the last transactions, rows and
     * checkpoint together; the batches are then processed again.
     */

    /** Bounds how long a transaction waits for a lock of the live tables, because look-ups wait behind it. */
    static final String SHORT_LOCK_TIMEOUT = "set local lock_timeout = '500ms'";

    /** How long a checkpoint may stay behind events that its follower's query does not match. */
    private static final Duration LONGEST_STAY = Duration.ofSeconds(5);

    private final Transactions transactions;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final DeadLetters deadLetters;
    private final ViewTables tables;
    private final Reactions reactions;
    private final Duration skipUnreadableAfter;
    private final InstantSource clock;

    BatchProcessor(
            Transactions transactions,
            EventStore store,
            Checkpoints checkpoints,
            DeadLetters deadLetters,
            ViewTables tables,
            Reactions reactions,
            ProjectionOptions options,
            InstantSource clock) {
        this.transactions = transactions;
        this.store = store;
        this.checkpoints = checkpoints;
        this.deadLetters = deadLetters;
        this.tables = tables;
        this.reactions = reactions;
        this.skipUnreadableAfter = options.skipUnreadableAfter();
        this.clock = clock;
    }

    /** Which events are skipped before a follower receives the rest. */
    enum Without {
        NONE,
        UNREADABLE
    }

    /**
     * Processes the next batch.
     *
     * @param reader reads the events after a checkpoint, as {@link #read} does
     * @throws UnhandledEventException if the follower could not handle the events
     * @throws RuntimeException if the database or the store failed, or if the follower failed for that reason
     *     ({@link Outages}); any other one concerns no certain event
     */
    BatchResult process(Follower follower, Generation generation, Function<Checkpoint, LogBatch> reader) {
        return skippingUnreadable(follower, without -> process(follower, generation, reader, without));
    }

    private BatchResult process(
            Follower follower, Generation generation, Function<Checkpoint, LogBatch> reader, Without without) {
        // An automation or a relay acts after the transaction.
        Supplier<BatchResult> next = transactions.runWithoutWaitingForTheDisk(transaction -> {
            Optional<Checkpoint> free = checkpoints.lockIfFree(transaction, follower.name(), generation);
            if (free.isEmpty() || free.get().isLeased() || isOfOtherCode(free.get(), follower)) {
                return BatchResult.Elsewhere::new;
            }
            return switch (free.get().state()) {
                case RUNNING -> process(transaction, follower, free.get(), reader, without);
                case PAUSED -> BatchResult.Resting::new;
                case STOPPED -> rest(transaction, follower, free.get());
            };
        });
        return next.get();
    }

    /* An automation has no rows, so no other version can have written them. */
    static boolean isOfOtherCode(Checkpoint checkpoint, Follower follower) {
        return follower instanceof View && checkpoint.version() != follower.version();
    }

    /* The store that held the event may have been replaced since then. */
    private Supplier<BatchResult> rest(JdbcClient transaction, Follower follower, Checkpoint stopped) {
        try {
            stopped.headOf(store);
            return BatchResult.Resting::new;
        } catch (StoreReplacedException lost) {
            return restart(transaction, follower, stopped, lost);
        }
    }

    private Supplier<BatchResult> restartRetagged(JdbcClient transaction, View view, Checkpoint from) {
        LOG.info(
                "Tags that the query of {} names were added to stored events, so it starts again from the first event",
                view.name());
        restart(transaction, view, from, from.reached());
        return () -> new BatchResult.Moved(Position.START);
    }

    private Supplier<BatchResult> restart(
            JdbcClient transaction, Follower follower, Checkpoint from, StoreReplacedException lost) {
        LOG.warn(
                "The history that {} has followed up to position {} was replaced, so it starts again from the first event: {}",
                follower.name(),
                from.position(),
                lost.getMessage());
        restart(transaction, follower, from, lost.head());
        return () -> new BatchResult.Moved(Position.START);
    }

    /** Empties the tables of a generation whose lock is held, and sets its checkpoint to the start. */
    void restart(JdbcClient transaction, Follower follower, Checkpoint from, Head present) {
        if (follower instanceof View view) {
            transaction.sql(SHORT_LOCK_TIMEOUT).update();
            if (!tables.empty(transaction, view.name(), from.generation())) {
                tables.drop(transaction, view.name(), from.generation());
                tables.create(transaction, view, from.generation());
            }
        }
        checkpoints.startAt(transaction, from, present.start());
    }

    /*
     * The first attempt does not check each event, since that would cost as much as handling it. If the attempt fails
     * and some events are unreadable, a second attempt skips those, in a transaction of its own.
     */
    static <T> T skippingUnreadable(Follower follower, Function<Without, T> work) {
        try {
            return work.apply(Without.NONE);
        } catch (UnhandledEventException failure) {
            if (failure.events().stream().allMatch(event -> isReadable(follower, event))) {
                throw failure;
            }
            return work.apply(Without.UNREADABLE);
        }
    }

    private Supplier<BatchResult> process(
            JdbcClient transaction,
            Follower follower,
            Checkpoint from,
            Function<Checkpoint, LogBatch> reader,
            Without without) {
        if (follower instanceof View view && from.lacks(view.query())) {
            return restartRetagged(transaction, view, from);
        }
        LogBatch batch;
        try {
            batch = reader.apply(from);
            if (from.tagged().isAfter(batch.readAt())) {
                // It was read for others, or ahead, before the tags were added.
                batch = read(
                        follower.query(),
                        from.reached(),
                        Math.max(1, batch.events().size()));
            }
        } catch (StoreReplacedException lost) {
            return restart(transaction, follower, from, lost);
        }
        Optional<SequencedEvent> left = leftToOthers(follower, batch, without);
        if (left.isPresent()) {
            if (left.get().equals(batch.events().getFirst())) {
                Duration time = skipUnreadableAfter.minus(age(left.get()));
                LOG.info(
                        "{} cannot read the event at {} and leaves it to other instances for {}",
                        follower.name(),
                        left.get().position(),
                        time);
                return () -> new BatchResult.LeftToOthers(time);
            }
            batch = batch.before(left.get());
        }
        Position end = batch.end().position();
        if (batch.events().isEmpty() && batch.isLast()) {
            boolean isFarBehind = end.isAfter(from.position())
                    && from.movedAt().isBefore(clock.instant().minus(LONGEST_STAY));
            if (isFarBehind) {
                checkpoints.move(transaction, from, batch.end(), 0, 0);
            }
            return () -> new BatchResult.CaughtUp(end);
        }
        if (!(follower instanceof View)) {
            batch = without == Without.NONE ? batch : alike(follower, batch);
            if (without == Without.NONE || isReadable(follower, batch.events().getFirst())) {
                return reactions.lease(transaction, follower, from, batch);
            }
        }
        handle(transaction, follower, from, batch, without);
        Position handled = batch.end().position();
        BatchResult result = batch.isLast() ? new BatchResult.CaughtUp(handled) : new BatchResult.Moved(handled);
        return () -> result;
    }

    /* The first events of the batch that can be read, or the first that cannot. */
    private static LogBatch alike(Follower follower, LogBatch batch) {
        boolean isReadable = isReadable(follower, batch.events().getFirst());
        return batch.events().stream()
                .filter(event -> isReadable(follower, event) != isReadable)
                .findFirst()
                .map(batch::before)
                .orElse(batch);
    }

    private static boolean isReadable(Follower follower, SequencedEvent event) {
        return follower.unreadable(event).isEmpty();
    }

    /**
     * Reads the events after a head that match a query.
     *
     * @throws StoreReplacedException if the store has lost the head's history
     */
    LogBatch read(Query query, Head from, int most) {
        return LogBatch.of(store.read(query, ReadOptions.forwards().after(from).limit(most)), most);
    }

    /**
     * The first event of a batch that cannot be read and is too new to be skipped: an instance with newer code may be
     * able to read it, and needs some time to take over.
     */
    Optional<SequencedEvent> leftToOthers(Follower follower, LogBatch batch, Without without) {
        return without == Without.NONE
                ? Optional.empty()
                : batch.events().stream()
                        .filter(event ->
                                age(event).abs().compareTo(skipUnreadableAfter) < 0 && !isReadable(follower, event))
                        .findFirst();
    }

    /* It is negative if the clock was set back since: an event from far in the future must not be waited for. */
    private Duration age(SequencedEvent event) {
        return Duration.between(event.recordedAt(), clock.instant());
    }

    /** Passes a batch to a view, or skips unreadable events of another follower, and moves the checkpoint behind it. */
    void handle(JdbcClient transaction, Follower follower, Checkpoint from, LogBatch batch, Without without) {
        List<Letter> skips = without == Without.UNREADABLE ? unreadable(follower, batch.events()) : List.of();
        List<SequencedEvent> events = batch.events();
        if (!skips.isEmpty()) {
            deadLetters.add(transaction, from, skips);
            Set<Position> skipped = skips.stream().map(Letter::position).collect(Collectors.toCollection(TreeSet::new));
            LOG.warn("{} skips {} unreadable events: {}", follower.name(), skips.size(), skipped);
            events = events.stream()
                    .filter(event -> !skipped.contains(event.position()))
                    .toList();
        }
        if (follower instanceof View view && !events.isEmpty()) {
            apply(transaction, view, from, events);
        }
        checkpoints.move(transaction, from, batch.end(), events.size(), skips.size());
    }

    private List<Letter> unreadable(Follower follower, List<SequencedEvent> events) {
        return events.stream()
                .flatMap(event -> follower.unreadable(event).stream()
                        .map(reason -> new Skip(event.position(), By.UNREADABLE, reason, clock.instant())))
                .map(skip -> new Letter(skip, null))
                .toList();
    }

    private void apply(JdbcClient transaction, View view, Checkpoint from, List<SequencedEvent> events) {
        try {
            view.apply(events, tables.of(transaction, view.name(), from.generation()));
        } catch (Throwable failure) {
            // Also errors such as a missing class, and checked exceptions that were thrown without being declared.
            throw unhandled(view, from, events, failure);
        }
    }

    /* An event whose rows alone take too long is one that cannot be handled. */
    static RuntimeException unhandled(
            Follower follower, Checkpoint from, List<SequencedEvent> events, Throwable thrown) {
        Throwable failure = Printable.of(thrown);
        boolean isTooLarge = follower instanceof View && events.size() == 1 && Outages.isStatementTimeout(failure);
        if (Outages.isOutage(failure) && !isTooLarge) {
            return failure instanceof RuntimeException outage
                    ? outage
                    : new DataAccessResourceFailureException("A follower has lost its database", failure);
        }
        return new UnhandledEventException(from, events, failure);
    }
}
