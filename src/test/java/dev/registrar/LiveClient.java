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

/** A client of a streaming response that keeps the received lines. */
public final class LiveClient implements AutoCloseable {
    private static final HttpClient CLIENT =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private final HttpResponse<InputStream> response;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private volatile boolean ended;

    private LiveClient(HttpResponse<InputStream> response) {
        this.response = response;
        Thread.ofVirtual().start(this::read);
    }

    /** Sends the request and waits for the status and headers. */
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
            // Either side closed the stream; the received lines are kept.
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

    /** The received lines. */
    public List<String> lines() {
        return lines;
    }

    /** The received lines without empty lines and comments, which keep the connection alive. */
    public List<String> dataLines() {
        return lines.stream()
                .filter(line -> !line.isEmpty() && !line.startsWith(":"))
                .toList();
    }

    /** Waits for this number of lines, not counting empty lines and comments. */
    public LiveClient awaitLines(int count) {
        await().pollDelay(Duration.ZERO)
                .pollInterval(Duration.ofMillis(5))
                .untilAsserted(() -> assertThat(dataLines())
                        .as("lines of a response with status %s, %s", status(), ended ? "ended" : "open")
                        .hasSizeGreaterThanOrEqualTo(count));
        return this;
    }

    /** Waits until the server has ended the response. */
    public LiveClient awaitEnd() {
        await().until(() -> ended);
        return this;
    }

    /** Closes the connection. */
    @Override
    public void close() {
        try {
            response.body().close();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
