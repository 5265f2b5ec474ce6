package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
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
 * The heap that an idle stream of live events uses. The test has a service of its own: Tomcat reuses the objects of
 * earlier requests, which would hide some of the memory.
 */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = "registrar.live.heartbeat=500ms")
class LiveMemoryTest {
    private static final int LISTENERS = 300;
    private static final int MOST_BYTES_EACH = 32 * 1024;

    private final int port;
    private final MeterRegistry meters;

    LiveMemoryTest(@LocalServerPort int port, @Autowired MeterRegistry meters) {
        this.port = port;
        this.meters = meters;
    }

    /* With Tomcat's default buffer sizes a stream used 112 KiB, and two thousand streams filled 256 MB. */
    @Test
    void an_idle_listener_takes_less_than_32_KiB() throws IOException {
        List<Socket> listening = new ArrayList<>();
        try {
            listening.add(listen(0));
            awaitListeners(1);
            long before = leastHeapInUse();
            for (int i = 1; i <= LISTENERS; i++) {
                listening.add(listen(i));
            }
            awaitListeners(1 + LISTENERS);

            assertThat((leastHeapInUse() - before) / LISTENERS).isLessThan(MOST_BYTES_EACH);
        } finally {
            for (Socket socket : listening) {
                socket.close();
            }
        }
        awaitListeners(0);
    }

    /* A plain socket, since the memory of an HTTP client would count too. */
    private Socket listen(int id) throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.getOutputStream()
                .write(
                        "GET /dcb/events?query=%%7B%%22items%%22:%%5B%%7B%%22tags%%22:%%5B%%22quiet:%d%%22%%5D%%7D%%5D%%7D HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .formatted(id)
                                .getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 200");
        return socket;
    }

    private void awaitListeners(int count) {
        await().until(() -> meters.get("registrar.live.listeners").gauge().value() == count);
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
