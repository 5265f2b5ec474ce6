package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Malformed requests are client errors: the response has a 4xx status, and the log has no stack trace. */
@ServiceTest
@ExtendWith(OutputCaptureExtension.class)
class UnreadableRequestsTest {
    private static final String JSON = "Content-Type: application/json\r\n";

    private final RawClient client;

    UnreadableRequestsTest(@LocalServerPort int port) {
        this.client = new RawClient(port);
    }

    static Stream<String> malformed() {
        return Stream.concat(
                Stream.of("=0", "search=%zz", "search=%ff", "search=%", "limit=1&=", "%c0%af=1", "a&".repeat(1_001))
                        .map(query -> "GET /api/courses?" + query),
                Stream.of(
                                "GET /api/students/ann",
                                "GET /dcb/events",
                                "GET /actuator/health",
                                "GET /swagger-ui/index.html",
                                "GET /v3/api-docs",
                                "POST /dcb/append",
                                "PUT /api/courses/x/capacity",
                                "DELETE /nowhere")
                        .map(request -> request + "?a=%zz"));
    }

    @ParameterizedTest
    @MethodSource("malformed")
    void a_malformed_query_string_is_a_client_error(String request, CapturedOutput log) {
        String path = request.substring(request.indexOf('/'), request.indexOf('?'));
        client.send(request, JSON, request.startsWith("P") ? "{}" : "").expectProblem(400, "malformed-query", path);
        assertNothingUnexpected(log);
    }

    @ParameterizedTest
    @CsvSource({"POST /dcb/append", "POST /api/courses", "PUT /api/courses/x/capacity"})
    void the_body_null_is_a_client_error(String request, CapturedOutput log) {
        String path = request.substring(request.indexOf('/'));

        client.send(request, JSON, "null").expectProblem(400, "malformed-json", path);
        client.send(request, JSON, " null ").expectProblem(400, "malformed-json", path);

        assertNothingUnexpected(log);
    }

    @ParameterizedTest
    @ValueSource(strings = {"query", "options"})
    void the_parameter_null_is_a_client_error(String name, CapturedOutput log) {
        client.get("/dcb/read?" + name + "=null").expectProblem(422, "invalid-value", "/dcb/read");

        assertNothingUnexpected(log);
    }

    @ParameterizedTest
    @CsvSource({
        "POST /api/courses, 415, unsupported-media-type",
        "POST /dcb/append, 415, unsupported-media-type",
        "POST /api/courses/import, 415, unsupported-media-type",
        "PUT /api/courses/x/students/y, 404, course-unknown",
        "POST /nowhere, 404, not-found",
        "POST /actuator/health, 405, method-not-allowed",
        "POST /swagger-ui/index.html, 405, method-not-allowed"
    })
    void a_form(String request, int status, String code, CapturedOutput log) {
        String path = request.substring(request.indexOf('/'));
        for (String type : new String[] {
            "multipart/form-data", "multipart/form-data; boundary=x", "application/x-www-form-urlencoded"
        }) {
            var answer = client.send(request, "Content-Type: " + type + "\r\n", "a=%zz&=&%ff");

            assertThat(answer.status()).as("%s: %s", type, answer.body()).isEqualTo(status);
            assertThat(answer.json().path("code").asString()).as(type).isEqualTo(code);
            assertThat(answer.json().path("instance").asString()).isEqualTo(path);
        }

        assertNothingUnexpected(log);
    }

    private static void assertNothingUnexpected(CapturedOutput log) {
        assertThat(log).doesNotContain("Unexpected error", "Exception");
    }
}
