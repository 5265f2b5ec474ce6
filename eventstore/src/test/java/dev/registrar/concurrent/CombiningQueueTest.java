package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.CombiningQueue.Choice;
import dev.registrar.concurrent.CombiningQueue.Ending;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which thread carries out requests, which requests a batch takes, and in which order. */
@Timeout(120)
class CombiningQueueTest extends CombiningQueueFixture {
    private final List<Thread> threads = new CopyOnWriteArrayList<>();

    private Consumer<CombiningQueue<Job>.Batch> answeringOn(int most) {
        return batch -> {
            threads.add(Thread.currentThread());
            answering(most).accept(batch);
        };
    }

    @Test
    void a_lone_caller_carries_out_its_own_request() {
        Job mine = new Job(7);
        step = answeringOn(10);

        assertThat(queue.submit(mine)).isEqualTo(Ending.ANSWERED);

        assertThat(mine.answer).isEqualTo(7);
        assertThat(batches).containsExactly(List.of(7));
        assertThat(threads).containsExactly(Thread.currentThread());
        assertIdle();
    }

    @Test
    void waiting_requests_are_carried_out_together_by_no_callers_thread() {
        List<Caller> callers = gather(5, answeringOn(3));
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(callers).extracting(caller -> caller.job().answer).containsExactly(0, 1, 2, 3, 4);
        assertThat(batches).containsExactly(List.of(0, 1, 2), List.of(3, 4));
        assertThat(threads)
                .doesNotContainAnyElementsOf(
                        callers.stream().map(caller -> caller.thread).toList());
        assertIdle();
    }

    @Test
    void a_skipped_request_keeps_its_place_and_is_taken_next() {
        List<Caller> callers = gather(4, batch -> {
            batch.take(job -> job.number == 1 && batches.isEmpty() ? Choice.SKIP : Choice.TAKE);
            note(batch);
            batch.members().forEach(Job::answer);
        });
        release();

        callers.forEach(Caller::ending);
        assertThat(batches).containsExactly(List.of(0, 2, 3), List.of(1));
    }

    @ParameterizedTest
    @EnumSource(names = {"SKIP", "STOP"})
    void a_lone_request_that_is_not_taken_waits_for_the_next_batch(Choice first) {
        step = batch -> {
            threads.add(Thread.currentThread());
            batch.take(job -> threads.size() == 1 ? first : Choice.TAKE);
            batch.members().forEach(Job::answer);
        };
        Job mine = new Job(1);

        assertThat(queue.submit(mine)).isEqualTo(Ending.ANSWERED);

        assertThat(mine.answer).isEqualTo(1);
        assertThat(threads).hasSize(2).doesNotHaveDuplicates().startsWith(Thread.currentThread());
        assertIdle();
    }

    @Test
    void a_batch_knows_whether_the_last_batch_with_requests_had_several() {
        List<Boolean> known = new CopyOnWriteArrayList<>();
        List<Caller> callers = gather(4, batch -> {
            known.add(batch.followsShared());
            batch.takeFirst(List.of(2, 0, 1, 1).get(known.size() - 1));
            batch.members().forEach(Job::answer);
        });
        release();

        callers.forEach(Caller::ending);
        assertIdle();
        assertThat(known).containsExactly(false, true, true, false);
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
        release();

        callers.forEach(Caller::ending);
        assertThat(batches).containsExactly(List.of(0, 1, 2), List.of(1, 2, 3), List.of(4));
    }

    @Test
    void a_lone_request_that_is_put_back_is_carried_out_by_another_thread() {
        step = batch -> {
            threads.add(Thread.currentThread());
            batch.takeFirst(1);
            if (threads.size() == 1) {
                batch.putBack(batch.members());
            }
            batch.members().forEach(Job::answer);
        };

        assertThat(queue.submit(new Job(1))).isEqualTo(Ending.ANSWERED);

        assertThat(threads).hasSize(2).doesNotHaveDuplicates().startsWith(Thread.currentThread());
    }

    /*
     * Batches take, skip and put back at random. A list that is changed in the same way always equals the requests that
     * the next batch sees. So only a batch's choice lets one request overtake another, which bounds each request's wait.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void requests_keep_the_order_of_a_list(long seed) {
        Random random = new Random(seed);
        List<Integer> model = new ArrayList<>();
        List<String> differences = new CopyOnWriteArrayList<>();
        List<Caller> callers = gather(30, batch -> {
            List<Integer> shown = new ArrayList<>();
            List<Integer> taken = new ArrayList<>();
            batch.take(job -> {
                shown.add(job.number);
                Choice choice = shown.size() == 1 ? Choice.TAKE : CHOICES.get(random.nextInt(3));
                if (choice == Choice.TAKE) {
                    taken.add(job.number);
                }
                return choice;
            });
            if (!shown.equals(model.subList(0, shown.size()))) {
                differences.add("%s was shown and not %s".formatted(shown, model));
            }
            List<Job> again = batch.members().stream()
                    .filter(job -> job.number != taken.getFirst() && random.nextInt(3) == 0)
                    .toList();
            model.removeAll(taken);
            model.addAll(0, again.stream().map(job -> job.number).toList());
            batch.putBack(again);
            batch.members().forEach(Job::answer);
        });
        for (int i = 0; i < callers.size(); i++) {
            model.add(i);
        }
        release();

        assertThat(callers).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(differences).isEmpty();
        assertThat(model).isEmpty();
        assertIdle();
    }

    @Test
    void several_batches_can_be_under_way() throws InterruptedException {
        CountDownLatch both = new CountDownLatch(2);
        CountDownLatch goOn = new CountDownLatch(1);
        CombiningQueue<Job> wide = new CombiningQueue<>("wide", 2, 0, batch -> {
            batch.takeFirst(10);
            both.countDown();
            awaitUninterruptibly(goOn);
            batch.members().forEach(Job::answer);
        });
        Caller one = new Caller(wide, 1, job -> {});
        Caller other = new Caller(wide, 2, job -> {});
        both.await();

        assertThat(wide.submit(new Job(3))).isEqualTo(Ending.FULL);
        goOn.countDown();
        assertThat(one.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(other.ending()).isEqualTo(Ending.ANSWERED);
    }

    @Test
    void a_full_queue_refuses_at_once() {
        CombiningQueue<Job> small = new CombiningQueue<>("small", 1, 1, heldOr(answering(10)));
        hold(small);
        Caller first = new Caller(small, 1, job -> {});
        await().until(() -> small.waiting() == 1);

        assertThat(small.submit(new Job(2))).isEqualTo(Ending.FULL);

        release();
        assertThat(first.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(1));
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
        release();

        callers.forEach(Caller::ending);
        assertThat(changed).extracting(job -> job.number).containsExactly(2);
    }

    @Test
    void a_thread_has_the_name_of_its_queue_and_inherits_nothing_of_a_caller() {
        InheritableThreadLocal<String> ofCaller = new InheritableThreadLocal<>();
        List<String> seen = new CopyOnWriteArrayList<>();
        step = batch -> {
            seen.add(Thread.currentThread().getName() + " with " + ofCaller.get());
            answering(10).accept(batch);
        };
        hold(queue, job -> ofCaller.set("of the thread that starts it"));
        Caller waiting = call(1);
        release();

        assertThat(waiting.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(seen).containsExactly("test with null");
    }

    /* No caller's thread carries out requests of others, and no request waits in vain. */
    @Test
    void if_no_thread_can_be_started_waiting_requests_are_abandoned() {
        OutOfMemoryError exhaustion = new OutOfMemoryError("unable to create native thread");
        AtomicBoolean isExhausted = new AtomicBoolean();
        CombiningQueue<Job> exhausted = new CombiningQueue<>(
                1,
                100,
                heldOr(answeringOn(3)),
                new ReentrantLock(),
                work -> {
                    if (isExhausted.get()) {
                        throw exhaustion;
                    }
                    return Thread.ofVirtual().unstarted(work);
                },
                idle -> {});
        hold(exhausted);
        List<Caller> answered = gather(2, exhausted);
        release();
        assertThat(answered).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        Job afterShared = new Job(2);
        isExhausted.set(true);
        assertThat(exhausted.submit(afterShared)).isEqualTo(Ending.ANSWERED);
        assertThat(afterShared.mistake()).isEqualTo(exhaustion);
        Caller holder = hold(exhausted);
        List<Caller> abandoned = gather(5, exhausted);
        release();

        assertThat(abandoned).extracting(Caller::ending).containsOnly(Ending.ANSWERED);
        assertThat(abandoned).extracting(caller -> caller.job().mistake()).containsOnly(exhaustion);
        assertThat(holder.ending()).isEqualTo(Ending.ANSWERED);
        assertThat(exhausted.submit(new Job(3))).isEqualTo(Ending.ANSWERED);
        assertThat(batches).containsExactly(List.of(0, 1), List.of(3));
        assertThat(threads).hasSize(2).endsWith(Thread.currentThread());
        assertThat(exhausted.close(AN_HOUR)).isTrue();
    }

    private static List<Caller> gather(int callers, CombiningQueue<Job> to) {
        List<Caller> gathered = new ArrayList<>();
        for (int i = 0; i < callers; i++) {
            gathered.add(new Caller(to, i, job -> {}));
            await().until(() -> to.waiting() == gathered.size());
        }
        return gathered;
    }
}
