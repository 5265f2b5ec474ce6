package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ServiceThreadTest {
    /* The second step finds the interrupt that the first one has left. */
    @Test
    void a_failure_and_an_interrupt_by_a_step_end_no_thread() {
        AtomicInteger steps = new AtomicInteger();
        CountDownLatch forever = new CountDownLatch(1);
        try (ServiceThread thread = new ServiceThread("test", Duration.ofMillis(10), () -> {
            switch (steps.incrementAndGet()) {
                case 1 -> Thread.currentThread().interrupt();
                case 2 -> Thread.sleep(1); // any call that an interrupt ends
                case 3 -> throw new LinkageError("A failure that is expected");
                default -> forever.await();
            }
        })) {
            thread.start();

            await().until(() -> steps.get() == 4);

            assertThat(thread.isAlive()).isTrue();
        }
    }

    @Test
    void a_step_that_does_not_end_in_time_is_interrupted() {
        CountDownLatch ended = new CountDownLatch(1);
        CountDownLatch begun = new CountDownLatch(1);
        ServiceThread thread = new ServiceThread("test", Duration.ofMillis(10), new ServiceThread.Work() {
            @Override
            public void step() throws InterruptedException {
                begun.countDown();
                new CountDownLatch(1).await();
            }

            @Override
            public void ended() {
                ended.countDown();
            }
        });
        thread.start();
        await().until(() -> begun.getCount() == 0);

        thread.close();

        await().until(() -> ended.getCount() == 0);
    }
}
