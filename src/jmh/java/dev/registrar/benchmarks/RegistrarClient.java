package dev.registrar.benchmarks;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A client of a service on this machine. An answer with another status than the expected one throws. */
public final class RegistrarClient implements AutoCloseable {
    private static final Duration VIEWS_TIMEOUT = Duration.ofMinutes(10);

    private final HttpClient client = HttpClient.newHttpClient();
    private final String base;

    /** Connects on the first request. */
    public RegistrarClient(int port) {
        this.base = "http://127.0.0.1:" + port;
    }

    /** Sends a request without a body and returns the body of the answer. */
    public String get(String path, String... headers) {
        return send("GET", path, "", "", 200, headers);
    }

    /** Sends JSON and returns the body of the answer. */
    public String post(String path, String json, int expected, String... headers) {
        return send("POST", path, "application/json", json, expected, headers);
    }

    /**
     * Sends a request and returns the body of the answer.
     *
     * @param type of the content; may be empty
     * @param headers names and values in turns
     * @throws IllegalStateException if the answer has another status than the expected one
     */
    public String send(String method, String path, String type, String body, int expected, String... headers) {
        try {
            HttpResponse<String> answer = answer(method, path, type, body, headers);
            if (answer.statusCode() != expected) {
                throw new IllegalStateException("%s %s was answered with status %s instead of %s: %s"
                        .formatted(method, path, answer.statusCode(), expected, answer.body()));
            }
            return answer.body();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private HttpResponse<String> answer(String method, String path, String type, String body, String... headers)
            throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
        if (!type.isEmpty()) {
            request.header("Content-Type", type);
        }
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Returns whether the service is ready; it may not listen yet. */
    boolean isReady() throws IOException {
        try {
            return answer("GET", "/actuator/health/readiness", "", "").statusCode() == 200;
        } catch (ConnectException notYet) {
            return false;
        }
    }

    /** Waits until the views have every event. */
    public void awaitViews() {
        long end = System.nanoTime() + VIEWS_TIMEOUT.toNanos();
        while (isBehind()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The views have not seen all events after " + VIEWS_TIMEOUT);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean isBehind() {
        return json(get("/api/admin/projections"))
                .path("projections")
                .valueStream()
                .anyMatch(projection -> projection.path("lagEvents").asLong() > 0);
    }

    /** Returns the number of the events that a query in JSON matches. */
    public long countEvents(String query) {
        return json(post("/dcb/read", "{\"count\": true, \"query\": %s}".formatted(query), 200))
                .path("numberOfMatchingEvents")
                .asLong();
    }

    public static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Override
    public void close() {
        client.close();
    }
}
