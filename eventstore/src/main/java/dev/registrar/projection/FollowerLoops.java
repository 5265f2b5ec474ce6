package dev.registrar.projection;

import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
import dev.registrar.projection.log.SharedReads;
import dev.registrar.subscription.AppendSignals;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The loops that this instance runs: one for each follower, and one for each view that it rebuilds. */
final class FollowerLoops implements AutoCloseable {
    private static final Duration LONGEST_WAIT_FOR_A_TURN = Duration.ofMillis(100);

    private final Followers followers;
    private final BatchProcessor processor;
    private final Generations generations;
    private final FailedEvents failedEvents;
    private final AppendSignals signals;
    private final ProjectionOptions options;
    private final ProjectionMeters meters;
    /** Live views take turns: all that an append wakes would take the processors from the next appends. */
    private final Turns turns = new Turns(LONGEST_WAIT_FOR_A_TURN);

    private final SharedReads reads;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, Map<Generation, FollowerLoop>> loops = new HashMap<>();
    private volatile boolean running;

    FollowerLoops(
            Followers followers,
            BatchProcessor processor,
            Generations generations,
            FailedEvents failedEvents,
            AppendSignals signals,
            int mostItems,
            ProjectionOptions options,
            ProjectionMeters meters) {
        this.followers = followers;
        this.processor = processor;
        this.generations = generations;
        this.failedEvents = failedEvents;
        this.signals = signals;
        this.options = options;
        this.meters = meters;
        this.reads = new SharedReads(mostItems);
    }

    /** Lets {@link #update} start loops, and begins the rebuilds that the options request at a start. */
    void start(List<Checkpoint> known) {
        if (options.rebuildAtStart() == RebuildAtStart.ALL) {
            generations.beginAll(followers, known);
        }
        running = true;
    }

    /**
     * Starts missing loops, and ends those of generations that are no longer built.
     *
     * @param known all checkpoints
     */
    void update(List<Checkpoint> known) {
        if (!running) {
            return;
        }
        if (options.rebuildAtStart() != RebuildAtStart.NONE) {
            generations.beginNewVersions(followers, known);
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

    private void startAndEnd(List<Checkpoint> known) {
        Set<String> next = rebuilt(known);
        loops.forEach((name, own) -> {
            // Another instance has promoted the generation, or it must not continue.
            FollowerLoop rebuild = own.get(Generation.NEXT);
            if (!next.contains(name) && rebuild != null) {
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
                if (next.contains(follower.name())
                        && rebuilds < options.maxRebuilds()
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

    /* The names of the views whose next generation this instance may build. */
    private Set<String> rebuilt(List<Checkpoint> known) {
        Set<String> names = new HashSet<>();
        for (Checkpoint checkpoint : known) {
            if (checkpoint.generation() == Generation.NEXT
                    && checkpoint.state() == State.RUNNING
                    && followers.has(checkpoint.name())
                    && followers.named(checkpoint.name()).version() == checkpoint.version()) {
                names.add(checkpoint.name());
            }
        }
        return names;
    }

    private boolean isOver(Follower follower, Generation generation) {
        FollowerLoop present = loops.getOrDefault(follower.name(), Map.of()).get(generation);
        return present == null || present.isOver();
    }

    private FollowerLoop loop(Follower follower, Generation generation) {
        FollowerLoop loop = new FollowerLoop(
                follower,
                generation,
                processor,
                generations,
                failedEvents,
                turns,
                participant(follower),
                signals.register(follower.query()),
                options,
                meters);
        loops.computeIfAbsent(follower.name(), name -> new EnumMap<>(Generation.class))
                .put(generation, loop);
        return loop;
    }

    /* An automation reads alone. */
    private SharedReads.Participant participant(Follower follower) {
        SharedReads.Participant participant = reads.join(follower.query());
        if (follower instanceof Automation) {
            participant.rests();
        }
        return participant;
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
