package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import dev.registrar.concurrent.CombiningQueue.Request;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each rule of the queue by itself. The test holds a leader's place, so that requests gather in a known order. */
@Timeout(120)
class CombiningQueueTest {
    private static final List<Choice> CHOICES = List.of(Choice.TAKE, Choice.SKIP, Choice.STOP);
    private static final Duration AN_HOUR = Duration.ofHours(1);

    private final CombiningQueue<Job> queue = new CombiningQueue<>(1, 100);
    private final List<List<Integer>> batches = new CopyOnWriteArrayList<>();
    private final List<Integer> leaders = new CopyOnWriteArrayList<>();

    /** A request whose answer is its number. */
    private static final class Job extends Request {
        private final int number;
        private volatile long nanosLeft = AN_HOUR.toNanos();
        private boolean isInterruptible = true;
        private boolean isAbandonable;
        private int answer = -1;
        private boolean abandoned;
        private @Nullable Throwable mistake;

        private Job(int number) {
            this.number = number;
        }

        @Override
        protected long nanosLeft() {
            return nanosLeft;
        }

        @Override
        protected boolean isInterruptible() {
            return isInterruptible;
        }

        @Override
        protected boolean isAbandonable() {
            return isAbandonable;
        }

        @Override
        protected void abandon(@Nullable Throwable cause) {
            abandoned = true;
            mistake = cause;
        }

        private void leave() {
            done();
        }

        private void answer() {
            answer = number;
            done();
        }
    }

    /** A thread that submits one job. */
    private static final class Caller {
        private final FutureTask<Ending> ending;
        private final Thread thread;
        private final CompletableFuture<Job> job = new CompletableFuture<>();
        private volatile boolean isInterruptedAfterwards;

        private Caller(
                CombiningQueue<Job> to, int number, Consumer<Job> setUp, Consumer<CombiningQueue<Job>.Batch> step) {
            ending = new FutureTask<>(() -> {
                Job mine = new Job(number);
                setUp.accept(mine);
                job.complete(mine);
                Ending how = to.submit(mine, step);
                isInterruptedAfterwards = Thread.currentThread().isInterrupted();
                return how;
            });
            thread = Thread.ofVirtual().start(ending);
        }

        private Ending ending() {
            try {
                return ending.get();
            } catch (ExecutionException failure) {
                throw new IllegalStateException(failure.getCause());
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        private Job job() {
            return job.join();
        }

        private void runOutOfPatience() {
            job().nanosLeft = 0;
            LockSupport.unpark(thread);
        }
    }

    private Caller call(int number, Consumer<CombiningQueue<Job>.Batch> step) {
        return call(number, job -> {}, step);
    }

    /* It waits in the queue when this returns. */
    private Caller call(int number, Consumer<Job> setUp, Consumer<CombiningQueue<Job>.Batch> step) {
        int before = queue.waiting();
        Caller caller = new Caller(queue, number, setUp, step);
        await().until(() -> queue.waiting() == before + 1);
        return caller;
    }

    private List<Caller> gather(int callers, Consumer<CombiningQueue<Job>.Batch> step) {
        assertThat(queue.hold()).isTrue();
        List<Caller> gathered = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            gathered.add(call(i, step));
        }
        return gathered;
    }

    private Consumer<CombiningQueue<Job>.Batch> answering(int most) {
        return batch -> {
            batch.takeFirst(most);
            note(batch);
            batch.members().forEach(Job::answer);
        };
    }

    private void note(CombiningQueue<Job>.Batch batch) {
        leaders.add(batch.leader().number);
        batches.add(batch.members().stream().map(job -> job.number).toList());
    }

    private void assertIdle() {
        assertThat(queue.waiting()).isZero();
        assertThat(queue.hold()).isTrue();
        queue.release();
    }

    @Test
    void a_lone_caller_leads_its_own_request() {
        Job mine = new Job(7);

        assertThat(queue.submit(mine, answering(10))).isEqualTo(Ending.ANSWERED);

        assertThat(mine.answer).isEqualTo(7);
        assertThat(batches).containsExactly(List.of(7));
        assertIdle();
    }

    @Test
    void the_first_that_waits_leads_next_and_takes_the_others_along() {
        List<Caller> callers = gather(5, answering(3));
        queue.release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().answer).containsExactly(0, 1, 2, 3, 4);
        assertThat(batches).containsExactly(List.of(0, 1, 2), List.of(3, 4));
        assertThat(leaders).containsExactly(0, 3);
        assertIdle();
    }

    @Test
    void a_skipped_request_keeps_its_place_and_leads_next() {
        List<Caller> callers = gather(4, batch -> {
            batch.take(job -> job.number == 1 && !job.equals(batch.leader()) ? Choice.SKIP : Choice.TAKE);
            note(batch);
            batch.members().forEach(Job::answer);
        });
        queue.release();

        callers.forEach(Caller::ending);
        assertThat(batches).containsExactly(List.of(0, 2, 3), List.of(1));
        assertThat(leaders).containsExactly(0, 1);
    }

    @Test
    void requests_that_are_put_back_come_first_in_their_order() {
        List<Caller> callers = gather(5, batch -> {
            batch.takeFirst(3);
            note(batch);
            List<Job> again = batches.size() == 1 ? List.copyOf(batch.members().subList(1, 3)) : List.of();
            batch.putBack(again);
            batch.members().forEach(Job::answer);
        });
        queue.release();

        callers.forEach(Caller::ending);
        assertThat(batches).containsExactly(List.of(0, 1, 2), List.of(1, 2, 3), List.of(4));
    }

    @Test
    void a_leader_goes_on_until_its_own_request_is_done() {
        List<Caller> callers = gather(3, batch -> {
            batch.takeFirst(1);
            note(batch);
            if (batches.size() <= 2) {
                batch.putBack(batch.members());
            }
            batch.members().forEach(Job::answer);
        });
        queue.release();

        callers.forEach(Caller::ending);
        assertThat(leaders).containsExactly(0, 0, 0, 1, 2);
        assertThat(batches).containsExactly(List.of(0), List.of(0), List.of(0), List.of(1), List.of(2));
    }

    /*
     * Whatever leaders take, skip and put back, a list that is changed in the same way stays equal to what the next leader is
     * shown: no request is overtaken but by a leader's choice, which is what bounds its wait.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void the_order_is_that_of_a_list(long seed) {
        Random random = new Random(seed);
        List<Integer> model = new ArrayList<>();
        List<String> differences = new CopyOnWriteArrayList<>();
        List<Caller> callers = gather(30, batch -> {
            List<Integer> shown = new ArrayList<>();
            List<Integer> taken = new ArrayList<>();
            batch.take(job -> {
                shown.add(job.number);
                Choice choice = job.equals(batch.leader()) ? Choice.TAKE : CHOICES.get(random.nextInt(3));
                if (choice == Choice.TAKE) {
                    taken.add(job.number);
                }
                return choice;
            });
            if (!shown.equals(model.subList(0, shown.size())) || batch.leader().number != model.getFirst()) {
                differences.add("%s was shown to %d and not %s".formatted(shown, batch.leader().number, model));
            }
            List<Job> again = batch.members().stream()
                    .filter(job -> !job.equals(batch.leader()) && random.nextInt(3) == 0)
                    .toList();
            model.removeAll(taken);
            model.addAll(0, again.stream().map(job -> job.number).toList());
            batch.putBack(again);
            batch.members().forEach(Job::answer);
        });
        for (int i = 0; i < callers.size(); i++) {
            model.add(i);
        }
        queue.release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(differences).isEmpty();
        assertThat(model).isEmpty();
        assertIdle();
    }

    @Test
    void several_callers_may_lead() throws InterruptedException {
        CombiningQueue<Job> wide = new CombiningQueue<>(2, 0);
        CountDownLatch bothLead = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        Consumer<CombiningQueue<Job>.Batch> step = batch -> {
            batch.takeFirst(10);
            bothLead.countDown();
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        };
        Caller one = new Caller(wide, 1, job -> {}, step);
        Caller other = new Caller(wide, 2, job -> {}, step);
        bothLead.await();

        assertThat(wide.submit(new Job(3), step)).isEqualTo(Ending.FULL);
        goOn.countDown();
        assertThat(one.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(other.ending()).isEqualTo(Ending.ANSWERED);
    }

    @Test
    void a_full_queue_refuses_at_once() {
        CombiningQueue<Job> small = new CombiningQueue<>(1, 1);
        assertThat(small.hold()).isTrue();
        Caller first = new Caller(small, 1, job -> {}, answering(10));
        await().until(() -> small.waiting() == 1);

        assertThat(small.submit(new Job(2), answering(10))).isEqualTo(Ending.FULL);

        small.release();
        assertThat(first.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(1));
    }

    @Test
    void a_request_whose_patience_ends_is_never_taken() {
        List<Caller> callers = gather(3, answering(10));

        callers.get(1).runOutOfPatience();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.TIMED_OUT);
        assertThat(queue.waiting()).isEqualTo(2);
        queue.release();
        assertThat(callers.get(2).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 2));
    }

    @Test
    void an_interrupted_caller_withdraws_its_request_and_stays_interrupted() {
        List<Caller> callers = gather(3, answering(10));

        callers.get(1).thread.interrupt();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.INTERRUPTED);
        assertThat(callers.get(1).isInterruptedAfterwards).isTrue();
        queue.release();
        assertThat(callers.get(2).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 2));
    }

    @Test
    void a_request_of_several_callers_outlives_the_interrupt_of_one() {
        assertThat(queue.hold()).isTrue();
        Caller caller = call(1, job -> job.isInterruptible = false, answering(10));

        caller.thread.interrupt();
        await().until(() -> !caller.thread.isInterrupted());
        assertThat(queue.waiting()).isEqualTo(1);
        queue.release();

        assertThat(caller.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(caller.isInterruptedAfterwards).isTrue();
    }

    /* The first caller leads and takes the second one's request, whose caller then gives up, in both ways. */
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
        queue.release();
        awaitUninterruptibly(taken);

        callers.get(1).thread.interrupt();
        callers.get(1).runOutOfPatience();
        await().until(() -> !callers.get(1).thread.isInterrupted());
        goOn.countDown();

        assertThat(callers.get(1).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(callers.get(1).job().answer).isEqualTo(1);
        assertThat(callers.get(1).isInterruptedAfterwards).isTrue();
    }

    @Test
    void a_caller_that_gave_up_leaves_as_soon_as_its_request_is_put_back() {
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
        queue.release();
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
    void a_request_that_can_be_abandoned_need_not_wait_for_its_leader() {
        CountDownLatch taken = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        assertThat(queue.hold()).isTrue();
        Consumer<CombiningQueue<Job>.Batch> step = batch -> {
            batch.takeFirst(10);
            taken.countDown();
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        };
        Caller first = call(1, step);
        Caller second = call(2, job -> job.isAbandonable = true, step);
        queue.release();
        awaitUninterruptibly(taken);

        second.runOutOfPatience();

        assertThat(second.ending()).isEqualTo(Ending.TIMED_OUT);
        goOn.countDown();
        assertThat(first.ending()).isEqualTo(Ending.ANSWERED);
        assertIdle();
    }

    @Test
    void an_interrupt_is_held_back_from_a_leader_that_may_ask_for_it() {
        List<Boolean> seen = new CopyOnWriteArrayList<>();
        FutureTask<Ending> leading = new FutureTask<>(() -> {
            Thread.currentThread().interrupt();
            return queue.submit(new Job(1), batch -> {
                batch.takeFirst(1);
                seen.add(Thread.currentThread().isInterrupted());
                seen.add(batch.leader().isInterrupted());
                batch.members().forEach(Job::answer);
            });
        });
        List<Boolean> afterwards = new CopyOnWriteArrayList<>();
        Thread.ofVirtual().start(() -> {
            leading.run();
            afterwards.add(Thread.currentThread().isInterrupted());
        });

        await().until(() -> afterwards.size() == 1);
        assertThat(seen).containsExactly(false, true);
        assertThat(afterwards).containsExactly(true);
    }

    @Test
    void an_error_of_a_leader_reaches_each_that_it_has_taken_and_nothing_else() {
        StackOverflowError error = new StackOverflowError("a mistake");
        List<Caller> callers = gather(4, batch -> {
            batch.takeFirst(3);
            note(batch);
            batch.members().getFirst().answer();
            if (batches.size() == 1) {
                throw error;
            }
        });
        queue.release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().answer).containsExactly(0, -1, -1, 3);
        assertThat(callers).extracting(caller -> caller.job().mistake).containsExactly(null, error, error, null);
        assertIdle();
    }

    @Test
    void a_request_that_cannot_be_looked_at_ends_with_its_batch() {
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
        queue.release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().mistake).containsExactly(error, error, error, null);
        assertThat(callers.get(3).job().answer).isEqualTo(3);
        assertIdle();
    }

    @Test
    void an_error_before_anything_is_taken_is_the_leaders_own() {
        List<Caller> callers = gather(2, batch -> {
            if (batch.leader().number == 0) {
                throw new IllegalStateException("a mistake");
            }
            batch.takeFirst(10);
            note(batch);
            batch.members().forEach(Job::answer);
        });
        queue.release();

        assertThatThrownBy(callers.get(0)::ending).hasRootCauseMessage("a mistake");
        assertThat(callers.get(1).ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(1));
        assertIdle();
    }

    @Test
    void a_request_that_its_leader_forgets_is_abandoned() {
        List<Caller> callers = gather(3, batch -> {
            batch.takeFirst(10);
            batch.members().get(1).answer();
        });
        queue.release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().abandoned).containsExactly(true, false, true);
        assertThat(callers.get(0).job().mistake).isNull();
    }

    @Test
    void only_waiting_requests_are_changed() {
        List<Job> changed = new CopyOnWriteArrayList<>();
        List<Job> all = new CopyOnWriteArrayList<>();
        List<Caller> callers = gather(4, batch -> {
            batch.takeFirst(2);
            queue.forEachWaiting(all, changed::add);
            batch.members().forEach(Job::answer);
        });
        callers.forEach(caller -> all.add(caller.job()));
        callers.get(3).thread.interrupt();
        assertThat(callers.get(3).ending()).isEqualTo(Ending.INTERRUPTED);
        queue.release();

        callers.forEach(Caller::ending);
        assertThat(changed).extracting(job -> job.number).containsExactly(2);
    }

    @Test
    void closing_takes_no_more_requests_and_waits_for_those_that_are_here() throws Exception {
        List<Caller> callers = gather(3, answering(2));
        FutureTask<Boolean> closing = new FutureTask<>(() -> queue.close(AN_HOUR));
        Thread.ofVirtual().start(closing);
        await().untilAsserted(
                        () -> assertThat(queue.submit(lateJob(), answering(1))).isEqualTo(Ending.CLOSED));
        assertThat(closing.isDone()).isFalse();
        assertThat(queue.hold()).isFalse();

        queue.release();

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
        assertThat(queue.hold()).isTrue();
        assertThat(queue.close(Duration.ofMillis(1))).isFalse();
    }

    @Test
    void a_queue_that_closes_when_idle_does_so_when_its_last_place_is_free() {
        AtomicInteger idle = new AtomicInteger();
        CombiningQueue<Job> closing = new CombiningQueue<>(2, 100, idle::incrementAndGet);
        assertThat(closing.hold()).isTrue();

        assertThat(closing.submit(new Job(1), answering(1))).isEqualTo(Ending.ANSWERED);
        assertThat(idle).hasValue(0);
        closing.release();

        assertThat(idle).hasValue(1);
        assertThat(closing.submit(new Job(2), answering(1))).isEqualTo(Ending.CLOSED);
        assertThat(closing.hold()).isFalse();
        assertThat(idle).hasValue(1);
    }

    /*
     * The leader is shown a request whose caller runs out of patience at this moment. The caller is held back by the lock; by
     * the time it gets it, the request is taken, and the caller waits for the answer.
     */
    @Test
    void a_request_cannot_be_withdrawn_while_it_is_chosen() {
        assertThat(endingWhenWithdrawnWhileChosen(new ReentrantLock())).isEqualTo(Ending.ANSWERED);
    }

    @Test
    void without_the_lock_a_request_is_carried_out_although_its_caller_was_told_that_it_is_not() {
        assertThat(endingWhenWithdrawnWhileChosen(new NoLock())).isEqualTo(Ending.TIMED_OUT);
    }

    private Ending endingWhenWithdrawnWhileChosen(Lock lock) {
        CombiningQueue<Job> unsure = new CombiningQueue<>(1, 10, null, lock);
        List<Caller> callers = new CopyOnWriteArrayList<>();
        Consumer<CombiningQueue<Job>.Batch> step = batch -> {
            batch.take(job -> {
                if (job.number == 1) {
                    Caller second = callers.get(1);
                    second.runOutOfPatience();
                    await().until(() -> second.ending.isDone() || second.thread.getState() == Thread.State.WAITING);
                }
                return Choice.TAKE;
            });
            note(batch);
            batch.members().forEach(Job::answer);
        };
        assertThat(unsure.hold()).isTrue();
        callers.add(new Caller(unsure, 0, job -> {}, step));
        await().until(() -> unsure.waiting() == 1);
        callers.add(new Caller(unsure, 1, job -> {}, step));
        await().until(() -> unsure.waiting() == 2);
        unsure.release();

        // The leader may fail without the lock, after it has carried out both.
        await().until(() -> batches.size() == 1);
        assertThat(batches).containsExactly(List.of(0, 1));
        return callers.get(1).ending();
    }

    /** The protection taken away. */
    private static final class NoLock implements Lock {
        @Override
        public void lock() {}

        @Override
        public void lockInterruptibly() {}

        @Override
        public boolean tryLock() {
            return true;
        }

        @Override
        public boolean tryLock(long time, TimeUnit unit) {
            return true;
        }

        @Override
        public void unlock() {}

        @Override
        public Condition newCondition() {
            throw new UnsupportedOperationException();
        }
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
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

    /*
     * The first leads and ends the second's request without an answer. The second submits it to another queue at once, where
     * it waits while a place is held. Then the first's step ends, and the queue abandons what is left of its batch.
     */
    @Test
    void a_request_that_is_submitted_again_is_not_abandoned_by_the_leader_before() throws Exception {
        CombiningQueue<Job> other = new CombiningQueue<>(1, 100);
        BlockingQueue<Job> jobs = new LinkedBlockingQueue<>();
        assertThat(queue.hold()).isTrue();
        Caller first = call(1, batch -> {
            batch.takeFirst(2);
            Job second = batch.members().getLast();
            second.leave();
            await().until(() -> other.waiting() == 1);
            batch.leader().answer();
        });
        FutureTask<Ending> second = new FutureTask<>(() -> {
            Job mine = new Job(2);
            jobs.put(mine);
            assertThat(queue.submit(mine, answering(1))).isEqualTo(Ending.ANSWERED);
            assertThat(mine.answer).isEqualTo(-1);
            return other.submit(mine, answering(1));
        });
        assertThat(other.hold()).isTrue();
        Thread.ofVirtual().start(second);
        await().until(() -> queue.waiting() == 2);

        queue.release();
        assertThat(first.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(first.job().answer).isEqualTo(1);
        other.release();

        assertThat(second.get()).isEqualTo(Ending.ANSWERED);
        Job left = jobs.take();
        assertThat(left.abandoned).isFalse();
        assertThat(left.answer).isEqualTo(2);
    }
}
