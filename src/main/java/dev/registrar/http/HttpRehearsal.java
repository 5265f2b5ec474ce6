package dev.registrar.http;

import dev.registrar.http.problem.Headers;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.web.server.Ssl;
import org.springframework.core.env.Environment;
import org.springframework.stereotype.Component;

/**
 * Sends requests to this service during its warm-up. Each request is refused whatever the store contains, so it passes
 * through all layers and changes nothing.
 */
@Component
public final class HttpRehearsal {
    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final Environment environment;
    private final boolean encrypted;
    private final @Nullable InetAddress address;

    HttpRehearsal(Environment environment) {
        this.environment = environment;
        this.encrypted = Binder.get(environment)
                .bind("server.ssl", Ssl.class)
                .map(ssl -> ssl.isEnabled())
                .orElse(false);
        this.address = environment.getProperty("server.address", InetAddress.class);
    }

    /**
     * Sends one request of each kind.
     *
     * @return false if the service cannot be reached in this way; the caller need not try again
     */
    public boolean once(HttpClient client) throws InterruptedException {
        String port = environment.getProperty("local.server.port");
        if (port == null || encrypted) {
            return false;
        }
        String host = address == null || address.isAnyLocalAddress()
                ? InetAddress.getLoopbackAddress().getHostAddress()
                : address.getHostAddress();
        String base = "http://%s:%s%s/api"
                .formatted(
                        host.contains(":") ? "[" + host + "]" : host,
                        port,
                        environment.getProperty("server.servlet.context-path", ""));
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
                .POST(BodyPublishers.ofString("{\"name\": \"\", \"email\": \"nobody@example.org\"}"));
        return List.of(unknownCourse, unknownEnrollment, emptyTitle, emptyName);
    }

    private static HttpRequest.Builder request(String uri) {
        return HttpRequest.newBuilder(URI.create(uri)).header(Headers.CORRELATION_ID, "warm-up");
    }
}
