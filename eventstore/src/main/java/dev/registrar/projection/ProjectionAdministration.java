package dev.registrar.projection;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Position;
import dev.registrar.options.Bounds;
import dev.registrar.projection.Checkpoint.State;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Administration of the followers, for operators: their statuses, and the operations pause, resume, skip, reset,
 * rebuild, and those for dead letters, which apply to all instances. Each throws an {@link UnknownProjectionException}
 * if no follower has the name, and a {@link dev.registrar.eventstore.EventStoreException} if the database cannot be
 * reached or is busy.
 */
public final class ProjectionAdministration {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionAdministration.class);

    /** Maximum number of dead letters in one look-up. */
    public static final int MOST_DEAD_LETTERS = 1_000;

    private final Followers followers;
    private final Checkpoints checkpoints;
    private final Generations generations;
    private final FailedEvents failedEvents;
    private final DeadLetters deadLetters;
    private final Retries retries;
    private final Statuses statuses;
    private final FollowerLoops loops;

    ProjectionAdministration(
            Followers followers,
            Checkpoints checkpoints,
            Generations generations,
            FailedEvents failedEvents,
            DeadLetters deadLetters,
            Retries retries,
            Statuses statuses,
            FollowerLoops loops) {
        this.followers = followers;
        this.checkpoints = checkpoints;
        this.generations = generations;
        this.failedEvents = failedEvents;
        this.deadLetters = deadLetters;
        this.retries = retries;
        this.statuses = statuses;
        this.loops = loops;
    }

    /** The statuses of all followers, in their given order. */
    public List<ProjectionStatus> statuses() {
        return reported("A look at the projections", statuses::all);
    }

    /** The status of a follower. */
    public ProjectionStatus status(String name) {
        followers.named(name);
        return statuses().stream()
                .filter(status -> status.name().equals(name))
                .findAny()
                .orElseThrow(() -> new UnknownProjectionException(name));
    }

    /** Pauses a follower in all instances. Waits for a batch in progress, but not for the reaction of an automation. */
    public void pause(String name) {
        set(name, State.PAUSED);
    }

    /** Resumes a follower that is paused or has stopped. */
    public void resume(String name) {
        set(name, State.RUNNING);
        loops.wake();
    }

    private void set(String name, State state) {
        Follower follower = followers.named(name);
        change(() -> generations.set(follower, state));
    }

    private static void change(Runnable change) {
        reported("A change of a projection", () -> {
            change.run();
            return true;
        });
    }

    private static <T> T reported(String work, Supplier<T> call) {
        try {
            return call.get();
        } catch (DataAccessException failure) {
            throw DatabaseFailures.translated(work, failure);
        }
    }

    /**
     * Skips the one event at which a follower has stopped, records that, and resumes the follower.
     *
     * @param position of the event, as in {@link ProjectionStatus.Failure}
     * @throws NotSkippableException if the follower has not stopped, or at another event
     */
    public void skip(String name, Position position) {
        Follower follower = followers.named(name);
        change(() -> failedEvents.skip(follower, position));
        LOG.warn("{} skips the event at position {}, on an operator's command", name, position);
        loops.wake();
    }

    /**
     * The dead letters of a follower, the events that it has skipped or parked, in the order of their positions;
     * without those that were retried or discarded.
     *
     * @param after position before the first one
     * @param most maximum number, 1 to {@value #MOST_DEAD_LETTERS}
     */
    public List<Skip> deadLetters(String name, Position after, int most) {
        followers.named(name);
        Bounds.check("most", most, 1, MOST_DEAD_LETTERS);
        return reported("A look at the dead letters", () -> deadLetters.after(name, after, most)).stream()
                .map(DeadLetters.Letter::skip)
                .toList();
    }

    /**
     * Passes a dead letter to an automation or a relay again. After a parked event, a relay publishes the later ones of
     * its key, too, until one is refused. Waits up to 10 s for a reaction in progress. An event that cannot be handled
     * again remains, with the new reason.
     *
     * @param by the operator, who is recorded; null if unknown
     * @return how many events were handled
     * @throws UnknownDeadLetterException if there is no dead letter at the position
     * @throws NotRetryableException if the follower is a view, cannot read the event, or is busy, or if the event waits
     *     for an earlier one of its key
     * @throws PublisherUnavailableException if the target of the relay cannot be reached or is busy
     */
    public long retry(String name, Position position, @Nullable Actor by) {
        return retryOf(name, position, by);
    }

    /** Passes all dead letters to an automation or a relay again, as {@link #retry} does with one. */
    public long retryAll(String name, @Nullable Actor by) {
        return retryOf(name, null, by);
    }

    private long retryOf(String name, @Nullable Position position, @Nullable Actor by) {
        Follower follower = followers.named(name);
        long handled = reported("A retry of dead letters", () -> retries.retry(follower, position, by));
        LOG.warn("{} has handled {} dead letters, on an operator's command", name, handled);
        return handled;
    }

    /**
     * Discards a dead letter: the event will not be handled. The later ones of its key can be retried then.
     *
     * @param by the operator, who is recorded; null if unknown
     * @throws UnknownDeadLetterException if there is no dead letter at the position
     */
    public void discard(String name, Position position, @Nullable Actor by) {
        Follower follower = followers.named(name);
        change(() -> retries.discard(follower, position, by));
        LOG.warn("{} discards the event at position {}, on an operator's command", name, position);
    }

    /**
     * Empties the tables of a view and fills them again from the first event. Until then, look-ups read the part that
     * is filled. The tables stay, and with them what others have granted or built on them.
     *
     * @throws NotRebuildableException if it is no view, or another version built the tables
     */
    public void reset(String name) {
        View view = followers.view(name);
        change(() -> generations.restart(view));
        loops.wake();
    }

    /**
     * Checks that a name is the name of a view.
     *
     * @throws NotRebuildableException if it is no view
     */
    public void checkRebuildable(String name) {
        followers.view(name);
    }

    /**
     * Builds the next generation of a view, which replaces the live one when it has caught up. A rebuild in progress
     * continues. The next generation gets the privileges of the live one.
     *
     * @throws NotRebuildableException if it is no view, if a newer version built the tables, or if other objects of the
     *     database, such as SQL views, depend on them
     */
    public void rebuild(String name) {
        View view = followers.view(name);
        change(() -> {
            generations.begin(view, true);
            loops.update(checkpoints.known());
        });
    }
}
