package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;

/**
 * Administration of the followers, for operators: their statuses, and the operations pause, resume, skip, reset and
 * rebuild, which apply to all instances. Each throws a {@link dev.registrar.eventstore.EventStoreException} if the
 * database cannot be reached or is busy.
 */
public final class ProjectionAdministration {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionAdministration.class);

    private final Followers followers;
    private final Checkpoints checkpoints;
    private final Generations generations;
    private final FailedEvents failedEvents;
    private final Statuses statuses;
    private final FollowerLoops loops;

    ProjectionAdministration(
            Followers followers,
            Checkpoints checkpoints,
            Generations generations,
            FailedEvents failedEvents,
            Statuses statuses,
            FollowerLoops loops) {
        this.followers = followers;
        this.checkpoints = checkpoints;
        this.generations = generations;
        this.failedEvents = failedEvents;
        this.statuses = statuses;
        this.loops = loops;
    }

    /** The statuses of all followers, in their given order. */
    public List<ProjectionStatus> statuses() {
        try {
            return statuses.all();
        } catch (DataAccessException failure) {
            throw DatabaseFailures.translated("A look at the projections", failure);
        }
    }

    /**
     * The status of a follower.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public ProjectionStatus status(String name) {
        followers.named(name);
        return statuses().stream()
                .filter(status -> status.name().equals(name))
                .findAny()
                .orElseThrow(() -> new UnknownProjectionException(name));
    }

    /**
     * Pauses a follower in all instances. Waits for a batch in progress, but not for the reaction of an automation.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public void pause(String name) {
        set(name, State.PAUSED);
    }

    /**
     * Resumes a follower that is paused or has stopped.
     *
     * @throws UnknownProjectionException if no follower has that name
     */
    public void resume(String name) {
        set(name, State.RUNNING);
        loops.wake();
    }

    private void set(String name, State state) {
        Follower follower = followers.named(name);
        change(() -> generations.set(follower, state));
    }

    private void change(Runnable change) {
        try {
            change.run();
        } catch (DataAccessException failure) {
            throw DatabaseFailures.translated("A change of a projection", failure);
        }
    }

    /**
     * Skips the one event at which a follower has stopped, records that, and resumes the follower.
     *
     * @param position of the event, as in {@link ProjectionStatus.Failure}
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotSkippableException if the follower has not stopped, or at another event
     */
    public void skip(String name, Position position) {
        Follower follower = followers.named(name);
        change(() -> failedEvents.skip(follower, position));
        LOG.warn("{} skips the event at position {}, on an operator's command", name, position);
        loops.wake();
    }

    /**
     * Empties the tables of a view and fills them again from the first event. Until then, look-ups read the part that
     * is filled. The tables stay, and with them what others have granted or built on them.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation, or another version built the tables
     */
    public void reset(String name) {
        View view = followers.view(name);
        change(() -> generations.restart(view));
        loops.wake();
    }

    /**
     * Checks that a name is the name of a view.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation
     */
    public void checkRebuildable(String name) {
        followers.view(name);
    }

    /**
     * Builds the next generation of a view, which replaces the live one when it has caught up. A rebuild in progress
     * continues. The next generation gets the privileges of the live one.
     *
     * @throws UnknownProjectionException if no follower has that name
     * @throws NotRebuildableException if it is an automation, if a newer version built the tables, or if other objects
     *     of the database, such as SQL views, depend on them
     */
    public void rebuild(String name) {
        View view = followers.view(name);
        change(() -> {
            generations.begin(view, true);
            loops.update(checkpoints.known());
        });
    }
}
