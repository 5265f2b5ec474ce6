package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import tools.jackson.databind.json.JsonMapper;

/** A client of the stream of all events, which continues at the other service when its stream has ended. */
final class Listener implements AutoCloseable {
    private static final Duration PAUSE = Duration.ofMillis(50);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Services services;
    private final long after;
    private final List<Long> positions = Collections.synchronizedList(new ArrayList<>());
    private final Thread thread;
    private volatile boolean closed;

    /** @param after the position before the first event that it wants */
    Listener(Services services, long after) {
        this.services = services;
        this.after = after;
        this.thread = Thread.startVirtualThread(this::listen);
    }

    private void listen() {
        for (int turn = 0; !closed; turn++) {
            long last = positions.isEmpty() ? after : positions.getLast();
            URI uri = URI.create("http://127.0.0.1:%s/dcb/events?after=%s".formatted(services.port(turn % 2), last));
            HttpRequest request = HttpRequest.newBuilder(uri)
                    .header("Accept", "application/x-ndjson")
                    .build();
            try {
                HttpResponse<Stream<String>> answer = client.send(request, BodyHandlers.ofLines());
                try (Stream<String> lines = answer.body()) {
                    if (answer.statusCode() == 200) {
                        lines.filter(line -> line.startsWith("{")).forEach(this::hear);
                    }
                }
            } catch (IOException | UncheckedIOException ended) {
                LockSupport.parkNanos(PAUSE.toNanos());
            } catch (InterruptedException interrupted) {
                return;
            }
        }
    }

    private void hear(String event) {
        positions.add(JsonMapper.shared().readTree(event).path("position").asLong());
    }

    /** Waits until it was told of an event that is there, or of a later one. */
    void awaitPosition(long position) {
        await().until(() -> !positions.isEmpty() && positions.getLast() >= position);
    }

    /** Waits until it was told of the head, and checks that it was told of each event once. */
    void judge(long head) {
        awaitPosition(head);
        List<Long> heard = List.copyOf(positions);
        assertThat(heard)
                .isEqualTo(LongStream.rangeClosed(after + 1, heard.getLast())
                        .boxed()
                        .toList());
    }

    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        client.shutdownNow();
    }
}
