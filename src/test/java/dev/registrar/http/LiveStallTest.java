package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import io.micrometer.core.instrument.MeterRegistry;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * Clients that read long responses slowly, or not at all. Relative to the time-out, a slow client here takes as much as
 * one of 12 KB/s with the default.
 */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@ExtendWith(OutputCaptureExtension.class)
@TestPropertySource(
        properties = {
            // A stream whose client has disconnected ends with a heartbeat.
            "registrar.live.heartbeat=500ms",
            "server.tomcat.connection-timeout=3s"
        })
class LiveStallTest {
    private static final int LARGE = 900_000;
    private static final int MANY = 15;

    private final int port;
    private final MeterRegistry meters;
    private final EventStore store;
    private final String tag = "test:" + Api.newId("stall");

    LiveStallTest(@LocalServerPort int port, @Autowired MeterRegistry meters, @Autowired EventStore store) {
        this.port = port;
        this.meters = meters;
        this.store = store;
    }

    private Socket listen() throws IOException {
        Socket client = ask("/dcb/events", "&after=" + store.head().position());
        awaitListeners(1);
        return client;
    }

    private Socket ask(String path, String after) throws IOException {
        Socket client = new Socket();
        client.setReceiveBufferSize(4 * 1024);
        client.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        client.getOutputStream()
                .write(
                        "GET %s?query=%%7B%%22items%%22:%%5B%%7B%%22tags%%22:%%5B%%22%s%%22%%5D%%7D%%5D%%7D%s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                .formatted(path, tag, after)
                                .getBytes(US_ASCII));
        client.setSoTimeout((int) AwaitilityTimeouts.MAX_WAIT.toMillis());
        return client;
    }

    /* 80 KB/s. The operating system reports the connection writable after each 128 KiB. */
    private static int takeALittle(InputStream in, Duration time) throws IOException, InterruptedException {
        int taken = 0;
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            taken += in.readNBytes(8 * 1024).length;
            TimeUnit.MILLISECONDS.sleep(100);
        }
        return taken;
    }

    @Test
    void a_slowly_read_response_is_sent_completely(CapturedOutput output) throws Exception {
        appendMore();
        try (Socket client = ask("/dcb/read", "")) {
            InputStream in = client.getInputStream();
            int slowly = takeALittle(in, Duration.ofSeconds(8));

            assertThat(slowly + in.readAllBytes().length).isGreaterThan(MANY * LARGE);
        }
        assertThat(output).doesNotContain("took too little");
    }

    @Test
    void a_slowly_read_live_stream_continues() throws Exception {
        try (Socket client = listen()) {
            CompletableFuture<Void> appends = CompletableFuture.runAsync(this::appendMore);
            InputStream in = client.getInputStream();
            int slowly = takeALittle(in, Duration.ofSeconds(8));

            assertThat(slowly + in.readNBytes(MANY * LARGE - slowly).length).isEqualTo(MANY * LARGE);
            appends.join();
        }
        awaitListeners(0);
    }

    @Test
    void an_unread_response_is_cut_off_with_one_log_line(CapturedOutput output) throws IOException {
        appendMore();
        try (Socket client = ask("/dcb/read", "")) {
            await().until(() -> output.getOut().contains("took too little of its answer"));

            byte[] received = client.getInputStream().readAllBytes();
            assertThat(received).hasSizeLessThan(MANY * LARGE);
            assertThat(isCutOffOnly(new String(received, US_ASCII))).isTrue();
        }
        assertThat(output.getOut().lines().filter(line -> line.contains("took too little")))
                .singleElement()
                .asString()
                .contains("INFO");
        assertThat(output).doesNotContain("Exception");
    }

    /* Whether all chunks but the last are complete, and the last one contains no end of a line, which the data has not. */
    private static boolean isCutOffOnly(String answer) {
        int chunk = answer.indexOf("\r\n\r\n") + 4;
        while (true) {
            int size = answer.indexOf("\r\n", chunk);
            if (size < 0) {
                return true;
            }
            int data = size + 2;
            int end = data + Integer.parseInt(answer, chunk, size, 16);
            if (end + 2 > answer.length()) {
                return !answer.substring(data, Math.min(end, answer.length())).contains("\r\n");
            }
            chunk = end + 2;
        }
    }

    private void awaitListeners(int count) {
        await().until(() -> meters.get("registrar.live.listeners").gauge().value() == count);
    }

    private void appendMore() {
        String large = "\"%s\"".formatted("x".repeat(LARGE));
        for (int i = 0; i < MANY; i++) {
            store.append(Append.of(Event.of("Noted", large, tag)).by(Actor.ofApplication("test")));
        }
    }

    @Test
    void a_listener_that_reads_nothing_is_cut_off() throws IOException {
        try (Socket client = listen()) {
            appendMore();
            awaitListeners(0);

            client.setSoTimeout((int) AwaitilityTimeouts.MAX_WAIT.toMillis());
            assertThat(client.getInputStream().readAllBytes()).hasSizeLessThan(MANY * LARGE);
        }
    }
}
