package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * Queries the tables of views, which any instance may have built. A caller may require that a view has reached a
 * position.
 */
public final class ViewReader {
    /** Maximum number of reads in one look-up, if the view is restarted in between. */
    private static final int MOST_READS = 3;

    private static final Duration SHORTEST_POLL = Duration.ofMillis(5);
    private static final Duration LONGEST_POLL = Duration.ofMillis(100);

    private final Followers followers;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final JdbcClient jdbc;
    private final FollowerLoops loops;
    private final Duration longestWait;

    ViewReader(
            Followers followers,
            EventStore store,
            Checkpoints checkpoints,
            JdbcClient jdbc,
            FollowerLoops loops,
            Duration longestWait) {
        this.followers = followers;
        this.store = store;
        this.checkpoints = checkpoints;
        this.jdbc = jdbc;
        this.loops = loops;
        this.longestWait = longestWait;
    }

    /**
     * Queries the tables of a view when it has seen every event up to a position. Waits for that, up to
     * {@link ProjectionOptions#longestWait()}.
     *
     * @param after the position; {@link Position#START} for no wait
     * @param query on the live tables; may be called up to 3 times
     * @throws RefusedInputException if the position is beyond the last event's
     * @throws ViewBehindException if the view did not reach the position in time
     * @throws StoreUnavailableException if the database cannot be reached
     * @throws UnknownProjectionException if the view is not among the followers
     */
    public <T> ViewAt<T> read(View view, Position after, Function<Tables, T> query) {
        try {
            for (int reads = 0; reads < MOST_READS; reads++) {
                Optional<Checkpoint> reached = after.isAfter(Position.START)
                        ? checkpointAt(after, followers.named(view.name()), longestWait)
                        : checkpoints.find(jdbc, view.name(), Generation.LIVE);
                if (reached.isEmpty()) {
                    break;
                }
                Optional<ViewAt<T>> read = readOnce(view, reached.get(), after, query);
                if (read.isPresent()) {
                    return read.get();
                }
            }
            throw new ViewBehindException(view.name(), reached(view), after, longestWait);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ViewBehindException(view.name(), after);
        } catch (DataAccessException failure) {
            if (BatchProcessor.isOutage(failure)) {
                throw new StoreUnavailableException(
                        "The view '%s' cannot be read".formatted(view.name()), failure, FailureCategory.CONNECTION);
            }
            throw failure;
        }
    }

    /*
     * The rows belong to the position that was read before them, or to a later one, unless the view was restarted in
     * between. The second read of the checkpoint detects that.
     */
    private <T> Optional<ViewAt<T>> readOnce(View view, Checkpoint before, Position after, Function<Tables, T> query) {
        T found = query.apply(checkpoints.tables(jdbc, view.name(), Generation.LIVE));
        Optional<Checkpoint> behind = checkpoints.find(jdbc, view.name(), Generation.LIVE);
        if (behind.isEmpty()
                || !behind.get().startedAt().equals(before.startedAt())
                || before.position().isAfter(behind.get().position())) {
            return Optional.empty();
        }
        Position position = before.position();
        return Optional.of(new ViewAt<>(
                found,
                after.isAfter(position) ? after : position,
                before.incarnation(),
                before.state() == Checkpoint.State.RUNNING));
    }

    private Position reached(View view) {
        return checkpoints
                .find(jdbc, view.name(), Generation.LIVE)
                .map(Checkpoint::position)
                .orElse(Position.START);
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
        return checkpointAt(position, followers.named(name), atMost).isPresent();
    }

    /* The checkpoint of a follower that has seen every event up to a position; empty if it has not in that time. */
    private Optional<Checkpoint> checkpointAt(Position position, Follower follower, Duration atMost)
            throws InterruptedException {
        long end = System.nanoTime() + atMost.toNanos();
        long poll = SHORTEST_POLL.toNanos();
        while (true) {
            // Read before the checkpoint, so that a move in between ends the wait at once.
            FollowerLoop own = loops.live(follower.name());
            long moves = own == null ? 0 : own.moves();
            Optional<Checkpoint> live = checkpoints.find(jdbc, follower.name(), Generation.LIVE);
            if (live.isEmpty()) {
                check(position, store.head());
            } else if (hasSeen(follower, live.get(), position)) {
                return live;
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return Optional.empty();
            }
            Duration pause = Duration.ofNanos(Math.min(left, poll));
            if (own == null) {
                TimeUnit.NANOSECONDS.sleep(pause.toNanos());
            } else {
                own.awaitMoveTo(position, moves, Duration.ofNanos(Math.min(left, LONGEST_POLL.toNanos())), pause);
            }
            poll = Math.min(2 * poll, LONGEST_POLL.toNanos());
        }
    }

    /*
     * A checkpoint may belong to a history that was replaced since, and it may stay behind events that its follower's
     * query does not match.
     */
    private boolean hasSeen(Follower follower, Checkpoint live, Position position) {
        boolean isBehind = position.isAfter(live.position());
        try (EventStream unseen = live.readOn(store, follower.query(), isBehind ? 1 : 0)) {
            check(position, unseen.head());
            return !unseen.hasNext() || unseen.next().position().isAfter(position);
        } catch (StoreReplacedException lost) {
            check(position, lost.head());
            return false;
        }
    }

    /* Positions become visible in their order, so this history has no position beyond its head. */
    private static void check(Position position, Head head) {
        if (position.isAfter(head.position())) {
            throw new RefusedInputException(
                    "Position %s is beyond the last event's, which is %s".formatted(position, head.position()));
        }
    }
}
