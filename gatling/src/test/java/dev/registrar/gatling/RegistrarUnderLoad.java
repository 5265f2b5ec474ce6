package dev.registrar.gatling;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The service under load: the service at {@code -DbaseUrl}, or a service that this class starts and that stops with
 * this process. The requests of this class do not count as load.
 */
final class RegistrarUnderLoad {
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);

    private static final Pattern BEHIND = Pattern.compile("\"lagEvents\":[1-9]");

    private final String baseUrl;
    private final OptionalLong pid;
    private final String server;
    private final HttpClient client = HttpClient.newHttpClient();

    private RegistrarUnderLoad(String baseUrl, OptionalLong pid, String server) {
        this.baseUrl = baseUrl;
        this.pid = pid;
        this.server = server;
    }

    private static final class Current {
        static final RegistrarUnderLoad SERVICE = find();
    }

    static RegistrarUnderLoad current() {
        return Current.SERVICE;
    }

    private static RegistrarUnderLoad find() {
        try {
            var given = Settings.text("baseUrl");
            if (given.isPresent()) {
                return new RegistrarUnderLoad(given.get().replaceFirst("/$", ""), OptionalLong.empty(), "unknown");
            }
            return started();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    private static RegistrarUnderLoad started() throws IOException, InterruptedException {
        ServiceProcess process = ServiceProcess.start();
        return new RegistrarUnderLoad(process.baseUrl(), OptionalLong.of(process.pid()), process.server());
    }

    String baseUrl() {
        return baseUrl;
    }

    /**
     * The kind of its database server: embedded, container or external; unknown for the service at {@code -DbaseUrl}.
     */
    String server() {
        return server;
    }

    /** Whether its processes run on this machine and are known. */
    boolean runsHere() {
        return pid.isPresent();
    }

    /** The CPU time that the service and PostgreSQL have used, if they run on this machine. */
    CpuTime cpuTime() {
        return CpuTime.of(pid);
    }

    /** Empties the store; its positions start at 1 again. */
    void clear() {
        send("POST", "/load-test/clear", "", BodyHandlers.ofString());
    }

    /** Empties the store and loads a data set. */
    void reload(String size) {
        clear();
        send("POST", "/load-test/data?size=" + size, "", BodyHandlers.ofString());
    }

    /** Waits until every view has caught up with the store. */
    void awaitViews() {
        long end = System.nanoTime() + MAX_WAIT.toNanos();
        while (BEHIND.matcher(send("GET", "/api/admin/projections", "", BodyHandlers.ofString()))
                .find()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The views did not catch up within %s".formatted(MAX_WAIT));
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
        }
    }

    /** The position of the last event. */
    long head() {
        return Long.parseLong(
                send("GET", "/dcb/head", "", BodyHandlers.ofString()).replaceFirst(".*\"head\":(\\d+).*", "$1"));
    }

    /** The number of open streams of live events. */
    long listeners() {
        return send("GET", "/actuator/prometheus", "", BodyHandlers.ofString())
                .lines()
                .filter(line -> line.startsWith("registrar_live_listeners"))
                .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' '))))
                .sum();
    }

    /** A list, page by page. */
    List<String> pages(String path) {
        List<String> pages = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            HttpResponse<String> page = answer("GET", next, "", BodyHandlers.ofString());
            pages.add(page.body());
            next = page.headers()
                    .firstValue("Link")
                    .map(link -> link.replaceFirst("<([^>]+)>; rel=\"next\"", "$1"))
                    .orElse("");
        }
        return pages;
    }

    String post(String path, String json) {
        return send("POST", path, json, BodyHandlers.ofString());
    }

    /** The stored events that match a query, as JSON documents, read while they arrive. */
    Stream<String> events(String query) {
        String asked = URLEncoder.encode(query, StandardCharsets.UTF_8);
        return send("GET", "/dcb/read?query=" + asked, "", BodyHandlers.ofLines());
    }

    private static String accepted(String path) {
        if (path.startsWith("/dcb/read?")) {
            return "application/x-ndjson";
        }
        return path.startsWith("/actuator/prometheus") ? "text/plain" : "application/json";
    }

    private <T> T send(String method, String path, String json, BodyHandler<T> handler) {
        return answer(method, path, json, handler).body();
    }

    private <T> HttpResponse<T> answer(String method, String path, String json, BodyHandler<T> handler) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(baseUrl + path))
                .timeout(MAX_WAIT)
                .header("Accept", accepted(path));
        if (!json.isEmpty()) {
            request.header("Content-Type", "application/json");
        }
        try {
            HttpResponse<T> response = client.send(
                    request.method(method, json.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(json))
                            .build(),
                    handler);
            if (response.statusCode() == 404 && path.startsWith("/load-test")) {
                throw new IllegalStateException(
                        "The service at %s runs without --registrar.load-test.enabled=true".formatted(baseUrl));
            }
            if (response.statusCode() >= 300) {
                throw new IllegalStateException("%s %s was answered %s%s"
                        .formatted(
                                method,
                                path,
                                response.statusCode(),
                                response.body() instanceof String text ? ": " + text : ""));
            }
            return response;
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
