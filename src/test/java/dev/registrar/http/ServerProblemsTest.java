package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Requests that Tomcat itself refuses are answered with problem details about the requested path. */
@ServiceTest
class ServerProblemsTest {
    private static final String HEAD = "Host: localhost\r\nConnection: close\r\n";

    private final RawClient client;

    ServerProblemsTest(@LocalServerPort int port) {
        this.client = new RawClient(port);
    }

    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', textBlock = """
        GET /api/courses/a%2Fb,      400, bad-request,        /api/courses/a%2Fb
        GET /api/courses/a%5Cb,      400, bad-request,        /api/courses/a%5Cb
        GET /api/courses/%00,        400, bad-request,        /api/courses/%00
        GET /api/courses/%zz,        400, bad-request,        /api/courses/%25zz
        GET /api/courses/a%,         400, bad-request,        /api/courses/a%25
        GET /api/courses/%ff,        400, bad-request,        /api/courses/%ff
        GET /api/../../..,           400, bad-request,        /api/../../..
        GET /META-INF/x,             404, not-found,          /META-INF/x
        GET /WEB-INF/web.xml,        404, not-found,          /WEB-INF/web.xml
        GET //api//courses,          404, not-found,          /.//api//courses
        GET //,                      404, not-found,          /.//
        TRACE /api/courses,          405, method-not-allowed, /api/courses
        CONNECT /api/courses,        501, not-implemented,    /api/courses
        """)
    void an_invalid_target_or_method_is_refused(String request, int status, String code, String instance) {
        RawClient.Response answer = client.send(request, "", "").expectProblem(status, code, instance);

        assertThat(answer.header("X-Content-Type-Options")).isEqualTo("nosniff");
        assertThat(answer.body()).doesNotContain("Tomcat", "<html");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"Host: a b", "Host: [::1", "Host: a@b", "Host: local_host:abc", "Host: a\r\nHost: b", "X: y"})
    void an_invalid_host_header_is_refused(String host) {
        client.send("GET /api/courses HTTP/1.1\r\nConnection: close\r\n%s\r\n\r\n".formatted(host))
                .expectProblem(400, "bad-request", "/api/courses");
    }

    @Test
    void too_large_or_too_many_headers_are_refused() {
        client.send("GET /api/courses", "X: %s\r\n".formatted("a".repeat(9_000)), "")
                .expectProblem(400, "bad-request", "/api/courses");
        client.send("GET /api/courses", "X: y\r\n".repeat(200), "").expectProblem(400, "bad-request", "/api/courses");
    }

    @ParameterizedTest
    @ValueSource(strings = {"Bad Header: x", "nocolon", "X: a\0b", "Content-Length: abc", "Content-Length: -1"})
    void a_malformed_header_is_refused(String header) {
        client.send("GET /api/courses", header + "\r\n", "").expectProblem(400, "bad-request", "/api/courses");
    }

    @Test
    void an_unknown_expectation_encoding_or_version_is_refused() {
        client.send("POST /api/courses", "Expect: 200-ok\r\n", "{}")
                .expectProblem(417, "expectation-failed", "/api/courses");
        client.send("POST /api/courses", "Transfer-Encoding: gzip\r\n", "")
                .expectProblem(501, "not-implemented", "/api/courses");
        client.send("GET /api/courses HTTP/1.9\r\n" + HEAD + "\r\n")
                .expectProblem(505, "http-version-not-supported", "/api/courses");
    }

    /* The server stops reading the request line, so it does not know the path. */
    @Test
    void the_problem_of_an_unreadable_request_line_has_no_instance() {
        for (String target : List.of(
                "/api/" + "a".repeat(9_000),
                "/api/\u00e9",
                "/api/\u0001",
                "/api/courses\\a",
                "/api/courses/{x}",
                "/api/<x>",
                "/api/\"x\"",
                "/api/courses?a={b}")) {
            RawClient.Response answer = client.get(target).expectProblem(400, "bad-request", "");

            assertThat(answer.json().has("instance")).isFalse();
        }
    }
}
