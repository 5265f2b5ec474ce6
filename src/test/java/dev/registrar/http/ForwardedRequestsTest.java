package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/**
 * The effect of the headers that a proxy adds, by {@code server.forward-headers-strategy}. The services with a strategy
 * allow each address one request a second, which shows which address counts; without one, {@code AdmissionTest} does.
 */
@Tag("thorough")
class ForwardedRequestsTest {
    private static final String ONE_A_SECOND = "registrar.http.admission.requests-per-second-per-address=1";

    /** So many that they exceed one request a second even on a slow machine. */
    private static final int MANY = 250;

    private static final int SOME = 20;
    private static final AtomicInteger ADDRESSES = new AtomicInteger();

    abstract static class WithAnyStrategy {
        final int port;
        private final String courses;

        /** @param courses the path of the courses in links, behind a proxy that forwards the prefix /office */
        WithAnyStrategy(int port, String courses) {
            this.port = port;
            this.courses = courses;
        }

        @Test
        void links_are_paths_without_a_forwarded_host() {
            String headers = String.join(
                    "\r\n",
                    "X-Forwarded-Prefix: /office",
                    "X-Forwarded-Host: office.example",
                    "X-Forwarded-Proto: https",
                    "Content-Type: application/json",
                    "");
            String course = "{\"title\": \"Latin\", \"capacity\": 1}";
            RawClient.Response first = admitted("POST /api/courses", headers, course);
            RawClient.Response second = admitted("POST /api/courses", headers, course);
            String after = "Registrar-After: %s\r\n".formatted(second.header("Registrar-Position"));
            RawClient.Response page = admitted("GET /api/courses?limit=1", headers + after, "");

            assertThat(first.header("Location")).startsWith(courses + "/");
            assertThat(page.header("Link")).startsWith("<%s?limit=1&after=".formatted(courses));
        }

        @ParameterizedTest
        @ValueSource(strings = {"X-Forwarded-Host: ", "Forwarded: host="})
        void a_forwarded_host_does_not_replace_the_host_that_must_be_allowed(String header) {
            assertThat(health("attacker.example", header + "localhost")).isEqualTo(403);
            assertThat(health("localhost", header + "attacker.example")).isEqualTo(200);
        }

        private int health(String host, String header) {
            return new RawClient(port)
                    .send("GET /actuator/health/liveness HTTP/1.1\r\nHost: %s\r\n%s\r\nConnection: close\r\n\r\n"
                            .formatted(host, header))
                    .status();
        }

        private RawClient.Response admitted(String requestLine, String headers, String body) {
            return await().until(
                            () -> new RawClient(port).send(requestLine, headers, body),
                            answer -> answer.status() != 429 && answer.status() != 503);
        }
    }

    @Nested
    @ServiceTest
    class WithoutStrategy extends WithAnyStrategy {
        WithoutStrategy(@LocalServerPort int port) {
            super(port, "/api/courses");
        }
    }

    /* The client of these tests is the proxy, which trusts its own client or not. */
    @Nested
    @Tag("thorough")
    @ServiceTest
    @DirtiesContext
    @TestPropertySource(
            properties = {
                ONE_A_SECOND,
                "server.forward-headers-strategy=native",
                "server.tomcat.remoteip.internal-proxies=127.0.0.1/32"
            })
    class WithNative extends WithAnyStrategy {
        WithNative(@LocalServerPort int port) {
            super(port, "/api/courses");
        }

        @Test
        void the_address_that_the_proxy_appends_counts() {
            assertThat(areManyClients(new RawClient(port), "X-Forwarded-For: %s"))
                    .isTrue();
            assertThat(isOneClient(new RawClient(port), "X-Forwarded-For: %s, 198.51.100.1"))
                    .isTrue();
            assertThat(isOneClient(new RawClient(port), "Forwarded: for=%s")).isTrue();
        }

        @Test
        void other_peers_than_the_proxy_cannot_choose_the_address_that_counts() throws IOException {
            InetAddress other = InetAddress.getByName("127.0.0.2");
            assumeTrue(isOwn(other), "This system has one loopback address only");

            assertThat(isOneClient(new RawClient(port, other), "X-Forwarded-For: %s"))
                    .isTrue();
        }
    }

    @Nested
    @Tag("thorough")
    @ServiceTest
    @DirtiesContext
    @TestPropertySource(properties = {ONE_A_SECOND, "server.forward-headers-strategy=framework"})
    class WithFramework extends WithAnyStrategy {
        WithFramework(@LocalServerPort int port) {
            super(port, "/office/api/courses");
        }

        /* So the proxy must replace the headers that its clients send. */
        @ParameterizedTest
        @ValueSource(strings = {"X-Forwarded-For: %s", "X-Forwarded-For: %s, 198.51.100.1", "Forwarded: for=%s"})
        void the_first_address_counts_even_if_the_client_has_sent_it(String header) {
            assertThat(areManyClients(new RawClient(port), header)).isTrue();
            assertThat(isOneClient(new RawClient(port), header.replace("%s", "192.0.2.1")))
                    .isTrue();
        }
    }

    /** Whether requests whose header has different addresses exceed the limit of one client. */
    private static boolean isOneClient(RawClient client, String header) {
        return IntStream.range(0, MANY).anyMatch(i -> status(client, header) == 429);
    }

    /** Whether no request exceeds the limit, if the headers of all have different addresses. */
    private static boolean areManyClients(RawClient client, String header) {
        return IntStream.range(0, SOME).noneMatch(i -> status(client, header) == 429);
    }

    /* Each %s becomes an address that no other request has. */
    private static int status(RawClient client, String header) {
        int number = ADDRESSES.incrementAndGet();
        String forwarded = header.replace("%s", "203.0.%s.%s".formatted(number / 250, number % 250));
        return client.send("GET /api/courses/unknown", forwarded + "\r\n", "").status();
    }

    private static boolean isOwn(InetAddress address) throws IOException {
        try (ServerSocket probe = new ServerSocket(0, 1, address)) {
            return probe.isBound();
        } catch (BindException other) {
            return false;
        }
    }
}
