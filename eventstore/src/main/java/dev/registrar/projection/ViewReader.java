package dev.registrar.projection;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.projection.FollowerLoop.Progress;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.BadSqlGrammarException;

/**
 * Queries the tables of views, which any instance may have built. A caller may require that a view has reached a
 * position.
 *
 * <p>With a replica ({@link ProjectionRunner.Builder#replica}), {@link #read} and {@link #search} query it. Without a
 * position they return what the replica has. With a position they wait for it there for a moment; if the replica does
 * not reach it, or cannot be used, they query the primary.
 */
public final class ViewReader {
    /** Maximum number of searches that wait for their turn. */
    private static final int MOST_WAITING_SEARCHES = 1_000;

    /** Maximum number of reads in one look-up, if the view is restarted in between. */
    private static final int MOST_READS = 3;

    /** SQLSTATE of an unknown column and of an unknown table. */
    private static final Set<String> ABSENT = Set.of("42703", "42P01");

    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);
    private static final Duration LONGEST_POLL = Duration.ofMillis(100);

    /** How long a look-up waits for a replica to reach a position. */
    private static final Duration LONGEST_WAIT_FOR_REPLICA = Duration.ofMillis(250);

    private final Followers followers;
    private final Side primary;
    private final @Nullable OnReplica replica;
    private final ViewTables tables;
    private final FollowerLoops loops;
    private final Duration longestWait;
    private final Duration longestSearch;
    private final Permits searches;

    /** A server on which views are queried. */
    private record Side(EventStore store, Checkpoints checkpoints, boolean isPrimary) {}

    /** A replica of the store's database, and the checkpoints as it has them. */
    record OnReplica(ReadReplica replica, Checkpoints checkpoints) {
        private Side side() {
            return new Side(replica.store(), checkpoints, false);
        }
    }

    ViewReader(
            Followers followers,
            EventStore store,
            Checkpoints checkpoints,
            @Nullable OnReplica replica,
            ViewTables tables,
            FollowerLoops loops,
            ProjectionOptions options,
            MeterRegistry metrics) {
        this.followers = followers;
        this.primary = new Side(store, checkpoints, true);
        this.replica = replica;
        this.tables = tables;
        this.loops = loops;
        this.longestWait = options.longestWait();
        this.longestSearch = options.longestSearch();
        this.searches = Permits.ofConnections("search", options.maxSearches(), MOST_WAITING_SEARCHES, metrics);
    }

    private ViewReader(ViewReader other) {
        this.followers = other.followers;
        this.primary = other.primary;
        this.replica = null;
        this.tables = other.tables;
        this.loops = other.loops;
        this.longestWait = other.longestWait;
        this.longestSearch = other.longestSearch;
        this.searches = other.searches;
    }

    /** The same reader without a replica: what one look-up has seen, the next one sees, too. */
    public ViewReader ofPrimary() {
        return new ViewReader(this);
    }

    /**
     * Queries the tables of a view when it has seen every event up to a position. Waits for that, up to
     * {@link ProjectionOptions#longestWait()}.
     *
     * @param after the position; {@link Position#START} for no wait
     * @param query on the live tables; may be called up to 3 times, with a replica up to 6 times
     * @throws RefusedInputException if the position is beyond the last event's
     * @throws ViewBehindException if the view did not reach the position in time, or is paused or stopped before it, or
     *     an older version built its live tables, which lack what the query needs
     * @throws StoreUnavailableException if the database cannot be reached
     * @throws StoreTimeoutException if no connection became free in time, or the query took too long
     * @throws UnknownProjectionException if the view is not among the followers
     */
    public <T> ViewAt<T> read(View view, Position after, Function<Tables, T> query) {
        return lookUp(view, after, (lookUp, schema) -> query.apply(lookUp.tables(schema)));
    }

    /**
     * Queries the tables of a view as {@link #read} does, with a query that may look at many rows. Few searches run at
     * a time, each within {@link ProjectionOptions#longestSearch()}, so that they leave connections to look-ups. In a
     * transaction of the caller, the settings of {@link SearchedTables} last until its end.
     *
     * @throws OverloadedException if too many searches are waiting
     * @throws StoreTimeoutException if it did not get its turn in time, or took too long
     */
    public <T> ViewAt<T> search(View view, Position after, Function<SearchedTables, T> query) {
        return lookUp(view, after, (lookUp, schema) -> {
            long end = System.nanoTime() + Deadline.left(longestSearch).toNanos();
            SearchedTables searched = new SearchedTables(lookUp, schema, searches, end);
            try {
                return query.apply(searched);
            } finally {
                searched.release();
            }
        });
    }

    /**
     * Queries the tables of a view when it has seen every event that is in the store at the time of this call.
     * Otherwise as {@link #read}.
     */
    public <T> ViewAt<T> readLatest(View view, Function<Tables, T> query) {
        return lookUp(view, null, (lookUp, schema) -> query.apply(lookUp.tables(schema)));
    }

    /* The query gets the look-up and the schema of the live tables. */
    private <T> ViewAt<T> lookUp(View view, @Nullable Position after, BiFunction<LookUp, String, T> query) {
        Follower follower = followers.named(view.name());
        long start = System.nanoTime();
        Duration atMost = Deadline.left(longestWait);
        OnReplica second = replica;
        if (second != null && after != null) {
            Duration shorter = atMost.compareTo(LONGEST_WAIT_FOR_REPLICA) < 0 ? atMost : LONGEST_WAIT_FOR_REPLICA;
            Optional<ViewAt<T>> answer = second.replica().answer(() -> {
                try {
                    return Optional.of(lookUp(second.side(), view, follower, after, start, shorter, query));
                } catch (ViewBehindException | DataAccessException onlyThere) {
                    // A time-out is an EventStoreException.
                    return Optional.empty();
                }
            });
            if (answer.isPresent()) {
                return answer.get();
            }
        }
        return lookUp(primary, view, follower, after, start, atMost, query);
    }

    private <T> ViewAt<T> lookUp(
            Side side,
            View view,
            Follower follower,
            @Nullable Position after,
            long start,
            Duration atMost,
            BiFunction<LookUp, String, T> query) {
        long end = start + atMost.toNanos();
        try {
            Position wanted = Position.START;
            for (int reads = 0; reads < MOST_READS; reads++) {
                Optional<Checkpoint> reached = Optional.empty();
                if (!Position.START.equals(after)) {
                    Waited waited = await(side, after, follower, end, true);
                    reached = waited.reached();
                    wanted = waited.position();
                    if (reached.isEmpty()) {
                        break;
                    }
                }
                Optional<ViewAt<T>> read = readOnce(side.checkpoints(), view, reached, wanted, query);
                if (read.isPresent()) {
                    return read.get();
                }
            }
            throw behind(side.checkpoints(), view, wanted, atMost);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ViewBehindException(view.name());
        } catch (DataAccessException failure) {
            throw DatabaseFailures.translated("A look-up in the view '%s'".formatted(view.name()), failure);
        }
    }

    /* Empty if the view was restarted since it had reached the position, or during the look-up. */
    private <T> Optional<ViewAt<T>> readOnce(
            Checkpoints checkpoints,
            View view,
            Optional<Checkpoint> reached,
            Position after,
            BiFunction<LookUp, String, T> query) {
        LookUp lookUp = checkpoints.lookUp(view.name());
        T found;
        try {
            found = query.apply(lookUp, tables.schema(view.name(), Generation.LIVE));
        } catch (BadSqlGrammarException failure) {
            if (!(failure.getCause() instanceof SQLException cause
                    && ABSENT.contains(String.valueOf(cause.getSQLState())))) {
                throw failure;
            }
            Optional<Checkpoint> live = checkpoints.find(view.name(), Generation.LIVE);
            if (live.isEmpty()) {
                // The tables are made together with the checkpoint.
                return Optional.empty();
            }
            if (live.get().version() < view.version()) {
                throw new ViewBehindException(view.name(), live.get().version(), view.version());
            }
            throw failure;
        }
        // Connections to a replica may lead to several, of which one has reached the position.
        return lookUp.checkpoint()
                .filter(own -> reached.isEmpty()
                        || (own.startedAt().equals(reached.get().startedAt())
                                && !reached.get().position().isAfter(own.position())))
                .map(own -> new ViewAt<>(
                        found,
                        after.isAfter(own.position()) ? after : own.position(),
                        own.incarnation(),
                        own.state() == Checkpoint.State.RUNNING));
    }

    private static ViewBehindException behind(Checkpoints checkpoints, View view, Position wanted, Duration waited) {
        Optional<Checkpoint> live = checkpoints.find(view.name(), Generation.LIVE);
        Position reached = live.map(Checkpoint::position).orElse(Position.START);
        return live.map(Checkpoint::state)
                .filter(state -> state != Checkpoint.State.RUNNING)
                .map(state -> new ViewBehindException(view.name(), state, reached, wanted))
                .orElseGet(() -> new ViewBehindException(view.name(), reached, wanted, waited));
    }

    /**
     * Waits until a view or an automation has seen every event up to a position.
     *
     * @return false if it has not seen them within that time
     * @throws RefusedInputException if the position is beyond the last event's
     * @throws UnknownProjectionException if no follower has that name
     * @throws InterruptedException if interrupted while waiting
     */
    public boolean waitFor(String name, Position position, Duration atMost) throws InterruptedException {
        Follower follower = followers.named(name);
        try {
            return await(primary, position, follower, System.nanoTime() + atMost.toNanos(), false)
                    .reached()
                    .isPresent();
        } catch (DataAccessException failure) {
            throw DatabaseFailures.translated("A wait for '%s'".formatted(name), failure);
        }
    }

    /**
     * The end of a wait.
     *
     * @param reached the checkpoint of the follower; empty if it did not reach the position in time
     * @param position for which the wait was
     */
    private record Waited(Optional<Checkpoint> reached, Position position) {}

    /*
     * Without a position it waits for the head of the store, as the first look finds it. It may only wait for a follower
     * that runs: while another one is paused or stopped, each look-up would wait in vain.
     */
    private Waited await(Side side, @Nullable Position wanted, Follower follower, long end, boolean runningOnly)
            throws InterruptedException {
        long poll = SHORTEST_POLL.toNanos();
        @Nullable Position position = wanted;
        while (true) {
            // Read before the checkpoint, so that a move in between ends the wait at once.
            FollowerLoop own = side.isPrimary() ? loops.live(follower.name()) : null;
            Progress known = own == null ? null : own.progress();
            Optional<Checkpoint> live = side.checkpoints().find(follower.name(), Generation.LIVE);
            if (live.isEmpty()) {
                position = within(side, side.store().head(), position, wanted == null);
            } else {
                Unseen unseen = unseen(side, follower, live.get(), position);
                position = within(side, unseen.head(), position, wanted == null);
                if (unseen.isAfter(position) && !position.isAfter(unseen.head().position())) {
                    return new Waited(live, position);
                }
                if (runningOnly && live.get().state() != Checkpoint.State.RUNNING) {
                    return new Waited(Optional.empty(), position);
                }
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return new Waited(Optional.empty(), position);
            }
            Duration pause = Duration.ofNanos(Math.min(left, poll));
            if (own == null || known == null) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            } else {
                own.awaitMoveTo(position, known, Duration.ofNanos(Math.min(left, LONGEST_POLL.toNanos())), pause);
            }
            poll = Math.min(2 * poll, LONGEST_POLL.toNanos());
        }
    }

    /*
     * Positions become visible in their order, so a history has no position beyond its head, unless a replica does not
     * have it yet. The head itself moves back if the history is replaced during the wait for it.
     */
    private static Position within(Side side, Head head, @Nullable Position position, boolean isHead) {
        if (position != null && (!side.isPrimary() || !position.isAfter(head.position()))) {
            return position;
        }
        if (!isHead) {
            throw new RefusedInputException(
                    "Position %s is beyond the last event's, which is %s".formatted(position, head.position()));
        }
        return head.position();
    }

    /**
     * What a follower has not seen.
     *
     * @param head of the store
     * @param first position of an event of its query that it has not seen; null if there is none
     */
    private record Unseen(Head head, @Nullable Position first) {
        boolean isAfter(Position position) {
            return first == null || first.isAfter(position);
        }
    }

    /*
     * A checkpoint may belong to a history that was replaced since: then nothing of the present one was seen. The same
     * holds if the view will start again because of added tags. The checkpoint may also stay behind events that its
     * follower's query does not match.
     */
    private static Unseen unseen(Side side, Follower follower, Checkpoint live, @Nullable Position position) {
        if (follower instanceof View && live.lacks(follower.query())) {
            return new Unseen(side.store().head(), Position.START);
        }
        boolean isBehind = position == null || position.isAfter(live.position());
        ReadOptions next = ReadOptions.forwards().after(live.reached()).limit(isBehind ? 1 : 0);
        try (EventStream events = side.store().read(follower.query(), next)) {
            return new Unseen(events.head(), events.hasNext() ? events.next().position() : null);
        } catch (StoreReplacedException lost) {
            return new Unseen(lost.head(), Position.START);
        }
    }
}
