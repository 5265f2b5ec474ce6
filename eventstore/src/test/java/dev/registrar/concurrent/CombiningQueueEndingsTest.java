package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Endings of a call: a time-out, an interrupt, an error, or the close of the queue. */
@Timeout(120)
class CombiningQueueEndingsTest extends CombiningQueueFixture {
    @Test
    void a_request_that_times_out_is_never_taken() {
        List<Caller> callers = gather(3, answering(10));

        callers.get(1).timeOut();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(queue.waiting()).isEqualTo(2);
        release();
        assertThat(callers.get(2).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 2));
    }

    @Test
    void an_interrupted_caller_withdraws_its_request_and_stays_interrupted() {
        List<Caller> callers = gather(3, answering(10));

        callers.get(1).thread.interrupt();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.INTERRUPTED);
        assertThat(callers.get(1).isInterruptedAfterwards).isTrue();
        release();
        assertThat(callers.get(2).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 2));
    }

    @Test
    void a_caller_whose_request_is_taken_waits_for_the_answer() {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Caller> callers = gather(2, batch -> {
            batch.takeFirst(10);
            taken.countDown();
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        });
        release();
        awaitUninterruptibly(taken);

        callers.get(1).thread.interrupt();
        callers.get(1).timeOut();
        await().until(() -> !callers.get(1).thread.isInterrupted());
        goOn.countDown();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(callers.get(1).job().answer).isEqualTo(1);
        assertThat(callers.get(1).isInterruptedAfterwards).isTrue();
    }

    @Test
    void an_interrupted_caller_leaves_when_its_request_is_put_back() {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch putBack = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<Caller> callers = gather(2, batch -> {
            batch.takeFirst(10);
            taken.countDown();
            awaitUninterruptibly(putBack);
            batch.putBack(List.copyOf(batch.members().subList(1, batch.members().size())));
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        });
        release();
        awaitUninterruptibly(taken);
        callers.get(1).thread.interrupt();
        await().until(() -> !callers.get(1).thread.isInterrupted());

        putBack.countDown();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.INTERRUPTED);
        goOn.countDown();
        assertThat(callers.get(0).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(callers.get(1).job().answer).isEqualTo(-1);
        assertIdle();
    }

    @Test
    void a_request_that_can_be_abandoned_need_not_wait_for_its_batch() {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        hold(queue);
        step = batch -> {
            batch.takeFirst(10);
            taken.countDown();
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        };
        Caller first = call(1);
        Caller second = call(2, job -> job.isAbandonable = true);
        release();
        awaitUninterruptibly(taken);

        second.timeOut();

        assertThat(second.ending()).isEqualTo(Ending.TIMED_OUT);
        goOn.countDown();
        assertThat(first.ending()).isEqualTo(Ending.ANSWERED);
        assertIdle();
    }

    @Test
    void a_caller_that_was_interrupted_before_is_answered_if_it_need_not_wait() throws Exception {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        step = batch -> {
            seen.add(Thread.currentThread().isInterrupted());
            answering(1).accept(batch);
        };
        FutureTask<Ending> interrupted = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            Ending ending = queue.submit(new Job(1));
            seen.add(Thread.currentThread().isInterrupted());
            return ending;
        });
        Thread.ofVirtual().start(interrupted);

        assertThat(interrupted.get()).isEqualTo(Ending.ANSWERED);
        assertThat(seen).containsExactly(false, true);
    }

    /* The first caller is interrupted while its request is carried out, by its own thread; then come two others. */
    @Test
    void an_interrupt_of_a_caller_reaches_no_batch_with_requests_of_others() {
        CountDownLatch goOn = new CountDownLatch(1);
        List<Integer> interrupted = new CopyOnWriteArrayList<>();
        step = batch -> {
            batch.takeFirst(10);
            note(batch);
            try {
                goOn.await();
            } catch (InterruptedException stop) {
                interrupted.addAll(batches.getLast());
                awaitUninterruptibly(goOn);
                Thread.currentThread().interrupt();
            }
            batch.members().forEach(Job::answer);
        };
        Caller first = new Caller(queue, 0, job -> {});
        await().until(() -> batches.size() == 1);
        Caller second = call(1);
        Caller third = call(2);

        first.thread.interrupt();
        await().until(() -> interrupted.equals(List.of(0)));
        goOn.countDown();

        assertThat(List.of(first, second, third)).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(first.isInterruptedAfterwards).isTrue();
        assertThat(interrupted).containsExactly(0);
        assertThat(batches).containsExactly(List.of(0), List.of(1, 2));
    }

    @Test
    void an_error_of_a_step_fails_the_requests_that_it_has_taken_and_no_others() {
        StackOverflowError error = new StackOverflowError("a mistake");
        List<Caller> callers = gather(4, batch -> {
            batch.takeFirst(3);
            note(batch);
            batch.members().getFirst().answer();
            if (batches.size() == 1) {
                throw error;
            }
        });
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().answer).containsExactly(0, -1, -1, 3);
        assertThat(callers).extracting(caller -> caller.job().mistake()).containsExactly(null, error, error, null);
        assertIdle();
    }

    @Test
    void a_request_that_cannot_be_inspected_ends_with_its_batch() {
        StackOverflowError error = new StackOverflowError("a mistake");
        List<Caller> callers = gather(4, batch -> {
            batch.take(job -> {
                if (job.number == 2) {
                    throw error;
                }
                return Choice.TAKE;
            });
            batch.members().forEach(Job::answer);
        });
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().mistake()).containsExactly(error, error, error, null);
        assertThat(callers.get(3).job().answer).isEqualTo(3);
        assertIdle();
    }

    @Test
    void an_error_before_a_request_is_taken_fails_the_first_one_alone() {
        IllegalStateException error = new IllegalStateException("a mistake");
        AtomicInteger steps = new AtomicInteger();
        List<Caller> callers = gather(2, batch -> {
            if (steps.getAndIncrement() == 0) {
                throw error;
            }
            answering(10).accept(batch);
        });
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().mistake()).containsExactly(error, null);
        assertThat(batches).containsExactly(List.of(1));
        assertIdle();
    }

    /* Memory is still used up when the queue takes the request that is to be abandoned. */
    @Test
    void an_error_at_the_end_of_a_batch_costs_no_place() {
        AtomicBoolean isExhausted = new AtomicBoolean();
        Lock failing = new ReentrantLock() {
            @Override
            public void lock() {
                if (isExhausted.getAndSet(false)) {
                    throw new OutOfMemoryError("still");
                }
                super.lock();
            }
        };
        AtomicInteger steps = new AtomicInteger();
        Consumer<CombiningQueue<Job>.Batch> failingOnce = batch -> {
            if (steps.getAndIncrement() == 0) {
                isExhausted.set(true);
                throw new OutOfMemoryError("at first");
            }
            answering(10).accept(batch);
        };
        CombiningQueue<Job> exhausted = new CombiningQueue<>(
                1, 10, heldOr(failingOnce), failing, CombiningQueue.threads("exhausted"), idle -> {});
        hold(exhausted);
        Caller waiting = new Caller(exhausted, 0, job -> {});
        await().until(() -> exhausted.waiting() == 1);
        release();

        assertThat(waiting.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(waiting.job().answer).isZero();
        assertThat(exhausted.close(AN_HOUR)).isTrue();
    }

    @Test
    void a_request_that_its_step_forgets_is_abandoned() {
        List<Caller> callers = gather(3, batch -> {
            batch.takeFirst(10);
            batch.members().get(1).answer();
        });
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().abandoned()).containsExactly(true, false, true);
        assertThat(callers.get(0).job().mistake()).isNull();
    }

    @Test
    void closing_refuses_new_requests_and_waits_for_accepted_ones() throws Exception {
        List<Caller> callers = gather(3, answering(2));
        FutureTask<Boolean> closing = new FutureTask<>(() -> queue.close(AN_HOUR));
        Thread.ofVirtual().start(closing);
        await().untilAsserted(() -> assertThat(queue.submit(lateJob())).isEqualTo(Ending.CLOSED));
        assertThat(closing.isDone()).isFalse();

        release();

        assertThat(closing.get()).isTrue();
        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 1), List.of(2));
    }

    private static Job lateJob() {
        Job job = new Job(9);
        job.nanosLeft = 0;
        return job;
    }

    @Test
    void closing_ends_after_the_longest_wait() {
        hold(queue);
        assertThat(queue.close(Duration.ofMillis(1))).isFalse();
        release();
    }
}
