package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Idle connections of a service that accepts a hundred connections. */
@ServiceWithOtherSettingsTest
class ScarceConnectionsTest {
    private static final int ALL = ServiceWithOtherSettingsTest.MAX_CONNECTIONS;
    private static final int MAX_WAIT_MILLIS = 120_000;
    private static final String LAST = "Connection: close";

    private final int port;
    private final List<Socket> open = new ArrayList<>();

    ScarceConnectionsTest(@LocalServerPort int port) {
        this.port = port;
    }

    @AfterEach
    void close() throws IOException {
        for (Socket socket : open) {
            socket.close();
        }
    }

    @Test
    void a_response_closes_its_connection_while_three_quarters_are_in_use() throws IOException {
        List<Socket> resting = new ArrayList<>();
        for (int i = 0; i < ALL; i++) {
            Socket newcomer = connect();
            List<String> answer = ask(newcomer);
            assertThat(answer).contains("HTTP/1.1 200 ");
            if (answer.contains(LAST)) {
                assertThat(newcomer.getInputStream().read()).isEqualTo(-1);
            } else {
                resting.add(newcomer);
            }
        }

        // Fewer at first, if the requests of other tests have left idle connections.
        assertThat(resting).hasSizeBetween(2, ALL * 3 / 4);
        // Two, since the server also counts the connection that it accepts next, sometimes with a delay.
        resting.removeFirst().close();
        resting.removeFirst().close();
        await().untilAsserted(() -> assertThat(ask(connect())).doesNotContain(LAST));
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), port);
        socket.setSoTimeout(MAX_WAIT_MILLIS);
        open.add(socket);
        return socket;
    }

    /* The status line and the headers of a response without a body. */
    private static List<String> ask(Socket socket) throws IOException {
        socket.getOutputStream().write("HEAD /api/courses HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII));
        BufferedReader answer = new BufferedReader(new InputStreamReader(socket.getInputStream(), US_ASCII));
        List<String> lines = new ArrayList<>();
        for (String line = answer.readLine(); line != null && !line.isEmpty(); line = answer.readLine()) {
            lines.add(line);
        }
        return lines;
    }
}
