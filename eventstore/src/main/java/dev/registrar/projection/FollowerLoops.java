package dev.registrar.projection;

import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.Checkpoints.Known;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
import dev.registrar.subscription.AppendSignals;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The loops that this instance runs: one for each follower, and one for each view that it rebuilds. */
final class FollowerLoops implements AutoCloseable {
    private final Followers followers;
    private final FollowerLoop.Parts parts;
    private final AppendSignals signals;
    private final SharedReads reads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Map<Generation, FollowerLoop>> loops = new HashMap<>();
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
        loops.forEach((name, own) -> {
            // Another instance has promoted the generation, or it must not continue.
            FollowerLoop rebuild = own.get(Generation.NEXT);
            if (rebuild != null && !mayBuild(followers.named(name), known)) {
                rebuild.end();
            }
        });
        long rebuilds = loops.values().stream()
                .filter(own -> own.containsKey(Generation.NEXT)
                        && !own.get(Generation.NEXT).isOver())
                .count();
        List<FollowerLoop> made = new ArrayList<>();
        try {
            for (Follower follower : followers.all()) {
                if (isOver(follower, Generation.LIVE)) {
                    made.add(loop(follower, Generation.LIVE));
                }
                if (mayBuild(follower, known)
                        && rebuilds < parts.options().maxRebuilds()
                        && isOver(follower, Generation.NEXT)) {
                    made.add(loop(follower, Generation.NEXT));
                    rebuilds++;
                }
            }
        } finally {
            // All loops exist before the first one reads, so that its read can serve them all.
            made.forEach(FollowerLoop::start);
        }
    }

    /* Whether this instance may build the next generation of a follower. */
    private static boolean mayBuild(Follower follower, Known known) {
        return known.of(follower, Generation.NEXT)
                .filter(next -> next.state() == State.RUNNING && next.version() == follower.version())
                .isPresent();
    }

    private boolean isOver(Follower follower, Generation generation) {
        FollowerLoop present = loops.getOrDefault(follower.name(), Map.of()).get(generation);
        return present == null || present.isOver();
    }

    private FollowerLoop loop(Follower follower, Generation generation) {
        FollowerLoop loop = new FollowerLoop(
                parts, follower, generation, reads.join(follower.query()), signals.register(follower.query()));
        loops.computeIfAbsent(follower.name(), name -> new EnumMap<>(Generation.class))
                .put(generation, loop);
        return loop;
    }

    /** The loop of the generation that is read; null if this instance runs none. */
    @Nullable FollowerLoop live(String name) {
        lock.lock();
        try {
            Map<Generation, FollowerLoop> own = loops.get(name);
            return own == null ? null : own.get(Generation.LIVE);
        } finally {
            lock.unlock();
        }
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
            loops.values().forEach(own -> open.addAll(own.values()));
        } finally {
            lock.unlock();
        }
        open.forEach(FollowerLoop::end);
        open.forEach(FollowerLoop::close);
    }
}
