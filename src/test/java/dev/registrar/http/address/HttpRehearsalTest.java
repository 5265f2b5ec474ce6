package dev.registrar.http.address;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.security.AccessMode;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.net.InetAddress;
import java.net.http.HttpClient;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.boot.tomcat.servlet.TomcatServletWebServerFactory;
import org.springframework.boot.web.server.WebServer;
import org.springframework.mock.env.MockEnvironment;

/** The requests of the warm-up: their address, and when none are sent. */
class HttpRehearsalTest {
    private final List<String> received = new CopyOnWriteArrayList<>();
    private WebServer service = started();

    @AfterEach
    void stop() {
        service.destroy();
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "0.0.0.0"})
    void each_kind_of_request_is_sent_to_the_service_itself(String address) throws Exception {
        assertThat(once(environment().withProperty("server.address", address))).isTrue();
        assertThat(received).containsExactlyInAnyOrder("GET /api", "PUT /api", "POST /api", "POST /api");
    }

    @Test
    void a_service_with_tls_gets_no_requests() throws Exception {
        assertThat(once(environment().withProperty("server.ssl.bundle", "service")))
                .isFalse();
        assertThat(received).isEmpty();
    }

    @Test
    void an_unreachable_service_is_not_tried_again() throws Exception {
        MockEnvironment ofStopped = environment();
        stop();

        assertThat(once(ofStopped)).isFalse();
        assertThat(once(new MockEnvironment())).isFalse();
    }

    private static boolean once(MockEnvironment environment) throws InterruptedException {
        HttpRehearsal rehearsal = new HttpRehearsal(new ServiceAddress(environment), AccessMode.LOCAL);
        try (HttpClient client = rehearsal.client()) {
            return rehearsal.once(client);
        }
    }

    private WebServer started() {
        TomcatServletWebServerFactory factory = new TomcatServletWebServerFactory(0);
        factory.setAddress(InetAddress.getLoopbackAddress());
        WebServer server = factory.getWebServer(
                context -> context.addServlet("recorder", new Recorder()).addMapping("/"));
        server.start();
        return server;
    }

    /* Like the environment of an application, which converts addresses. */
    private MockEnvironment environment() {
        MockEnvironment environment = new MockEnvironment();
        environment.setConversionService(new ApplicationConversionService());
        return environment.withProperty("local.server.port", Integer.toString(service.getPort()));
    }

    /* Each request is unknown here, as the requests of the warm-up are in the service. */
    private final class Recorder extends HttpServlet {
        @Override
        protected void service(HttpServletRequest request, HttpServletResponse response) {
            String path = request.getRequestURI();
            received.add(request.getMethod() + " " + path.substring(0, path.indexOf("/api") + 4));
            response.setStatus(HttpServletResponse.SC_NOT_FOUND);
        }
    }
}
