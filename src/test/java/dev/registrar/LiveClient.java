package dev.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client that listens to an answer without an end, and keeps the lines that came. */
public final class LiveClient implements AutoCloseable {
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    private LiveClient(HttpResponse<InputStream> response) {
        this.response = response;
        Thread.ofVirtual().start(this::read);
    }

    /** Asks, and waits for the answer's beginning. */
    public static LiveClient get(int port, String path, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        try {
            return new LiveClient(CLIENT.send(
                    (headers.length == 0 ? request : request.headers(headers)).build(), BodyHandlers.ofInputStream()));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private void read() {
        try (BufferedReader in = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            for (String line = in.readLine(); line != null; line = in.readLine()) {
                lines.add(line);
            }
        } catch (IOException closed) {
            // By one side or the other: what came has come.
        } finally {
            ended = true;
        }
    }

    public int status() {
        return response.statusCode();
    }

    /** The value of a header; empty if there is none. */
    public String header(String name) {
        return response.headers().firstValue(name).orElse("");
    }

    /** The lines that came. */
    public List<String> lines() {
        return lines;
    }

    /** The lines that are no signs of life. */
    public List<String> told() {
        return lines.stream()
                .filter(line -> !line.isEmpty() && !line.startsWith(":"))
                .toList();
    }

    /** Waits until so many lines have come that are no signs of life. */
    public LiveClient awaitTold(int count) {
        await().atMost(MAX_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(told())
                        .as("told with %d, %s", status(), ended ? "and at its end" : "and going on")
                        .hasSizeGreaterThanOrEqualTo(count));
        return this;
    }

    /** Waits until the server has ended the answer. */
    public LiveClient awaitEnd() {
        await().atMost(MAX_WAIT).until(() -> ended);
        return this;
    }

    /** Goes away. */
    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
