package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Races between a batch and a caller that withdraws its request. */
@Timeout(120)
class CombiningQueueRacesTest extends CombiningQueueFixture {
    /*
     * A batch inspects a request whose caller times out at this moment. The caller waits for the lock. When the caller
     * gets the lock, the batch has taken the request, and the caller waits for the answer.
     */
    @Test
    void a_request_cannot_be_withdrawn_while_it_is_chosen() {
        ThreadFactory threads = CombiningQueue.threads("sound");

        assertThat(endingWhenWithdrawnWhileChosen(new ReentrantLock(), threads)).isEqualTo(Ending.ANSWERED);
    }

    @Test
    void without_the_lock_a_withdrawn_request_is_carried_out() {
        NoLock noLock = new NoLock();
        // The batches of the damaged queue fail, also during the next test.
        ThreadFactory threads = Thread.ofVirtual()
                .uncaughtExceptionHandler((thread, failure) -> {})
                .factory();

        assertThat(endingWhenWithdrawnWhileChosen(noLock, threads)).isEqualTo(Ending.TIMED_OUT);
        noLock.over = true;
    }

    private Ending endingWhenWithdrawnWhileChosen(Lock lock, ThreadFactory threads) {
        List<Caller> callers = new CopyOnWriteArrayList<>();
        Consumer<CombiningQueue<Job>.Batch> choosing = batch -> {
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
        CombiningQueue<Job> unsure = new CombiningQueue<>(1, 10, heldOr(choosing), lock, threads, idle -> {});
        hold(unsure);
        callers.add(new Caller(unsure, 0, job -> {}));
        await().until(() -> unsure.waiting() == 1);
        callers.add(new Caller(unsure, 1, job -> {}));
        await().until(() -> unsure.waiting() == 2);
        release();

        // Without the lock, the batch may fail after it has carried out both.
        await().until(() -> batches.size() == 1);
        assertThat(batches).containsExactly(List.of(0, 1));
        return callers.get(1).ending();
    }

    /** The control: no protection. The damaged queue would start threads for ever, so these end in the lock. */
    private static final class NoLock implements Lock {
        private volatile boolean over;

        @Override
        public void lock() {
            while (over) {
                LockSupport.park();
            }
        }

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
}
