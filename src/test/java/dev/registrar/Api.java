package dev.registrar;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An HTTP client of a running service that reads its own writes: unless a call sets the header itself, it asks for
 * views that have reached its last write.
 */
public final class Api {
    private static final String POSITION = "Registrar-Position";
    private static final String AFTER = "Registrar-After";
    private static final AtomicInteger IDS = new AtomicInteger();
    private static final HttpClient CLIENT = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(AwaitilityTimeouts.MAX_WAIT)
            .build();

    private final URI base;
    private final AtomicLong written = new AtomicLong();
    private final AtomicLong awaited = new AtomicLong();

    public Api(int port) {
        this.base = URI.create("http://127.0.0.1:" + port);
    }

    /** An id that no other test uses. */
    public static String newId(String kind) {
        return String.format(Locale.ROOT, "%s-%06d", kind, IDS.incrementAndGet());
    }

    /**
     * Repeats the request while a view is behind this client's last write, which can take a while on a busy machine.
     */
    public Answer get(String path, String... headers) {
        long end = System.nanoTime() + AwaitilityTimeouts.MAX_WAIT.toNanos();
        Answer answer = send("GET", path, BodyPublishers.noBody(), headers);
        while (isBehind(answer) && !List.of(headers).contains(AFTER) && System.nanoTime() - end < 0) {
            answer = send("GET", path, BodyPublishers.noBody(), headers);
        }
        return answer;
    }

    private static boolean isBehind(Answer answer) {
        return answer.status() == 503 && answer.json().path("code").asString().equals("view-behind");
    }

    /** Waits until the views that pages show have reached this client's last write. */
    public void awaitViews() {
        long last = written.get();
        if (last > awaited.get()) {
            String unknown = newId("unknown");
            get("/api/courses/" + unknown).expect(404);
            get("/api/students/" + unknown).expect(404);
            get("/api/courses/%s/students/%s".formatted(unknown, unknown)).expect(404);
            get("/api/courses/%s/waiting-list/%s".formatted(unknown, unknown)).expect(404);
            awaited.set(last);
        }
    }

    public Answer post(String path, String json, String... headers) {
        return send("POST", path, json, headers);
    }

    public Answer put(String path, String json, String... headers) {
        return send("PUT", path, json, headers);
    }

    /** A PUT without a body. */
    public Answer put(String path) {
        return send("PUT", path, BodyPublishers.noBody());
    }

    /**
     * Sends a change under a key, again while a view is behind: then its answer, of status 200, has no body. This can
     * take a while on a busy machine.
     */
    public Answer change(String method, String path, String json, String key) {
        return await().until(
                        () -> send(method, path, json, "Idempotency-Key", key),
                        answer -> answer.status() != 200 || !answer.text().isEmpty());
    }

    public Answer delete(String path, String... headers) {
        return send("DELETE", path, BodyPublishers.noBody(), headers);
    }

    /** Sends a body as JSON; an empty body is not sent. */
    public Answer send(String method, String path, String json, String... headers) {
        return json.isEmpty()
                ? send(method, path, BodyPublishers.noBody(), headers)
                : send(method, path, BodyPublishers.ofString(json), with(headers, "Content-Type", "application/json"));
    }

    public Answer send(String method, String path, BodyPublisher body, String... headers) {
        try {
            return noted(path, Answer.of(CLIENT.send(request(method, path, body, headers), BodyHandlers.ofString())));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Sends without waiting, so that many requests can be in flight at once. */
    public CompletableFuture<Answer> sending(String method, String path, String json, String... headers) {
        HttpRequest request = json.isEmpty()
                ? request(method, path, BodyPublishers.noBody(), headers)
                : request(
                        method, path, BodyPublishers.ofString(json), with(headers, "Content-Type", "application/json"));
        return CLIENT.sendAsync(request, BodyHandlers.ofString())
                .thenApply(response -> noted(path, Answer.of(response)));
    }

    private Answer noted(String path, Answer answer) {
        if (path.equals("/load-test/clear")) {
            written.set(0);
            awaited.set(0);
        } else if (!answer.header(POSITION).isEmpty()) {
            written.accumulateAndGet(answer.position(), Math::max);
        } else if (path.equals("/dcb/append") && answer.status() == 200) {
            written.accumulateAndGet(answer.json().path("position").asLong(0), Math::max);
        }
        return answer;
    }

    /** Defines a course with this capacity and returns its id. */
    public String course(int capacity) {
        String id = newId("course");
        post(
                        "/api/courses",
                        "{'id': '%s', 'title': 'Mathematics', 'capacity': %s}"
                                .formatted(id, capacity)
                                .replace('\'', '"'))
                .expect(201);
        return id;
    }

    /** Registers a student and returns the id. */
    public String student() {
        String id = newId("student");
        post(
                        "/api/students",
                        "{'id': '%s', 'name': 'Ann', 'email': '%s@example.org'}"
                                .formatted(id, id)
                                .replace('\'', '"'))
                .expect(201);
        return id;
    }

    /** Enrolls a student in a course. */
    public Answer enroll(String student, String course) {
        return put("/api/courses/%s/students/%s".formatted(course, student));
    }

    private HttpRequest request(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(base.resolve(path))
                .timeout(AwaitilityTimeouts.MAX_WAIT)
                .method(method, body);
        String[] all = method.equals("GET") && path.startsWith("/api/") && written.get() > 0
                ? with(headers, AFTER, written.toString())
                : headers;
        return (all.length == 0 ? request : request.headers(all)).build();
    }

    /* A header that the caller sets replaces the default. */
    private static String[] with(String[] headers, String name, String value) {
        for (int at = 0; at < headers.length; at += 2) {
            if (headers[at].equalsIgnoreCase(name)) {
                return headers;
            }
        }
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = name;
        all[headers.length + 1] = value;
        return all;
    }
}
