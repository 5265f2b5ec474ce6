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
 * Sends this service's own requests to itself, each of a kind that is refused whatever the store holds: they run
 * through everything and leave nothing behind.
 */
@Component
public final class HttpRehearsal {
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final Environment environment;
    private final boolean secured;
    private final @Nullable InetAddress address;

    HttpRehearsal(Environment environment) {
        this.environment = environment;
        this.secured = Binder.get(environment)
                .bind("server.ssl", Ssl.class)
                .map(ssl -> ssl.isEnabled())
                .orElse(false);
        this.address = environment.getProperty("server.address", InetAddress.class);
    }

    /**
     * Sends one request of each kind.
     *
     * @return false if the service cannot be reached in this way, and it is not worth trying again
     */
    public boolean once(HttpClient client) throws InterruptedException {
        String port = environment.getProperty("local.server.port");
        if (port == null || secured) {
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
        String nobody = UUID.randomUUID().toString();
        for (HttpRequest.Builder request : requests(base, nobody)) {
            try {
                client.send(request.timeout(PATIENCE).build(), BodyHandlers.discarding());
            } catch (IOException unreachable) {
                return false;
            }
        }
        return true;
    }

    private static List<HttpRequest.Builder> requests(String base, String nobody) {
        HttpRequest.Builder unknownCourse = request(base + "/courses/" + nobody).GET();
        HttpRequest.Builder unknownEnrollment = request(base + "/courses/%s/students/%s".formatted(nobody, nobody))
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
