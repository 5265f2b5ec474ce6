package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.mock.env.MockEnvironment;

/** The requests of the warm-up: to which address they go, and when none is sent. */
class HttpRehearsalTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private final HttpClient client = HttpClient.newHttpClient();
    private final HttpServer service;

    HttpRehearsalTest() throws IOException {
        service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        service.createContext("/", exchange -> {
            received.add(exchange.getRequestMethod());
            exchange.sendResponseHeaders(404, -1);
            exchange.close();
        });
    }

    @BeforeEach
    void start() {
        service.start();
    }

    @AfterEach
    void stop() {
        client.close();
        service.stop(0);
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0", "localhost"})
    void each_kind_of_request_is_sent_to_the_service_itself(String address) throws Exception {
        HttpRehearsal rehearsal = new HttpRehearsal(environment().withProperty("server.address", address));

        assertThat(rehearsal.once(client)).isTrue();
        assertThat(received).containsExactlyInAnyOrder("GET", "PUT", "POST", "POST");
    }

    @ParameterizedTest
    @ValueSource(strings = {"server.ssl.key-store", "server.ssl.bundle", "server.ssl.certificate"})
    void a_service_that_speaks_tls_is_left_alone(String property) throws Exception {
        HttpRehearsal rehearsal = new HttpRehearsal(environment().withProperty(property, "some"));

        assertThat(rehearsal.once(client)).isFalse();
        assertThat(received).isEmpty();
    }

    @Test
    void tls_that_is_turned_off_is_none() throws Exception {
        HttpRehearsal rehearsal = new HttpRehearsal(
                environment().withProperty("server.ssl.key-store", "some").withProperty("server.ssl.enabled", "false"));

        assertThat(rehearsal.once(client)).isTrue();
        assertThat(received).hasSize(4);
    }

    @Test
    void a_service_that_cannot_be_reached_is_not_worth_another_try() throws Exception {
        service.stop(0);

        assertThat(new HttpRehearsal(environment()).once(client)).isFalse();
        assertThat(new HttpRehearsal(new MockEnvironment()).once(client)).isFalse();
    }

    /* As an application's own environment, which reads addresses. */
    private MockEnvironment environment() {
        MockEnvironment environment = new MockEnvironment();
        environment.setConversionService(new ApplicationConversionService());
        return environment.withProperty(
                "local.server.port", Integer.toString(service.getAddress().getPort()));
    }
}
