package dev.registrar.projection;

import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.Checkpoints.Known;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
import dev.registrar.subscription.AppendSignals;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The loops that this instance runs: one for each follower, and one for each view that it rebuilds. */
final class FollowerLoops implements AutoCloseable {
    private final Followers followers;
    private final FollowerLoop.Parts parts;
    private final AppendSignals signals;
    private final SharedReads reads;
    private final ReentrantLock lock = new ReentrantLock();
    /* Changed under the lock. */
    private final Map<String, FollowerLoop> live = new ConcurrentHashMap<>();
    private final Map<String, FollowerLoop> rebuilds = new ConcurrentHashMap<>();
    private volatile boolean running;

    FollowerLoops(Followers followers, FollowerLoop.Parts parts, AppendSignals signals, int mostItems) {
        this.followers = followers;
        this.parts = parts;
        this.signals = signals;
        this.reads = new SharedReads(parts.processor()::read, mostItems);
    }

    /** Lets {@link #update} start loops, and begins the rebuilds that the options request at a start. */
    void start(Known known) {
        if (parts.options().rebuildAtStart() == RebuildAtStart.ALL) {
            parts.generations().beginAll(followers.views(), known);
        }
        running = true;
    }

    /** Starts missing loops, and ends those of generations that are no longer built. */
    void update(Known known) {
        if (!running) {
            return;
        }
        if (parts.options().rebuildAtStart() != RebuildAtStart.NONE) {
            parts.generations().beginNewVersions(followers.views(), known);
        }
        lock.lock();
        try {
            if (running) {
                startAndEnd(known);
            }
        } finally {
            lock.unlock();
        }
    }

    private void startAndEnd(Known known) {
        rebuilds.forEach((name, rebuild) -> {
            // Another instance has promoted the generation, or it must not continue.
            if (!mayBuild(followers.named(name), known)) {
                rebuild.thread.end();
            }
        });
        live.values().removeIf(loop -> !loop.thread.isAlive());
        rebuilds.values().removeIf(loop -> !loop.thread.isAlive());
        List<FollowerLoop> made = new ArrayList<>();
        try {
            for (Follower follower : followers.all()) {
                if (!live.containsKey(follower.name())) {
                    made.add(add(live, follower, Generation.LIVE));
                }
                if (!rebuilds.containsKey(follower.name())
                        && rebuilds.size() < parts.options().maxRebuilds()
                        && mayBuild(follower, known)) {
                    made.add(add(rebuilds, follower, Generation.NEXT));
                }
            }
        } finally {
            // All loops exist before the first one reads, so that its read can serve them all.
            made.forEach(loop -> loop.thread.start());
        }
    }

    /* Whether this instance may build the next generation of a follower. */
    private static boolean mayBuild(Follower follower, Known known) {
        return known.of(follower, Generation.NEXT)
                .filter(next -> next.state() == State.RUNNING && next.version() == follower.version())
                .isPresent();
    }

    private FollowerLoop add(Map<String, FollowerLoop> to, Follower follower, Generation generation) {
        FollowerLoop loop = new FollowerLoop(
                parts, follower, generation, reads.join(follower.query()), signals.register(follower.query()));
        to.put(follower.name(), loop);
        return loop;
    }

    /** The loop of the generation that is read; null if this instance runs none. */
    @Nullable FollowerLoop live(String name) {
        return live.get(name);
    }

    /** Lets all loops look at their checkpoints and the log. */
    void wake() {
        signals.raiseAll();
    }

    /** Ends all loops; no further loop starts. */
    @Override
    public void close() {
        List<FollowerLoop> open = new ArrayList<>();
        lock.lock();
        try {
            running = false;
            open.addAll(live.values());
            open.addAll(rebuilds.values());
        } finally {
            lock.unlock();
        }
        open.forEach(loop -> loop.thread.end());
        open.forEach(loop -> loop.thread.close());
    }
}
