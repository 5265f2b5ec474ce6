package dev.registrar.console.live;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.http.ServiceTest;
import dev.registrar.subscription.LiveFeed;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * A thousand open pages of one address. The test has a service of its own: Tomcat reuses the objects of earlier
 * requests, which would hide some of the memory.
 */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = {"registrar.live.heartbeat=5s", "registrar.live.max-streams-per-client=1000"})
@Tag("thorough")
class ManyPagesTest {
    private static final int PAGES = 1_000;
    private static final int MOST_BYTES_EACH = 128 * 1024;

    private final int port;
    private final Api api;
    private final LiveFeed feed;

    ManyPagesTest(@LocalServerPort int port, @Autowired LiveFeed feed) {
        this.port = port;
        this.api = new Api(port);
        this.feed = feed;
    }

    @Test
    void a_thousand_open_pages_take_bounded_memory_and_learn_of_a_change() throws IOException {
        String course = api.course(10);
        String student = api.student();
        List<Socket> pages = new ArrayList<>();
        try {
            pages.add(open());
            awaitPages(1);
            long before = leastHeapInUse();
            while (pages.size() < PAGES) {
                pages.add(open());
            }
            awaitPages(PAGES);

            assertThat((leastHeapInUse() - before) / (PAGES - 1)).isLessThan(MOST_BYTES_EACH);

            api.enroll(student, course).expect(201);
            for (Socket page : pages) {
                page.setSoTimeout((int) AwaitilityTimeouts.MAX_WAIT.toMillis());
                BufferedReader in = new BufferedReader(new InputStreamReader(page.getInputStream(), UTF_8));
                assertThat(in.lines().anyMatch(line -> "event: changed".equals(line)))
                        .isTrue();
            }
        } finally {
            for (Socket page : pages) {
                page.close();
            }
        }
        awaitPages(0);
    }

    private Socket open() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write("GET /console/live/seats HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 200");
        return socket;
    }

    private void awaitPages(int count) {
        await().until(() -> feed.listeners() == count);
    }

    private static long leastHeapInUse() {
        MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
        return LongStream.generate(() -> {
                    memory.gc();
                    return memory.getHeapMemoryUsage().getUsed();
                })
                .limit(3)
                .min()
                .orElseThrow();
    }
}
