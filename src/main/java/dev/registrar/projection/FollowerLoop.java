package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.ProjectionSettings.OnFailure;
import dev.registrar.subscription.WakeUpSignal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Keeps one build of a follower going, on a thread of its own. */
final class FollowerLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerLoop.class);

    private static final Duration SHORTEST_POLL = Duration.ofMillis(100);
    private static final Duration ELSEWHERE_SHORTEST = Duration.ofMillis(20);
    private static final Duration ELSEWHERE_LONGEST = Duration.ofMillis(500);
    /** How many times as long as a step takes a follower rests behind it, if nothing was left to do. */
    private static final int RESTS = 4;

    private static final Duration LONGEST_REST = Duration.ofMillis(50);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);
    private static final Duration STOPS = Duration.ofSeconds(10);

    private final Follower follower;
    private final Generation build;
    private final BatchProcessor stepper;
    private final StepTurns turns;
    private final WakeUpSignal bell;
    private final ProjectionSettings settings;
    private final ProjectionMeters meters;
    private final Thread thread;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();

    /** How many events are still taken one at a time, since one of them could not be handled. */
    private int carefully;

    private int failures;
    private int passed;
    /** Under the lock, as {@link #at} is. */
    private long moves;

    private Position at = Position.START;
    private Duration poll = SHORTEST_POLL;
    private Duration elsewhere = ELSEWHERE_SHORTEST;

    FollowerLoop(
            Follower follower,
            Generation build,
            BatchProcessor stepper,
            StepTurns turns,
            WakeUpSignal bell,
            ProjectionSettings settings,
            ProjectionMeters meters) {
        this.follower = follower;
        this.build = build;
        this.stepper = stepper;
        this.turns = turns;
        this.bell = bell;
        this.settings = settings;
        this.meters = meters;
        this.thread = Thread.ofVirtual()
                .name("projection-%s-%s".formatted(follower.name(), build.text()))
                .unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    boolean isOver() {
        return !thread.isAlive();
    }

    /** How often this instance has moved it. */
    long moves() {
        lock.lock();
        try {
            return moves;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this instance has moved it to a position, and since it had moved so often; at most so long. */
    void awaitMoveTo(Position position, long since, Duration atMost) throws InterruptedException {
        long left = atMost.toNanos();
        lock.lock();
        try {
            while ((moves == since || position.isAfter(at)) && left > 0) {
                left = moved.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            while (closing.getCount() > 0) {
                turn();
            }
        } catch (InterruptedException closed) {
            // Whoever closes it has waited long enough.
        } finally {
            bell.close();
        }
    }

    /* An automation's commands stand apart from the transaction: it is kept short. */
    private int most() {
        return switch (follower) {
            case View view -> settings.batch();
            case Automation automation -> 1;
        };
    }

    private void turn() throws InterruptedException {
        Step step;
        try {
            step = follower instanceof View && build == Generation.LIVE ? turns.take(this::step) : step();
        } catch (UnhandledEventException failure) {
            failed(failure);
            return;
        } catch (RuntimeException passing) {
            passed(passing);
            return;
        }
        failures = 0;
        passed = 0;
        switch (step.outcome()) {
            case BatchResult.Moved(Position to) -> {
                moved(to, step.took());
                carefully = Math.max(0, carefully - 1);
            }
            case BatchResult.CaughtUp(Position to) -> {
                moved(to, step.took());
                carefully = 0;
                caughtUp(step.took());
            }
            case BatchResult.Elsewhere() -> {
                pause(elsewhere);
                elsewhere = shorter(elsewhere.multipliedBy(2), ELSEWHERE_LONGEST);
            }
            case BatchResult.Resting() -> bell.await(settings.longestPoll());
        }
    }

    /** What came of a step, and how many nanoseconds it took. */
    private record Step(BatchResult outcome, long took) {}

    private Step step() {
        long started = System.nanoTime();
        BatchResult outcome = stepper.step(follower, build, carefully > 0 ? 1 : most());
        return new Step(outcome, System.nanoTime() - started);
    }

    private void moved(Position to, long took) {
        elsewhere = ELSEWHERE_SHORTEST;
        if (to.equals(at)) {
            return;
        }
        meters.stepped(follower, took);
        lock.lock();
        try {
            at = to;
            moves++;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void caughtUp(long stepped) throws InterruptedException {
        if (build == Generation.NEXT && follower instanceof View view) {
            try {
                if (stepper.promote(view, settings.batch())) {
                    LOG.info("The next build of {} has taken the place of the one before", view.name());
                    closing.countDown();
                } else {
                    // Others have appended meanwhile, or it is not to take the place.
                    pause(ELSEWHERE_SHORTEST);
                }
            } catch (UnhandledEventException failure) {
                failed(failure);
            } catch (RuntimeException passing) {
                passed(passing);
            }
            return;
        }
        // What comes close together is handled together: the more there is to do, the fewer steps do it.
        Duration rest = shorter(Duration.ofNanos(stepped * RESTS), LONGEST_REST);
        pause(rest.compareTo(settings.pause()) < 0 ? settings.pause() : rest);
        poll = bell.await(poll) ? SHORTEST_POLL : shorter(poll.multipliedBy(2), settings.longestPoll());
    }

    private void failed(UnhandledEventException failure) throws InterruptedException {
        if (failure.events().size() > 1) {
            // It is one of them: those before it are handled one by one.
            carefully = failure.events().size();
            return;
        }
        failures++;
        boolean givesUp = failures >= settings.attempts();
        meters.failed(follower);
        LOG.warn(
                "{}, try {} of {}{}",
                failure.getMessage(),
                failures,
                settings.attempts(),
                givesUp ? settings.onFailure() == OnFailure.SKIP ? ": left out" : ": stopped there" : "",
                givesUp ? failure.getCause() : null);
        try {
            if (givesUp && settings.onFailure() == OnFailure.SKIP) {
                stepper.skip(failure);
            } else {
                stepper.fail(failure, givesUp ? State.STOPPED : State.RUNNING);
            }
        } catch (RuntimeException unreachable) {
            LOG.warn("That {} fails could not be noted: {}", follower.name(), unreachable.toString());
        }
        if (givesUp) {
            failures = 0;
        } else {
            pause(backOff(failures));
        }
    }

    /* Tried for ever: it says nothing of the events. */
    private void passed(RuntimeException passing) throws InterruptedException {
        passed++;
        if (passed == 1) {
            LOG.warn("{} waits for its store or its database: {}", follower.name(), passing.toString());
        }
        pause(backOff(passed));
    }

    private Duration backOff(int tries) {
        return shorter(settings.retryAfter().multipliedBy(1L << Math.min(tries - 1, 10)), LONGEST_RETRY);
    }

    private static Duration shorter(Duration some, Duration other) {
        return some.compareTo(other) < 0 ? some : other;
    }

    private void pause(Duration lasts) throws InterruptedException {
        boolean closed = closing.await(lasts.toNanos(), TimeUnit.NANOSECONDS);
        if (closed) {
            bell.raise();
        }
    }

    /** Lets the transaction that is under way end, and takes no other. */
    void end() {
        closing.countDown();
        bell.raise();
    }

    /** The same, and waits until it has ended. */
    @Override
    public void close() {
        end();
        try {
            if (!thread.join(STOPS)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
