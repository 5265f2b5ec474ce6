package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.concurrent.CombiningQueue.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A queue whose batches a test can block, and callers whose results it can check. */
abstract class CombiningQueueFixture {
    static final List<Choice> CHOICES = List.of(Choice.TAKE, Choice.SKIP, Choice.STOP);
    static final Duration AN_HOUR = Duration.ofHours(1);
    volatile Consumer<CombiningQueue<Job>.Batch> step = answering(10);
    final CombiningQueue<Job> queue = new CombiningQueue<>("test", 1, 100, heldOr(batch -> step.accept(batch)));
    final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final AtomicReference<@Nullable CountDownLatch> next = new AtomicReference<>();
    private volatile CountDownLatch held = new CountDownLatch(0);

    /** A request that is answered with its number. */
    static final class Job extends Request {
        final int number;
        volatile long nanosLeft = AN_HOUR.toNanos();
        boolean isAbandonable;
        int answer = -1;

        Job(int number) {
            this.number = number;
        }

        @Override
        protected long nanosLeft() {
            return nanosLeft;
        }

        @Override
        protected boolean isAbandonable() {
            return isAbandonable;
        }

        boolean abandoned() {
            return isAbandoned();
        }

        @Nullable Throwable mistake() {
            return abandonCause();
        }

        void answer() {
            answer = number;
            done();
        }
    }

    /** A thread that submits one job. */
    static final class Caller {
        final FutureTask<Ending> ending;
        final Thread thread;
        final CompletableFuture<Job> job = new CompletableFuture<>();
        volatile boolean isInterruptedAfterwards;

        Caller(CombiningQueue<Job> to, int number, Consumer<Job> setUp) {
            ending = new FutureTask<>(() -> {
                Job mine = new Job(number);
                setUp.accept(mine);
                job.complete(mine);
                Ending how = to.submit(mine);
                isInterruptedAfterwards = Thread.currentThread().isInterrupted();
                return how;
            });
            thread = Thread.ofVirtual().start(ending);
        }

        Ending ending() {
            try {
                return ending.get();
            } catch (ExecutionException failure) {
                throw new IllegalStateException(failure.getCause());
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        Job job() {
            return job.join();
        }

        void timeOut() {
            job().nanosLeft = 0;
            LockSupport.unpark(thread);
        }
    }

    Caller call(int number) {
        return call(number, job -> {});
    }

    /* The request waits in the queue when this method returns. */
    Caller call(int number, Consumer<Job> setUp) {
        int before = queue.waiting();
        Caller caller = new Caller(queue, number, setUp);
        await().until(() -> queue.waiting() == before + 1);
        return caller;
    }

    /* A step that ends only after release() if hold() has submitted the request. */
    final Consumer<CombiningQueue<Job>.Batch> heldOr(Consumer<CombiningQueue<Job>.Batch> other) {
        return batch -> {
            CountDownLatch released = next.getAndSet(null);
            if (released == null) {
                other.accept(batch);
            } else {
                batch.takeFirst(1);
                awaitUninterruptibly(released);
                batch.members().forEach(Job::answer);
            }
        };
    }

    /* A place of the queue is taken when this method returns, until release(). */
    Caller hold(CombiningQueue<Job> of) {
        return hold(of, job -> {});
    }

    Caller hold(CombiningQueue<Job> of, Consumer<Job> setUp) {
        held = new CountDownLatch(1);
        next.set(held);
        Caller holder = new Caller(of, -1, setUp);
        await().until(() -> next.get() == null);
        return holder;
    }

    void release() {
        held.countDown();
    }

    /* The requests wait in the queue when this method returns, until its place is released. */
    List<Caller> gather(int callers, Consumer<CombiningQueue<Job>.Batch> each) {
        step = each;
        hold(queue);
        List<Caller> gathered = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            gathered.add(call(i));
        }
        return gathered;
    }

    Consumer<CombiningQueue<Job>.Batch> answering(int most) {
        return batch -> {
            batch.takeFirst(most);
            note(batch);
            batch.members().forEach(Job::answer);
        };
    }

    void note(CombiningQueue<Job>.Batch batch) {
        batches.add(batch.members().stream().map(job -> job.number).toList());
    }

    /* Closes the queue. No place of it is taken then. */
    void assertIdle() {
        assertThat(queue.waiting()).isZero();
        assertThat(queue.close(Duration.ofMinutes(1))).isTrue();
    }

    static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException again) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
