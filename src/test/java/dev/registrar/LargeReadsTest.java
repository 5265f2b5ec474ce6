package dev.registrar;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.testdatabase.TestDatabase;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Many clients at a time read events of nearly 1 MB each from a service with a small heap: each client gets all events,
 * and the service keeps running. While all connections of the service are busy, it refuses a further read, and the
 * client repeats it.
 */
@Tag("thorough")
@Timeout(600)
class LargeReadsTest {
    private static final int EVENTS = 70;
    private static final int READERS = 12;
    private static final int PAYLOAD = 980_000;
    /** Every event matches each of the items. */
    private static final String QUERY = """
            {"items": [{"tags": ["big"]}, {"types": ["Big"], "tags": ["big"]}, {"types": ["Big"]}]}""";

    @Test
    void twelve_clients_read_seventy_large_events_each_from_a_service_with_256_MB() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                // A busy machine may stop a reader for longer than the 20 s in which a client has to take something.
                ServiceInProcess service =
                        ServiceInProcess.start(database, "-Xmx256m", "-Dserver.tomcat.connection-timeout=2m")) {
            await().until(service::isReady);
            for (int i = 1; i <= EVENTS; i++) {
                service.api().post("/dcb/append", """
                                {"events": [{"type": "Big", "tags": ["big"], "data": "%s"}]}""".formatted(payload(i))).expect(200);
            }

            assertThat(readByAll(service.port()))
                    .hasSize(READERS)
                    .allSatisfy(received -> assertThat(received).isEqualTo(EVENTS));
            assertThat(service.isReady()).isTrue();
        }
    }

    /* After the first failure the other readers end, too: the client closes their connections. */
    private static List<Integer> readByAll(int port) throws Exception {
        HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        ExecutorService readers = Executors.newFixedThreadPool(READERS);
        try {
            CompletionService<Integer> reading = new ExecutorCompletionService<>(readers);
            for (int i = 0; i < READERS; i++) {
                reading.submit(() -> read(client, port));
            }
            List<Integer> received = new ArrayList<>();
            while (received.size() < READERS) {
                received.add(reading.take().get());
            }
            return received;
        } finally {
            readers.shutdownNow();
            client.shutdownNow();
        }
    }

    /* The number of received events, each of which is the expected one. */
    private static int read(HttpClient client, int port) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:%s/dcb/read?query=%s".formatted(port, URLEncoder.encode(QUERY, UTF_8)));
        HttpRequest request = HttpRequest.newBuilder(uri)
                .header("Accept", "application/x-ndjson")
                .build();
        var response = client.send(request, BodyHandlers.ofInputStream());
        while (response.statusCode() == 503) {
            response.body().close();
            // The pause that the answer asks for: no condition tells when the service is less busy.
            Thread.sleep(Duration.ofSeconds(
                    response.headers().firstValueAsLong("Retry-After").orElseThrow()));
            response = client.send(request, BodyHandlers.ofInputStream());
        }
        assertThat(response.statusCode()).isEqualTo(200);
        int read = 0;
        try (BufferedReader lines = new BufferedReader(new InputStreamReader(response.body(), UTF_8))) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                read++;
                assertThat(line.contains("\"data\":\"" + payload(read) + "\""))
                        .as("Line %s", read)
                        .isTrue();
            }
        }
        return read;
    }

    private static String payload(int event) {
        return (event + ",").repeat(PAYLOAD / (event + ",").length());
    }
}
