package dev.registrar.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The bounds of requests at a time and of each caller's rate, through a socket. */
@Tag("thorough")
@ServiceTest
@DirtiesContext
@TestPropertySource(
        properties = {
            "registrar.http.admission.max-concurrent-requests=3",
            "registrar.http.admission.requests-per-second-per-client=1"
        })
class EdgeBoundsTest {
    private static final int PERMITS = 3;
    private static final String UNSENT_BODY =
            "POST /api/courses HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n";

    private final int port;

    EdgeBoundsTest(@LocalServerPort int port) {
        this.port = port;
    }

    @Test
    void a_request_beyond_the_bound_is_rejected_until_another_one_ends() throws IOException {
        List<Socket> open = new ArrayList<>();
        try {
            RawClient.Response rejected = await().until(
                            () -> {
                                // On a busy machine the ones before may have timed out.
                                for (int i = 0; i < PERMITS; i++) {
                                    open.add(holder(open.size()));
                                }
                                return new RawClient(port, address(1)).get("/api/courses/unknown");
                            },
                            answer -> answer.status() == 503);

            rejected.expectProblem(503, "overloaded", "/api/courses/unknown");
            assertThat(rejected.header("Retry-After")).isNotEmpty();
            assertThat(new RawClient(port).get("/actuator/health/liveness").status())
                    .isEqualTo(200);
        } finally {
            for (Socket holder : open) {
                holder.close();
            }
        }
        await().until(() ->
                new RawClient(port, address(2)).get("/api/courses/unknown").status() != 503);
    }

    @Test
    void a_caller_beyond_its_rate_is_refused_before_its_body_arrives() throws IOException {
        RawClient client = new RawClient(port, address(100));

        RawClient.Response refused = await().until(
                        () -> {
                            client.get("/api/courses/unknown");
                            return client.send(UNSENT_BODY);
                        },
                        answer -> answer.status() == 429);

        refused.expectProblem(429, "too-many-requests", "/api/courses");
        assertThat(refused.header("Connection")).isEqualTo("close");
    }

    /* The server chooses the servlet before the path is checked, and reads a multipart form at the first parameter. */
    @ParameterizedTest
    @CsvSource({
        "PUT, /console/office/import, 403",
        "POST, /console/office//import, 400",
        "POST, /console/./office/import, 400",
        "POST, /actuator/../console/office/import, 400"
    })
    void a_multipart_form_is_not_read_before_its_sender_and_path_are_checked(String method, String path, int status)
            throws IOException {
        RawClient.Response refused = new RawClient(port, address(101))
                .send(
                        "%s %s HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=X\r\nContent-Length: 1000000\r\n\r\n"
                                .formatted(method, path));

        assertThat(refused.status()).isEqualTo(status);
        assertThat(refused.header("Connection")).isEqualTo("close");
    }

    /* Each from an address of its own, which has a rate of its own. */
    private Socket holder(int number) throws IOException {
        InetAddress from = InetAddress.getByAddress(new byte[] {127, 1, (byte) (number >> 8), (byte) number});
        Socket holder = new Socket(InetAddress.getLoopbackAddress(), port, from, 0);
        holder.getOutputStream().write(UNSENT_BODY.getBytes(US_ASCII));
        return holder;
    }

    private static InetAddress address(int number) throws IOException {
        return InetAddress.getByAddress(new byte[] {127, 0, 0, (byte) number});
    }
}
