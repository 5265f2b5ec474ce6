package dev.registrar.concurrent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class ShieldTest {
    @Test
    void an_interrupt_of_the_caller_does_not_end_the_work_and_is_kept() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicReference<String> seen = new AtomicReference<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            String result = Shield.call(() -> {
                begun.countDown();
                try {
                    goesOn.await();
                    return "done";
                } catch (InterruptedException interrupted) {
                    return "interrupted";
                }
            });
            seen.set(result + " " + Thread.currentThread().isInterrupted());
        });
        begun.await();

        caller.interrupt();
        goesOn.countDown();
        caller.join();

        assertThat(seen).hasValue("done true");
    }

    @Test
    void the_caller_gets_what_the_work_throws() {
        IOException checked = new IOException("checked");
        StackOverflowError error = new StackOverflowError("error");

        assertThatThrownBy(() -> Shield.call(() -> {
                    throw checked;
                }))
                .isSameAs(checked);
        assertThatThrownBy(() -> Shield.call(() -> {
                    throw error;
                }))
                .isSameAs(error);
    }
}
