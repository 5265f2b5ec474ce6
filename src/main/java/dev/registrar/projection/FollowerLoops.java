package dev.registrar.projection;

import dev.registrar.projection.Checkpoint.State;
import dev.registrar.subscription.AppendSignals;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The loops that this instance runs: one for each follower, and one for each view that is built anew. */
final class FollowerLoops implements AutoCloseable {
    private final Map<String, Follower> byName = new LinkedHashMap<>();
    private final BatchProcessor stepper;
    private final AppendSignals arrivals;
    private final ProjectionSettings settings;
    private final ProjectionMeters meters;
    private final StepTurns turns = new StepTurns();
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Map<Generation, FollowerLoop>> loops = new HashMap<>();
    private boolean closed;

    FollowerLoops(
            Collection<Follower> followers,
            BatchProcessor stepper,
            AppendSignals arrivals,
            ProjectionSettings settings,
            ProjectionMeters meters) {
        followers.forEach(follower -> byName.put(follower.name(), follower));
        this.stepper = stepper;
        this.arrivals = arrivals;
        this.settings = settings;
        this.meters = meters;
    }

    /** Starts what is to run and does not, and ends what is no longer built. */
    void keep(List<Checkpoint> known) {
        lock.lock();
        try {
            if (!closed) {
                keepAll(known);
            }
        } finally {
            lock.unlock();
        }
    }

    private void keepAll(List<Checkpoint> known) {
        Set<String> next = new HashSet<>();
        for (Checkpoint checkpoint : known) {
            Follower follower = byName.get(checkpoint.name());
            if (checkpoint.build() == Generation.NEXT
                    && follower != null
                    && follower.version() == checkpoint.version()
                    && checkpoint.state() == State.RUNNING) {
                next.add(checkpoint.name());
            }
        }
        loops.forEach((name, builds) -> {
            // It has been put in its place by another instance, or is not to go on.
            FollowerLoop building = builds.get(Generation.NEXT);
            if (!next.contains(name) && building != null) {
                building.end();
            }
        });
        long rebuilds = loops.values().stream()
                .filter(builds -> builds.containsKey(Generation.NEXT)
                        && !builds.get(Generation.NEXT).isOver())
                .count();
        for (Follower follower : byName.values()) {
            keep(follower, Generation.LIVE);
            if (next.contains(follower.name())
                    && rebuilds < settings.maxRebuilds()
                    && keep(follower, Generation.NEXT)) {
                rebuilds++;
            }
        }
    }

    /* True if it was started just now. */
    private boolean keep(Follower follower, Generation build) {
        Map<Generation, FollowerLoop> own =
                loops.computeIfAbsent(follower.name(), name -> new EnumMap<>(Generation.class));
        FollowerLoop running = own.get(build);
        if (running != null && !running.isOver()) {
            return false;
        }
        FollowerLoop loop = new FollowerLoop(
                follower, build, stepper, turns, arrivals.register(follower.query()), settings, meters);
        own.put(build, loop);
        loop.start();
        return true;
    }

    /** The loop of what is read; null if this instance has none. */
    @Nullable FollowerLoop live(String name) {
        lock.lock();
        try {
            Map<Generation, FollowerLoop> own = loops.get(name);
            return own == null ? null : own.get(Generation.LIVE);
        } finally {
            lock.unlock();
        }
    }

    /** Ends all of them, and starts no more. */
    @Override
    public void close() {
        List<FollowerLoop> running = new ArrayList<>();
        lock.lock();
        try {
            closed = true;
            loops.values().forEach(builds -> running.addAll(builds.values()));
        } finally {
            lock.unlock();
        }
        running.forEach(FollowerLoop::end);
        running.forEach(FollowerLoop::close);
    }
}
