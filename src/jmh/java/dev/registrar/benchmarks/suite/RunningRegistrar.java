package dev.registrar.benchmarks.suite;

import dev.registrar.RegistrarApplication;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.security.TestIssuer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The whole service in this process, on the measured database, with a client. */
final class RunningRegistrar implements AutoCloseable {
    private final ConfigurableApplicationContext service;
    private final HttpClient client;
    private final String base;

    /** Starts the service and returns when it is ready. */
    RunningRegistrar(HttpClient client, String... settings) {
        this(client, new SpringApplicationBuilder(RegistrarApplication.class), settings);
    }

    /** Starts the service so that it asks for the tokens of {@link TestIssuer}. */
    static RunningRegistrar withIssuer(HttpClient client, String... settings) {
        return new RunningRegistrar(
                client,
                new SpringApplicationBuilder(RegistrarApplication.class, TestIssuer.Keys.class)
                        .properties(TestIssuer.settings()),
                settings);
    }

    private RunningRegistrar(HttpClient client, SpringApplicationBuilder application, String... settings) {
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        List<String> all = new ArrayList<>(List.of(
                "--server.port=0",
                "--logging.level.root=warn",
                "--spring.datasource.url=" + database.url(),
                "--spring.datasource.username=" + database.username(),
                "--spring.datasource.password=" + database.password()));
        all.addAll(List.of(settings));
        this.service = application.run(all.toArray(String[]::new));
        this.client = client;
        this.base = "http://127.0.0.1:" + service.getEnvironment().getRequiredProperty("local.server.port");
    }

    /**
     * Sends a request and returns the body of the response. Any other status than the expected one throws.
     *
     * @param headers names and values in turns
     */
    String send(String method, String path, String type, String body, int expected, String... headers) {
        try {
            HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(base + path))
                    .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
            if (!type.isEmpty()) {
                request.header("Content-Type", type);
            }
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<String> response = client.send(request.build(), BodyHandlers.ofString());
            if (response.statusCode() != expected) {
                throw new IllegalStateException("%s %s returned status %s, expected %s: %s"
                        .formatted(method, path, response.statusCode(), expected, response.body()));
            }
            return response.body();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /** Registers a student under a number that is not in use. */
    String register(long number) {
        return send(
                "POST",
                "/api/students",
                "application/json",
                "{\"id\": \"new-%s\", \"name\": \"New\", \"email\": \"new-%s@example.org\"}".formatted(number, number),
                201);
    }

    @Override
    public void close() {
        service.close();
    }
}
