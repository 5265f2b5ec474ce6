package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.subscription.AppendSignals;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An operator's view of the followers: their statuses, and the commands that pause, resume, skip, reset and rebuild
 * them in all instances.
 */
public final class ProjectionAdministration {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionAdministration.class);

    private final Followers followers;
    private final Transactions transactions;
    private final Checkpoints checkpoints;
    private final Generations generations;
    private final FailedEvents failedEvents;
    private final Statuses statuses;
    private final FollowerLoops loops;
    private final AppendSignals signals;

    ProjectionAdministration(
            Followers followers,
            Transactions transactions,
            Checkpoints checkpoints,
            Generations generations,
            FailedEvents failedEvents,
            Statuses statuses,
            FollowerLoops loops,
            AppendSignals signals) {
        this.followers = followers;
        this.transactions = transactions;
        this.checkpoints = checkpoints;
        this.generations = generations;
        this.failedEvents = failedEvents;
        this.statuses = statuses;
        this.loops = loops;
        this.signals = signals;
    }

    /** The statuses of all followers, in the order in which they were given. */
    public List<ProjectionStatus> statuses() {
        return statuses.all();
    }

    /**
     * The status of a follower.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public ProjectionStatus status(String name) {
        followers.named(name);
        return statuses.all().stream()
                .filter(status -> status.name().equals(name))
                .findAny()
                .orElseThrow(() -> new UnknownProjectionException(name));
    }

    /**
     * Pauses a follower in all instances. The call waits for a batch that is being processed.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public void pause(String name) {
        set(name, State.PAUSED);
    }

    /**
     * Resumes a follower that was paused, or was stopped by an event that it could not handle.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public void resume(String name) {
        set(name, State.RUNNING);
        signals.raiseAll();
    }

    private void set(String name, State state) {
        followers.named(name);
        transactions.run(transaction -> {
            checkpoints.lock(transaction, name, Generation.LIVE);
            checkpoints.lock(transaction, name, Generation.NEXT);
            checkpoints.setState(transaction, name, state);
            return state;
        });
    }

    /**
     * Skips the one event that has stopped a follower, records that, and resumes the follower.
     *
     * @param position of the event, as in {@link ProjectionStatus.Failure}
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotSkippableException if the follower has not stopped, or at another event
     */
    public void skip(String name, Position position) {
        failedEvents.skip(followers.named(name), position);
        LOG.warn("{} skips the event at {} by an operator's command", name, position);
        signals.raiseAll();
    }

    /**
     * Empties the tables of a view and fills them again from the first event. Meanwhile look-ups find what is filled so
     * far.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation, or another version built the tables
     */
    public void reset(String name) {
        generations.restart(followers.view(name));
        signals.raiseAll();
    }

    /**
     * Checks that a name is that of a view.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation
     */
    public void checkRebuildable(String name) {
        followers.view(name);
    }

    /**
     * Builds the next generation of a view beside the one that is read, which it replaces once it has caught up. A
     * rebuild that has begun already goes on.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation, or a newer version built the tables
     */
    public void rebuild(String name) {
        generations.begin(followers.view(name), true);
        loops.update();
    }
}
