package dev.registrar.http.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.http.ServiceTest;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.tomcat.TomcatWebServer;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;

/** A bounded number of requests runs at a time; the others wait. */
@ServiceTest
class RequestThreadsTest {
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final CountDownLatch end = new CountDownLatch(1);
    private final Queue<Integer> begun = new ConcurrentLinkedQueue<>();

    @Test
    void the_server_uses_this_executor(
            @Autowired ServletWebServerApplicationContext service, @Autowired RequestThreads threads) {
        assertThat(service.getWebServer())
                .isInstanceOfSatisfying(
                        TomcatWebServer.class,
                        server -> assertThat(server.getTomcat()
                                        .getConnector()
                                        .getProtocolHandler()
                                        .getExecutor())
                                .isSameAs(threads));
    }

    @Test
    void requests_beyond_the_bound_wait_for_a_permit() {
        RequestThreads threads = threads(3);

        for (int number = 0; number < 5; number++) {
            threads.execute(this::runsUntilTheEnd);
        }

        awaitWaiting(2);
        await().untilAsserted(() -> assertThat(begun).hasSize(3));
        end.countDown();
        await().untilAsserted(() -> assertThat(begun).hasSize(5));
        awaitWaiting(0);
    }

    @Test
    void a_failed_request_releases_its_permit() {
        RequestThreads threads = threads(1);

        for (int number = 0; number < 3; number++) {
            threads.execute(() -> {
                begun.add(0);
                throw new IllegalStateException("a request that fails on purpose");
            });
        }

        await().dontCatchUncaughtExceptions()
                .untilAsserted(() -> assertThat(begun).hasSize(3));
    }

    private RequestThreads threads(int atATime) {
        RequestThreads threads = new RequestThreads(atATime);
        threads.bindTo(meters);
        return threads;
    }

    private void runsUntilTheEnd() {
        begun.add(0);
        try {
            end.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitWaiting(int requests) {
        await().until(() ->
                meters.get("registrar.http.requests.waiting").gauge().value() == requests);
    }
}
