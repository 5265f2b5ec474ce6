package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Pages of other origins make a browser send requests to the service on the same machine. */
@ServiceTest
class LocalRequestsTest {
    private final RawClient client;
    private final int port;

    LocalRequestsTest(@LocalServerPort int port) {
        this.client = new RawClient(port);
        this.port = port;
    }

    private RawClient.Response send(String requestLine, String host, String headers) {
        return client.send("%s HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n%sContent-Length: 0\r\n\r\n"
                .formatted(requestLine, host, headers));
    }

    /* The page's own name resolves to 127.0.0.1: the browser regards the service as the page's own site. */
    @ParameterizedTest
    @ValueSource(strings = {"attacker.example", "127.0.0.1.attacker.example", "0.0.0.0"})
    void a_request_for_another_name_is_refused(String host) {
        String path = "/api/students/some";

        send("GET " + path, host, "").expectProblem(403, "forbidden", path);
        RawClient.Response refused = send("GET /actuator/health", host, "");

        assertThat(refused.status()).isEqualTo(403);
        assertThat(refused.json().path("detail").asString())
                .contains("registrar.security.allowed-hosts")
                .contains(host);
    }

    @ParameterizedTest
    @ValueSource(strings = {"localhost", "127.0.0.1:8080", "[::1]:8080"})
    void a_request_for_this_machine_is_admitted(String host) {
        assertThat(send("GET /actuator/health/liveness", host, "").status()).isEqualTo(200);
    }

    @Test
    void a_request_of_http_1_0_needs_no_name() {
        assertThat(client.send("GET /actuator/health/liveness HTTP/1.0\r\n\r\n").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @CsvSource({
        "Sec-Fetch-Site, cross-site",
        "Sec-Fetch-Site, same-site",
        "Origin, null",
        "Origin, http://attacker.example",
        "Origin, http://localhost:1",
        "Origin, http://localhost:<port>.attacker.example",
        "Origin, file://localhost:<port>"
    })
    void a_write_from_a_page_of_another_origin_is_refused_and_a_read_is_not(String header, String value) {
        String own = "localhost:" + port;
        String headers = "%s: %s\r\n".formatted(header, value.replace("<port>", String.valueOf(port)));
        String path = "/api/courses/some/close";

        send("POST " + path, own, headers).expectProblem(403, "forbidden", path);
        assertThat(send("GET /api/courses/some", own, headers).status()).isEqualTo(404);
    }

    @ParameterizedTest
    @CsvSource({
        "cross-site, no-cors, empty, 403",
        "same-site, cors, empty, 403",
        "cross-site, no-cors, image, 403",
        "cross-site, navigate, iframe, 403",
        "cross-site, navigate, document, 404",
        "same-origin, cors, empty, 404",
        "none, navigate, document, 404"
    })
    void a_page_of_another_origin_only_links_to_pages(String site, String mode, String destination, int status) {
        String headers =
                "Sec-Fetch-Site: %s\r\nSec-Fetch-Mode: %s\r\nSec-Fetch-Dest: %s\r\n".formatted(site, mode, destination);

        assertThat(send("GET /api/courses/some", "localhost:" + port, headers).status())
                .isEqualTo(status);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "Origin: http://localhost:<port>\r\n",
                "Sec-Fetch-Site: same-origin\r\nOrigin: http://localhost:<port>\r\n",
                "Sec-Fetch-Site: none\r\n"
            })
    void a_write_from_no_browser_or_an_own_page_is_admitted(String headers) {
        String own = "localhost:" + port;

        RawClient.Response answer =
                send("POST /api/courses/some/close", own, headers.replace("<port>", String.valueOf(port)));

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.json().path("code").asString()).isEqualTo("course-unknown");
    }
}
