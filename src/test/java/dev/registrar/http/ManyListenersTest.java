package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.net.InetAddress;
import java.net.InetSocketAddress;
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
 * As many streams as the service accepts by default, one of which is not read. The test has a service of its own:
 * Tomcat reuses the objects of earlier requests, which would hide some of the memory.
 */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.live.heartbeat=500ms",
            "registrar.live.max-streams-per-client=1000",
            // The stream that is not read stays open for the whole test.
            "server.tomcat.connection-timeout=1h"
        })
class ManyListenersTest {
    private static final int OTHERS = 999;
    private static final int MOST_BYTES_EACH = 128 * 1024;
    private static final int LARGE = 900_000;
    private static final int MANY = 12;

    private final int port;
    private final EventStore store;
    private final MeterRegistry meters;

    ManyListenersTest(@LocalServerPort int port, @Autowired EventStore store, @Autowired MeterRegistry meters) {
        this.port = port;
        this.store = store;
        this.meters = meters;
    }

    @Test
    void a_listener_that_reads_nothing_delays_none_of_999_others_and_each_takes_less_than_128_KiB() throws IOException {
        List<Socket> listening = new ArrayList<>();
        try {
            listening.add(listen("stuck"));
            awaitListeners(1);
            long before = leastHeapInUse();
            for (int i = 0; i < OTHERS; i++) {
                listening.add(listen("read"));
            }
            awaitListeners(1 + OTHERS);
            assertThat((leastHeapInUse() - before) / OTHERS).isLessThan(MOST_BYTES_EACH);

            // More than the buffers of both sides hold.
            String large = "\"%s\"".formatted("x".repeat(LARGE));
            for (int i = 0; i < MANY; i++) {
                append(Event.of("Noted", large, "stuck"));
            }
            append(Event.of("Noted", "1", "read"));
            for (Socket other : listening.subList(1, 1 + OTHERS)) {
                BufferedReader in = new BufferedReader(new InputStreamReader(other.getInputStream(), UTF_8));
                assertThat(in.lines().anyMatch("event: Noted"::equals)).isTrue();
            }
            assertThat(listeners()).isEqualTo(1 + OTHERS);
        } finally {
            for (Socket socket : listening) {
                socket.close();
            }
        }
        awaitListeners(0);
    }

    private void append(Event event) {
        store.append(Append.of(event).by(Actor.ofApplication("test")));
    }

    /* A plain socket, since the memory of an HTTP client would count too. */
    private Socket listen(String tag) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout((int) AwaitilityTimeouts.MAX_WAIT.toMillis());
        socket.getOutputStream()
                .write(
                        "GET /dcb/events?query=%%7B%%22items%%22:%%5B%%7B%%22tags%%22:%%5B%%22%s%%22%%5D%%7D%%5D%%7D HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                .formatted(tag)
                                .getBytes(US_ASCII));
        assertThat(new String(socket.getInputStream().readNBytes(12), US_ASCII)).isEqualTo("HTTP/1.1 200");
        return socket;
    }

    private void awaitListeners(int count) {
        await().until(() -> listeners() == count);
    }

    private double listeners() {
        return meters.get("registrar.live.listeners").gauge().value();
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
