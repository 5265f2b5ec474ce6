package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private final Turns turns = new Turns(Duration.ofMillis(100));
    private final Turns longTurns = new Turns(Duration.ofMinutes(2));

    @Test
    void short_batches_run_one_after_another() throws Exception {
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        List<Future<Integer>> all = new ArrayList<>();
        try (ExecutorService loops = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 4; i++) {
                all.add(loops.submit(() -> longTurns.take(() -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    // Long enough to overlap with another batch.
                    LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
                    return running.decrementAndGet();
                })));
            }
        }

        for (Future<Integer> batch : all) {
            assertThat(batch.get()).isZero();
        }
        assertThat(most).hasValue(1);
    }

    @Test
    void a_batch_that_does_not_end_blocks_no_other() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (ExecutorService loops = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> stuck = loops.submit(() -> turns.take(() -> {
                begun.countDown();
                return ended(release);
            }));
            begun.await();

            assertThat(turns.take(() -> "other")).isEqualTo("other");
            assertThat(turns.take(() -> "next")).isEqualTo("next");

            release.countDown();
            assertThat(stuck.get()).isTrue();
        }
    }

    @Test
    void a_failed_batch_releases_its_turn() throws InterruptedException {
        assertThatThrownBy(() -> turns.take(() -> {
                    throw new IllegalStateException("failed");
                }))
                .hasMessage("failed");

        AtomicInteger taken = new AtomicInteger();
        turns.take(taken::incrementAndGet);
        assertThat(taken).hasValue(1);
    }

    private static boolean ended(CountDownLatch latch) {
        try {
            return latch.await(2, TimeUnit.MINUTES);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
