package dev.registrar.http.admission;

import static dev.registrar.http.failure.WrittenProblems.expectProblem;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.ImportController;
import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.failure.WrittenProblems;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.imports.ImportSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

/** Which bodies are read: up to their limit, and a bounded number of large ones at a time. */
class BodyLimitTest {
    private static final int USUAL = 10;
    private static final int FILE = 100;
    private static final int LARGE_APPENDS = 16;
    private static final String IMPORT = ImportController.PATH;
    private static final String APPEND = Paths.DCB + "/append";

    private final HttpSettings settings = new HttpSettings(
            DataSize.ofBytes(USUAL),
            DataSize.ofMegabytes(1),
            new AdmissionSettings(2_000, Duration.ofSeconds(10), 0, 0, 10_000),
            Duration.ofSeconds(3),
            Duration.ZERO);
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final List<Integer> read = new ArrayList<>();

    @ParameterizedTest
    @CsvSource({
        "POST, /api/courses, 10",
        "PUT, /api/courses/import, 10",
        "POST, /api/courses/import/more, 10",
        "POST, /api/courses/import, 100"
    })
    void a_body_is_read_up_to_its_limit(String method, String path, int limit) throws Exception {
        BoundedBody.Limits limits = limits(4);

        MockHttpServletResponse largest = send(limits, request(method, path, limit), this::reading);
        MockHttpServletResponse tooLarge = send(limits, request(method, path, limit + 1), this::reading);
        MockHttpServletResponse turnsOutTooLarge =
                send(limits, unannounced(request(method, path, limit + 1)), this::reading);

        assertThat(largest.getStatus()).isEqualTo(200);
        expectProblem(tooLarge, 413, "body-too-large");
        expectProblem(turnsOutTooLarge, 413, "body-too-large");
        assertThat(tooLarge.getHeader("Connection")).isEqualTo("close");
        assertThat(read).containsExactly(limit);
    }

    @Test
    void large_appends_take_turns_and_smaller_ones_do_not_wait() throws Exception {
        BoundedBody.Limits limits = limits(1);
        List<MockHttpServletResponse> inside = new ArrayList<>();
        Deadline.runWithin(
                Duration.ofSeconds(1),
                () -> nested(limits, LARGE_APPENDS, () -> {
                    inside.add(send(limits, request("POST", APPEND, USUAL), this::reading));
                    inside.add(send(limits, request("POST", APPEND, USUAL + 1), this::reading));
                    inside.add(send(limits, unannounced(request("POST", APPEND, USUAL)), this::reading));
                }));
        MockHttpServletResponse later = send(limits, request("POST", APPEND, USUAL + 1), this::reading);

        assertThat(inside.getFirst().getStatus()).isEqualTo(200);
        expectProblem(inside.get(1), 503, "overloaded");
        expectProblem(inside.get(2), 503, "overloaded");
        assertThat(later.getStatus()).isEqualTo(200);
        assertThat(read).containsExactly(USUAL, USUAL + 1);
    }

    /* A number of concurrent large appends, with an action inside them. */
    private void nested(BoundedBody.Limits limits, int appends, Inside inside) throws Exception {
        if (appends == 0) {
            inside.run();
        } else {
            send(limits, request("POST", APPEND, USUAL + 1), (request, response) -> {
                try {
                    nested(limits, appends - 1, inside);
                } catch (Exception failure) {
                    throw new ServletException(failure);
                }
            });
        }
    }

    /** An action inside a request. */
    private interface Inside {
        void run() throws Exception;
    }

    @Test
    void the_number_of_import_files_read_at_a_time_is_bounded() throws Exception {
        BoundedBody.Limits limits = limits(1);
        List<MockHttpServletResponse> inside = new ArrayList<>();

        send(
                limits,
                request("POST", IMPORT, FILE),
                (first, answer) -> send(limits, request("POST", IMPORT, FILE), (second, otherAnswer) -> {
                    inside.add(send(limits, request("POST", IMPORT, FILE), this::reading));
                    inside.add(send(limits, request("POST", "/api/courses", USUAL), this::reading));
                    inside.add(send(limits, request("GET", IMPORT, 0), this::reading));
                }));
        MockHttpServletResponse later = send(limits, request("POST", IMPORT, FILE), this::reading);

        expectProblem(inside.getFirst(), 503, "overloaded");
        assertThat(inside.getFirst().getHeader("Retry-After")).isEqualTo("3");
        assertThat(inside).extracting(MockHttpServletResponse::getStatus).containsExactly(503, 200, 200);
        assertThat(later.getStatus()).isEqualTo(200);
        assertThat(read).containsExactly(USUAL, 0, FILE);
        assertThat(meters.get("registrar.http.requests.turned.away")
                        .tag("reason", "imports")
                        .counter()
                        .count())
                .isOne();
    }

    private BoundedBody.Limits limits(int maxWaiting) {
        ImportSettings imports =
                new ImportSettings(100, DataSize.ofBytes(FILE), maxWaiting, 4, Duration.ofMinutes(1), 100, 100);
        return new BoundedBody.Limits(settings, imports, new RejectedRequests(meters));
    }

    private void reading(ServletRequest request, ServletResponse response) throws IOException {
        read.add(request.getInputStream().readAllBytes().length);
    }

    /* As a request is handled: a refusal to read the body becomes the answer. */
    private MockHttpServletResponse send(BoundedBody.Limits limits, MockHttpServletRequest request, FilterChain chain)
            throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        try (BoundedBody bounded = new BoundedBody(request, response, limits)) {
            BoundedBody.read(request);
            chain.doFilter(bounded, response);
        } catch (ProblemException | OverloadedException refused) {
            WrittenProblems.resolver(settings).resolveException(request, response, null, refused);
        }
        return response;
    }

    private static MockHttpServletRequest request(String method, String path, int bytes) {
        MockHttpServletRequest request = new MockHttpServletRequest(method, path);
        request.setServletPath(path);
        request.setContent(new byte[bytes]);
        return request;
    }

    /* Like a body that is sent in chunks. */
    private static MockHttpServletRequest unannounced(MockHttpServletRequest request) {
        MockHttpServletRequest chunked = new MockHttpServletRequest(request.getMethod(), request.getRequestURI()) {
            @Override
            public long getContentLengthLong() {
                return -1;
            }
        };
        chunked.setServletPath(request.getServletPath());
        chunked.setContent(request.getContentAsByteArray());
        return chunked;
    }
}
