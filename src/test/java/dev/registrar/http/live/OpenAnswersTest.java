package dev.registrar.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.Test;

class OpenAnswersTest {
    private final OpenAnswers open = new OpenAnswers();

    @Test
    void a_stop_waits_for_the_last_open_stream() throws InterruptedException {
        open.start();
        open.begun();
        open.begun();
        Thread stopping = Thread.ofPlatform().start(open::stop);
        await().until(() -> stopping.getState() == Thread.State.TIMED_WAITING);

        open.ended();
        assertThat(open.isRunning()).isFalse();
        assertThat(stopping.isAlive()).isTrue();
        open.ended();

        stopping.join();
    }
}
