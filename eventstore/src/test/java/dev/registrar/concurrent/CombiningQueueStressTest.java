package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.concurrent.CombiningQueue.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A stress test: platform and virtual threads submit requests with short and with long time-outs, another thread
 * interrupts them, and batches skip, put back, forget and fail. The thorough test runs until it has seen every possible
 * end of a request; then it closes the queue under load. The seed decides what threads and batches do, not how they
 * interleave.
 */
@Timeout(120)
class CombiningQueueStressTest {
    private static final int CALLERS = 24;
    private static final int MAX_WAITING = 12;
    private static final int MAX_BATCH = 6;

    private final Queue<String> violations = new ConcurrentLinkedQueue<>();
    private final Map<String, AtomicInteger> seen = new ConcurrentHashMap<>();
    private final AtomicInteger underWay = new AtomicInteger();
    private final AtomicInteger steps = new AtomicInteger();
    private final Set<Thread> callers = ConcurrentHashMap.newKeySet();
    private final Queue<Job> jobs = new ConcurrentLinkedQueue<>();

    /** Several threads write its plain fields in turn, like those of a decision. */
    private final class Job extends Request {
        private final long end;
        private final boolean isAbandonable;
        private final Thread thread = Thread.currentThread();
        private final AtomicBoolean held = new AtomicBoolean();
        private final AtomicInteger taken = new AtomicInteger();
        private final AtomicInteger ended = new AtomicInteger();
        private volatile @Nullable Ending ending;
        private int takenPlain;
        private int answer;

        private Job(Random random) {
            this.isAbandonable = random.nextInt(4) == 0;
            long timeout = random.nextBoolean()
                    ? random.nextInt(300_000)
                    : Duration.ofHours(1).toNanos();
            this.end = System.nanoTime() + timeout;
        }

        @Override
        protected long nanosLeft() {
            return end - System.nanoTime();
        }

        @Override
        protected boolean isAbandonable() {
            return isAbandonable;
        }

        private Choice take() {
            require(ending == null, "a request was taken after its caller had left");
            require(held.compareAndSet(false, true), "two batches had one request");
            taken.incrementAndGet();
            takenPlain++;
            return Choice.TAKE;
        }

        private void letGo() {
            require(held.compareAndSet(true, false), "a request was put back that no batch had");
        }

        /* Its caller may have left, if it can be abandoned. */
        private boolean isHeld() {
            return isTaken();
        }

        private void answer() {
            answer = 31 * takenPlain;
            require(ended.incrementAndGet() == 1, "a request was answered twice");
            see("answered");
            done();
        }

        private void returned(Ending how) {
            ending = how;
            see(isAbandoned() ? "abandoned" : how.toString());
            check();
        }

        /* The caller's view, ordered by the queue alone. Do not add other synchronization here. */
        private void check() {
            switch (ending) {
                case null -> violations.add("a request did not return");
                case ANSWERED -> {
                    require((ended.get() == 1) != isAbandoned(), "a request came back without an answer");
                    require(takenPlain == taken.get(), "a caller did not see what batches had written");
                    require(answer == (isAbandoned() ? 0 : 31 * taken.get()), "a caller saw a stale answer");
                }
                case TIMED_OUT, INTERRUPTED ->
                    require(isAbandonable || ended.get() == 0, "a request was withdrawn and answered");
                case FULL, CLOSED -> require(taken.get() == 0, "a request was refused and taken");
            }
        }
    }

    private void require(boolean holds, String violation) {
        if (!holds) {
            violations.add(violation);
        }
    }

    private void see(String what) {
        seen.computeIfAbsent(what, any -> new AtomicInteger()).incrementAndGet();
    }

    private boolean sawEverything() {
        return seen.keySet()
                .containsAll(List.of(
                        "ANSWERED",
                        "FULL",
                        "TIMED_OUT",
                        "INTERRUPTED",
                        "answered",
                        "abandoned",
                        "put back",
                        "skipped",
                        "failed",
                        "own thread",
                        "other thread"));
    }

    /** A thread that submits requests until the queue is closed. */
    private final class Caller {
        private final CombiningQueue<Job> queue;
        private final Random random;
        private final Thread thread;
        private int interrupts;

        private Caller(CombiningQueue<Job> queue, Random random, boolean isVirtual) {
            this.queue = queue;
            this.random = random;
            this.thread = isVirtual
                    ? Thread.ofVirtual().unstarted(this::submitUntilClosed)
                    : Thread.ofPlatform().unstarted(this::submitUntilClosed);
        }

        private void submitUntilClosed() {
            try {
                Ending ending;
                do {
                    ending = submit();
                    if (ending == Ending.FULL) {
                        LockSupport.parkNanos(random.nextInt(100_000));
                    }
                } while (ending != Ending.CLOSED);
            } catch (RuntimeException | Error mistake) {
                violations.add("a caller met " + mistake);
            }
        }

        private Ending submit() {
            Job mine = new Job(random);
            jobs.add(mine);
            int before = forgetInterrupts();
            Ending ending = queue.submit(mine);
            checkInterrupts(before);
            mine.returned(ending);
            return ending;
        }

        private synchronized int forgetInterrupts() {
            Thread.interrupted();
            return interrupts;
        }

        private synchronized void checkInterrupts(int before) {
            require(Thread.currentThread().isInterrupted() == interrupts > before, "an interrupt was lost or made up");
        }

        private synchronized void interrupt() {
            interrupts++;
            thread.interrupt();
        }
    }

    private void step(CombiningQueue<Job>.Batch batch, int places) {
        Random random = new Random(steps.incrementAndGet());
        require(underWay.incrementAndGet() <= places, "too many batches are under way");
        try {
            boolean mayFail = random.nextInt(8) == 0;
            batch.take(job -> choose(batch, job, random, mayFail));
            checkThread(batch.members());
            work(random);
            if (mayFail && random.nextBoolean()) {
                see("failed");
                throw new StackOverflowError("a mistake");
            }
            putBackSome(batch, random);
            int forgotten = random.nextInt(20);
            for (int i = 0; i < batch.members().size(); i++) {
                if (i != forgotten) {
                    answer(batch.members().get(i));
                }
            }
        } finally {
            underWay.decrementAndGet();
        }
    }

    /* A caller's thread carries out its own request alone. */
    private void checkThread(List<Job> members) {
        boolean isCaller = callers.contains(Thread.currentThread());
        see(isCaller ? "own thread" : "other thread");
        require(
                !isCaller || members.stream().allMatch(job -> job.thread.equals(Thread.currentThread())),
                "a caller's thread carried out another caller's request");
    }

    private Choice choose(CombiningQueue<Job>.Batch batch, Job job, Random random, boolean mayFail) {
        if (batch.members().size() == MAX_BATCH) {
            return Choice.STOP;
        }
        if (mayFail && random.nextInt(10) == 0) {
            see("failed");
            throw new IllegalStateException("cannot be looked at");
        }
        if (!batch.members().isEmpty() && random.nextInt(5) == 0) {
            see("skipped");
            return Choice.SKIP;
        }
        return job.take();
    }

    private static void answer(Job job) {
        if (job.isHeld()) {
            job.answer();
        }
    }

    private void putBackSome(CombiningQueue<Job>.Batch batch, Random random) {
        List<Job> again = batch.members().stream()
                .filter(job -> random.nextInt(6) == 0 && job.takenPlain < 3)
                .toList();
        for (Job job : again) {
            see("put back");
            job.letGo();
        }
        batch.putBack(again);
    }

    @SuppressWarnings("ThreadPriorityCheck") // any interleaving is valid
    private static void work(Random random) {
        switch (random.nextInt(3)) {
            case 0 -> Thread.onSpinWait();
            case 1 -> Thread.yield();
            default -> LockSupport.parkNanos(random.nextInt(50_000));
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 3"})
    void each_request_ends_once_and_no_place_is_lost(long seed, int places) throws InterruptedException {
        stress(seed, places, () -> steps.get() >= 300);
    }

    @ParameterizedTest
    @CsvSource({"1, 1", "2, 1", "3, 1", "4, 2", "5, 3"})
    @Tag("thorough")
    void each_request_ends_once_in_every_possible_way(long seed, int places) throws InterruptedException {
        stress(seed, places, () -> steps.get() >= 2_000 && sawEverything());
    }

    private void stress(long seed, int places, BooleanSupplier isEnough) throws InterruptedException {
        CombiningQueue<Job> queue = new CombiningQueue<>("stress", places, MAX_WAITING, batch -> step(batch, places));
        List<Caller> submitting = new ArrayList<>();
        for (int i = 0; i < CALLERS; i++) {
            submitting.add(new Caller(queue, new Random(seed * CALLERS + i), i % 2 == 0));
        }
        AtomicBoolean calm = new AtomicBoolean();
        Thread interrupting = Thread.ofPlatform().start(() -> {
            Random random = new Random(seed);
            while (!calm.get()) {
                submitting.get(random.nextInt(CALLERS)).interrupt();
                LockSupport.parkNanos(random.nextInt(200_000));
            }
        });
        submitting.forEach(caller -> callers.add(caller.thread));
        submitting.forEach(caller -> caller.thread.start());
        while (!isEnough.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }

        boolean areAllDone = queue.close(Duration.ofMinutes(1));
        int stepsUntilClosed = steps.get();

        for (Caller caller : submitting) {
            caller.thread.join();
        }
        calm.set(true);
        interrupting.join();
        jobs.forEach(Job::check);
        assertThat(violations).as("seed %s, %s", seed, seen).isEmpty();
        assertThat(areAllDone).isTrue();
        assertThat(steps).hasValue(stepsUntilClosed);
        assertThat(queue.waiting()).isZero();
        assertThat(underWay).hasValue(0);
    }
}
