package dev.registrar.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Request bodies that arrive slowly or not at all, or that are too large. */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            // Long enough for bodies that arrive at once, even on a busy machine.
            "registrar.http.admission.deadline=3s",
            // Not longer than the deadline, which is checked only when a read of the body ends.
            "server.tomcat.connection-timeout=1s"
        })
class ArrivingBodiesTest {
    private static final String IMPORT = "/api/courses/import";
    private static final int MOST_TRIES = 200;
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(2);

    private final int port;

    ArrivingBodiesTest(@LocalServerPort int port) {
        this.port = port;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/courses", IMPORT})
    void a_body_that_arrives_byte_by_byte_is_refused_at_the_deadline(String path) throws Exception {
        try (Socket client = begin(path)) {
            for (int i = 0; i < MOST_TRIES && client.getInputStream().available() == 0; i++) {
                client.getOutputStream().write('x');
                TimeUnit.MILLISECONDS.sleep(50);
            }

            assertGivenUp(client);
        }
    }

    @Test
    void a_body_that_stops_arriving_is_refused_too() throws Exception {
        try (Socket client = begin(IMPORT)) {
            client.getOutputStream().write('x');

            assertGivenUp(client);
        }
    }

    @Test
    void an_upload_in_the_console_that_stops_arriving_is_refused_too() throws Exception {
        String upload = "/console/office/import";
        String session = session(upload);

        try (Socket client = connect()) {
            client.getOutputStream()
                    .write(
                            "POST %s HTTP/1.1\r\nHost: localhost\r\nCookie: %s\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: 1000\r\n\r\n--X\r\n"
                                    .formatted(upload, session)
                                    .getBytes(UTF_8));

            assertThat(new String(client.getInputStream().readAllBytes(), UTF_8))
                    .startsWith("HTTP/1.1 408")
                    .containsIgnoringCase("Connection: close")
                    .contains("\"code\":\"request-timeout\"", "did not arrive in time; nothing was changed");
        }
    }

    private String session(String page) throws IOException, InterruptedException {
        try (HttpClient browser = HttpClient.newHttpClient()) {
            return browser.send(
                            HttpRequest.newBuilder(URI.create("http://localhost:%s%s".formatted(port, page)))
                                    .build(),
                            BodyHandlers.discarding())
                    .headers()
                    .firstValue("Set-Cookie")
                    .orElseThrow()
                    .replaceAll(";.*", "");
        }
    }

    @Test
    void the_rest_of_a_refused_body_is_read_for_a_bounded_time() throws Exception {
        try (Socket client = begin("/api/courses", 1_000_000)) {
            String status = new String(client.getInputStream().readNBytes(12), UTF_8);

            assertThat(status).isEqualTo("HTTP/1.1 413");
            assertThatThrownBy(() -> {
                        for (int i = 0; i < MOST_TRIES; i++) {
                            client.getOutputStream().write('x');
                            TimeUnit.MILLISECONDS.sleep(50);
                        }
                    })
                    .as("the connection is closed, so that a write fails")
                    .isInstanceOf(SocketException.class);
        }
    }

    private Socket begin(String path) throws IOException {
        return begin(path, 1000);
    }

    private Socket connect() throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), port);
        client.setSoTimeout(Math.toIntExact(LONGEST_SILENCE.toMillis()));
        return client;
    }

    private Socket begin(String path, int length) throws IOException {
        Socket client = connect();
        client.getOutputStream()
                .write("POST %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: %s\r\nContent-Length: %s\r\n\r\n"
                        .formatted(path, path.equals(IMPORT) ? "text/csv" : "application/json", length)
                        .getBytes(UTF_8));
        return client;
    }

    /*
     * The server keeps the connection until it has read the rest of the request, or until nothing has arrived for a
     * while.
     */
    private static void assertGivenUp(Socket client) throws IOException {
        StringBuilder answer = new StringBuilder();
        InputStream in = client.getInputStream();
        for (int next = in.read(); next >= 0 && answer.indexOf("}") < 0; next = in.read()) {
            answer.append((char) next);
        }
        assertThat(answer)
                .asString()
                .startsWith("HTTP/1.1 408")
                .containsIgnoringCase("Connection: close")
                .contains("application/problem+json", "\"code\":\"request-timeout\"");
    }
}
