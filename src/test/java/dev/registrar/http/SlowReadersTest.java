package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.LiveClient;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;

/**
 * A hundred connections on which clients read a long answer of the event store, a few hundred bytes every four seconds.
 * In the mode local, each address is a client.
 */
@Tag("thorough")
@ServiceTest
@DirtiesContext
class SlowReadersTest {
    private static final int READERS = 100;
    private static final int READERS_OF_A_CLIENT = 10;
    /** The default of registrar.dcb.max-long-reads-per-client. */
    private static final int MOST_OF_A_CLIENT = 16;

    private static final int EVENTS = 200;
    private static final int LARGE = 60_000;

    private final int port;
    private final Api api;
    private final EventStore store;
    private final MeterRegistry meters;
    private final String tag = "test:" + Api.newId("slow");

    SlowReadersTest(@LocalServerPort int port, @Autowired EventStore store, @Autowired MeterRegistry meters) {
        this.port = port;
        this.api = new Api(port);
        this.store = store;
        this.meters = meters;
    }

    @Test
    void a_hundred_slow_readers_keep_nobody_from_reading_and_are_cut_off() throws Exception {
        appendMany();
        String course = api.course(10);
        List<Socket> slow = new ArrayList<>();
        try (ExecutorService readers = Executors.newVirtualThreadPerTaskExecutor()) {
            try (LiveClient stream = LiveClient.get(port, "/api/courses/%s/events".formatted(course))) {
                for (int i = 0; i < READERS; i++) {
                    Socket reader = read(1 + i / READERS_OF_A_CLIENT);
                    assertThat(status(reader)).isEqualTo("HTTP/1.1 200");
                    slow.add(reader);
                    Future<Void> unused = readers.submit(() -> takeAFewBytes(reader));
                }
                assertThat(active()).isEqualTo(READERS);

                String student = api.student();
                api.enroll(student, course).expect(201);
                api.get("/api/courses/" + course).expect(200);
                api.get("/dcb/head").expect(200);
                assertThat(api.get("/dcb/read?query=" + query()).expect(200).text())
                        .hasSizeGreaterThan(EVENTS * LARGE);
                await().until(() -> stream.lines().contains("event: StudentEnrolledInCourse"));
                await().until(() -> active() == 0);
            } finally {
                // Otherwise the operating system would send what it has buffered, for hours.
                for (Socket reader : slow) {
                    reader.close();
                }
            }
        }
    }

    @Test
    void one_client_has_a_bounded_number_of_unfinished_long_reads() throws IOException {
        appendMany();
        List<Socket> open = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_OF_A_CLIENT; i++) {
                open.add(read(99));
                assertThat(status(open.getLast())).isEqualTo("HTTP/1.1 200");
            }
            open.add(read(99));
            assertThat(status(open.getLast())).isEqualTo("HTTP/1.1 429");
        } finally {
            for (Socket reader : open) {
                reader.close();
            }
        }
        await().until(() -> active() == 0);
    }

    private void appendMany() {
        String large = "\"%s\"".formatted("x".repeat(LARGE));
        for (int i = 0; i < EVENTS; i++) {
            store.append(Append.of(Event.of("Noted", large, tag)).by(Actor.ofApplication("test")));
        }
    }

    private String query() {
        return "%%7B%%22items%%22:%%5B%%7B%%22tags%%22:%%5B%%22%s%%22%%5D%%7D%%5D%%7D".formatted(tag);
    }

    private Socket read(int client) throws IOException {
        Socket socket = new Socket();
        socket.setReceiveBufferSize(4 * 1024);
        socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.1." + client), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout((int) AwaitilityTimeouts.MAX_WAIT.toMillis());
        socket.getOutputStream()
                .write("GET /dcb/read?query=%s HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .formatted(query())
                        .getBytes(US_ASCII));
        return socket;
    }

    private static String status(Socket socket) throws IOException {
        return new String(socket.getInputStream().readNBytes(12), US_ASCII);
    }

    /* Until the server closes the connection, or the test does. */
    private static Void takeAFewBytes(Socket reader) throws InterruptedException {
        try {
            while (reader.getInputStream().readNBytes(300).length > 0) {
                TimeUnit.SECONDS.sleep(4);
            }
        } catch (IOException closed) {
            // The answer was cut off.
        }
        return null;
    }

    private double active() {
        return meters.get("registrar.http.requests.active").gauge().value();
    }
}
