package dev.registrar.projection;

import dev.registrar.concurrent.BackOff;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.ProjectionOptions.OnFailure;
import dev.registrar.subscription.AppendSignals.WakeUpSignal;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Processes the batches of one generation of a follower, on a virtual thread of its own. */
final class FollowerLoop implements ServiceThread.Work {
    private static final Logger LOG = LoggerFactory.getLogger(FollowerLoop.class);

    private static final Duration SHORTEST_POLL = Duration.ofMillis(100);
    /** The pauses while another instance processes the generation. */
    private static final BackOff ELSEWHERE = BackOff.doubling(Duration.ofMillis(20), Duration.ofMillis(500));
    /** The pause after a batch that has caught up, as a multiple of the time that the batch took. */
    private static final int PAUSE_FACTOR = 4;

    private static final Duration LONGEST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);
    /** Number of batches without a failure after which batches grow again. */
    private static final int GROWS_AFTER = 10;

    /** How long a live view waits for the batch of another one. */
    private static final Duration LONGEST_TURN = Duration.ofMillis(100);

    private static final Duration STOP_TIME = Duration.ofSeconds(10);

    private final Follower follower;
    private final Generation generation;
    private final Parts parts;
    private final ProjectionOptions options;
    private final SharedReads.Reader reads;
    private final WakeUpSignal signal;
    private final BackOff backOff;

    /** Completes the batch in progress when it is ended; waits for that up to 10 s when it is closed. */
    final ServiceThread thread;

    /** Maximum number of events in a batch: fewer after a failure, growing up to that of the options. */
    private int most;
    /** Number of events in the last batch that was read, or the maximum if none was. */
    private int tried;
    /** Time that the last batch took, in nanoseconds. */
    private long took;

    /** Batches since the maximum was changed. */
    private int sinceChange;

    /** Consecutive failures at one position that are no outage. */
    private int failures;
    /** The position of the checkpoint at the last failure to handle an event. */
    private Position failedAt = Position.START;
    /** Consecutive outages of the store or the database. */
    private int outages;
    /** Consecutive attempts that found another instance at work. */
    private int elsewhere;

    private Duration poll = SHORTEST_POLL;

    /** Written by the loop's own thread. */
    private volatile Progress progress = new Progress(Position.START, false, new CountDownLatch(1));

    /**
     * What other threads know of a loop.
     *
     * @param at the position of the checkpoint
     * @param isProcessing whether the loop processed the last batch: no other instance did, and the generation was
     *     running
     * @param isOver is zero when later progress has replaced this one
     */
    record Progress(Position at, boolean isProcessing, CountDownLatch isOver) {}

    /**
     * What all loops of an instance share.
     *
     * @param turn of one live view at a time: all that an append wakes would take the processors from the next appends
     */
    record Parts(
            BatchProcessor processor,
            Generations generations,
            FailedEvents failedEvents,
            Semaphore turn,
            ProjectionOptions options,
            ProjectionMeters meters) {}

    FollowerLoop(Parts parts, Follower follower, Generation generation, SharedReads.Reader reads, WakeUpSignal signal) {
        this.parts = parts;
        this.options = parts.options();
        this.follower = follower;
        this.generation = generation;
        this.reads = reads;
        this.signal = signal;
        this.most = options.batchOf(follower);
        this.backOff = BackOff.doubling(options.retryAfter(), LONGEST_RETRY);
        this.thread =
                new ServiceThread("projection-%s-%s".formatted(follower.name(), generation.text()), STOP_TIME, this);
        wakes();
    }

    Progress progress() {
        return progress;
    }

    /**
     * Waits until this loop has moved the checkpoint to a position, since the last known progress.
     *
     * @param atMost maximum wait while this loop processes the events
     * @param elsewhere maximum wait while another instance does, whose moves this loop cannot see
     */
    void awaitMoveTo(Position position, Progress lastKnown, Duration atMost, Duration elsewhere)
            throws InterruptedException {
        long started = System.nanoTime();
        Progress current = progress;
        while (current.equals(lastKnown) || position.isAfter(current.at)) {
            long longest = (current.isProcessing ? atMost : elsewhere).toNanos();
            if (!current.isOver.await(longest - (System.nanoTime() - started), TimeUnit.NANOSECONDS)) {
                return;
            }
            current = progress;
        }
    }

    private void progress(Position at, boolean isProcessing) {
        Progress before = progress;
        if (!at.equals(before.at) || isProcessing != before.isProcessing) {
            progress = new Progress(at, isProcessing, new CountDownLatch(1));
            before.isOver.countDown();
        }
    }

    @Override
    public void step() throws InterruptedException {
        wakes();
        try {
            goOn(follower instanceof View && generation == Generation.LIVE ? processInTurn() : process());
        } catch (InterruptedException closed) {
            throw closed;
        } catch (Throwable failure) {
            failed(Printable.of(failure));
        }
    }

    private void goOn(BatchResult result) throws InterruptedException {
        endFailures(result);
        if (!(result instanceof BatchResult.Moved || result instanceof BatchResult.CaughtUp)) {
            progress(progress.at, false);
        }
        switch (result) {
            case BatchResult.Moved(Position to) -> moved(to);
            case BatchResult.CaughtUp(Position to) -> {
                moved(to);
                caughtUp();
            }
            case BatchResult.Elsewhere() -> pause(ELSEWHERE.after(++elsewhere));
            case BatchResult.LeftToOthers(Duration time) -> pause(shorter(time, options.longestPoll()));
            case BatchResult.Resting() -> await(options.longestPoll());
        }
    }

    /*
     * The failures of a replacement that is tried again count together, and so do those of an event that another
     * instance tries in between.
     */
    private void endFailures(BatchResult result) {
        boolean isBuilt = result instanceof BatchResult.CaughtUp && generation == Generation.NEXT;
        if (!isBuilt) {
            outages = 0;
        }
        if (!isBuilt && !(result instanceof BatchResult.Elsewhere)) {
            failures = 0;
        }
    }

    /* A view does not wait long for another one, which may hang. */
    private BatchResult processInTurn() throws InterruptedException {
        boolean taken = parts.turn().tryAcquire(LONGEST_TURN.toNanos(), TimeUnit.NANOSECONDS);
        try {
            return process();
        } finally {
            if (taken) {
                parts.turn().release();
            }
        }
    }

    private BatchResult process() {
        long started = System.nanoTime();
        tried = most;
        BatchResult result = parts.processor().process(follower, generation, this::read);
        took = System.nanoTime() - started;
        return result;
    }

    private void wakes() {
        if (sharesReads()) {
            reads.wakes();
        }
    }

    /* Others have no use for small batches. */
    private boolean sharesReads() {
        return follower instanceof View && most == options.batch();
    }

    private LogBatch read(Checkpoint from) {
        LogBatch batch = sharesReads()
                ? reads.read(from.reached(), most)
                : parts.processor().read(follower.query(), from.reached(), most);
        tried = batch.events().size();
        return batch;
    }

    private void changeMost(int events) {
        most = Math.min(options.batchOf(follower), events);
        sinceChange = 0;
    }

    private void moved(Position to) {
        elsewhere = 0;
        if (++sinceChange >= GROWS_AFTER) {
            changeMost(2 * most);
        }
        if (!to.equals(progress.at)) {
            parts.meters().processed(follower, took);
        }
        progress(to, true);
    }

    private void caughtUp() throws InterruptedException {
        if (generation == Generation.NEXT && follower instanceof View view) {
            promote(view);
            return;
        }
        // Events in quick succession share a batch: the longer a batch takes, the longer the pause after it.
        Duration pause = shorter(Duration.ofNanos(took * PAUSE_FACTOR), LONGEST_PAUSE);
        pause(pause.compareTo(options.pause()) < 0 ? options.pause() : pause);
        poll = await(poll) ? SHORTEST_POLL : shorter(poll.multipliedBy(2), options.longestPoll());
    }

    private void promote(View view) throws InterruptedException {
        tried = most;
        if (parts.generations().promote(view, most)) {
            LOG.info("The next generation of {} has replaced the live one", view.name());
            thread.end();
        } else {
            // More events were appended meanwhile, or the generation must not be promoted.
            failures = 0;
            outages = 0;
            pause(ELSEWHERE.first());
        }
    }

    private void failed(Throwable failure) throws InterruptedException {
        if (failure instanceof UnhandledEventException unhandled) {
            failed(unhandled);
        } else if (Outages.isOutage(failure)) {
            pauseAfter(failure);
        } else {
            // It concerns no certain event: a missing privilege or class, a table, or the code of the follower.
            attempted(
                    "%s has failed: %s".formatted(follower.name(), Printable.text(failure)),
                    failure,
                    ": stopped",
                    state -> parts.failedEvents().record(follower, generation, failure, state));
        }
    }

    private void failed(UnhandledEventException failure) throws InterruptedException {
        if (failure.events().size() > 1) {
            // One of the events fails: smaller batches lead to it.
            changeMost(1);
            reads.rests();
            return;
        }
        if (!failure.checkpoint().position().equals(failedAt)) {
            failedAt = failure.checkpoint().position();
            failures = 0;
        }
        boolean skips = options.onFailure() == OnFailure.SKIP;
        attempted(
                failure.getMessage(),
                failure.getCause(),
                skips ? ": the event is skipped" : ": stopped at the event",
                state -> (skips && state == State.STOPPED)
                        ? parts.failedEvents().skip(failure)
                        : parts.failedEvents().record(failure, state));
    }

    /**
     * Logs and records a failed attempt, and pauses before the next one.
     *
     * @param consequence of the last attempt, for the log
     * @param record records the state that the attempt leads to; false if another instance has begun the next attempt
     */
    private void attempted(
            @Nullable String message, @Nullable Throwable cause, String consequence, Predicate<State> record)
            throws InterruptedException {
        failures++;
        boolean isLastAttempt = failures >= options.attempts();
        parts.meters().failed(follower);
        LOG.warn(
                "{}, attempt {} of {}{}",
                message,
                failures,
                options.attempts(),
                isLastAttempt ? consequence : "",
                isLastAttempt ? cause : null);
        boolean isRecorded = false;
        try {
            isRecorded = record.test(isLastAttempt ? State.STOPPED : State.RUNNING);
        } catch (RuntimeException | Error unreachable) {
            LOG.warn("The failure of {} could not be recorded: {}", follower.name(), unreachable.toString());
        }
        if (isLastAttempt && isRecorded) {
            failures = 0;
        } else {
            pause(backOff.after(failures));
        }
    }

    /* Retried without a limit: the events are not the cause of an outage. A batch that took too long is made smaller. */
    private void pauseAfter(Throwable outage) throws InterruptedException {
        outages++;
        if (Outages.isTimeout(outage) && tried > 1) {
            changeMost(tried / 2);
            LOG.warn(
                    "A batch of {} took too long and is tried again with {} events: {}",
                    follower.name(),
                    most,
                    outage.toString());
        } else if (outages == 1) {
            LOG.warn(
                    "{} tries again after a failure of its store, its database or its target: {}",
                    follower.name(),
                    outage.toString());
        }
        pause(backOff.after(outages));
    }

    private static Duration shorter(Duration some, Duration other) {
        return some.compareTo(other) < 0 ? some : other;
    }

    private boolean await(Duration atMost) throws InterruptedException {
        reads.rests();
        return signal.await(atMost);
    }

    private void pause(Duration duration) throws InterruptedException {
        reads.rests();
        thread.pause(duration);
    }

    @Override
    public void wake() {
        signal.raise();
    }

    @Override
    public void ended() {
        progress(progress.at, false);
        reads.close();
        signal.close();
    }
}
