package dev.registrar.http.address;

import dev.registrar.http.problem.Headers;
import dev.registrar.security.AccessMode;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.springframework.stereotype.Component;

/**
 * Sends requests to this service during its warm-up. Each request is refused whatever the store contains, so it passes
 * through all layers and changes nothing.
 */
@Component
public final class HttpRehearsal {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final ServiceAddress service;
    private final AccessMode mode;

    HttpRehearsal(ServiceAddress service, AccessMode mode) {
        this.service = service;
        this.mode = mode;
    }

    /** The client for the requests. The caller closes it. */
    public HttpClient client() {
        return HttpClient.newHttpClient();
    }

    /**
     * Sends one request of each kind. None if the service asks who is calling, since it has no login of its own, and
     * none with TLS, since its certificate is for other names.
     *
     * @return false if the service cannot be reached in this way; the caller need not try again
     */
    public boolean once(HttpClient client) throws InterruptedException {
        Optional<String> url = service.url();
        if (url.isEmpty() || url.get().startsWith("https") || mode != AccessMode.LOCAL) {
            return false;
        }
        String base = url.get() + "/api";
        String unknownId = UUID.randomUUID().toString();
        for (HttpRequest.Builder request : requests(base, unknownId)) {
            try {
                client.send(request.timeout(TIMEOUT).build(), BodyHandlers.discarding());
            } catch (IOException unreachable) {
                return false;
            }
        }
        return true;
    }

    private static List<HttpRequest.Builder> requests(String base, String unknownId) {
        HttpRequest.Builder unknownCourse =
                request(base + "/courses/" + unknownId).GET();
        HttpRequest.Builder unknownEnrollment = request(
                        base + "/courses/%s/students/%s".formatted(unknownId, unknownId))
                .PUT(BodyPublishers.noBody());
        HttpRequest.Builder emptyTitle = request(base + "/courses")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"title\": \"\", \"capacity\": 1}"));
        HttpRequest.Builder emptyName = request(base + "/students")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"name\": \"\", \"email\": \"unknown@example.org\"}"));
        return List.of(unknownCourse, unknownEnrollment, emptyTitle, emptyName);
    }

    private static HttpRequest.Builder request(String uri) {
        return HttpRequest.newBuilder(URI.create(uri)).header(Headers.CORRELATION_ID, "warm-up");
    }
}
