package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races between a leader and a caller that withdraws its request or submits it again. */
@Timeout(120)
class CombiningQueueRacesTest extends CombiningQueueFixture {
    /*
     * The leader inspects a request whose caller times out at this moment. The caller waits for the lock. When the
     * caller gets the lock, the leader has taken the request, and the caller waits for the answer.
     */
    @Test
    void a_request_cannot_be_withdrawn_while_it_is_chosen() {
        assertThat(endingWhenWithdrawnWhileChosen(new ReentrantLock())).isEqualTo(Ending.ANSWERED);
    }

    @Test
    void without_the_lock_a_withdrawn_request_is_carried_out() {
        assertThat(endingWhenWithdrawnWhileChosen(new NoLock())).isEqualTo(Ending.TIMED_OUT);
    }

    private Ending endingWhenWithdrawnWhileChosen(Lock lock) {
        CombiningQueue<Job> unsure = new CombiningQueue<>(1, 10, null, lock);
        List<Caller> callers = new CopyOnWriteArrayList<>();
        Consumer<CombiningQueue<Job>.Batch> step = batch -> {
            batch.take(job -> {
                if (job.number == 1) {
                    Caller second = callers.get(1);
                    second.timeOut();
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

        // Without the lock, the leader may fail after it has carried out both.
        await().until(() -> batches.size() == 1);
        assertThat(batches).containsExactly(List.of(0, 1));
        return callers.get(1).ending();
    }

    /** The control: no protection. */
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

    /*
     * The first caller leads and ends the second caller's request without an answer. The second caller submits the
     * request to another queue at once, where it waits while a place is held. Then the first caller's step ends, and
     * the queue abandons the rest of its batch.
     */
    @Test
    void a_resubmitted_request_is_not_abandoned_by_its_previous_leader() throws Exception {
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
