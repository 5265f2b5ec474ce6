package dev.registrar.http.admission;

import static dev.registrar.http.failure.WrittenProblems.detail;
import static dev.registrar.http.failure.WrittenProblems.expectProblem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.concurrent.Deadline;
import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.failure.WrittenProblems;
import dev.registrar.imports.ImportSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.util.unit.DataSize;

/** Which requests are admitted: up to a limit of concurrent requests and a rate per address, each with a deadline. */
class AdmissionTest {
    private static final Duration DEADLINE = Duration.ofHours(1);
    private static final Duration LONGER = Duration.ofHours(2);
    private static final int MANY = 10_000;
    private static final int ANY_NUMBER = 0;
    private static final FilterChain ANSWER = (request, response) -> {};
    private static final ImportSettings IMPORTS =
            new ImportSettings(100, DataSize.ofBytes(100), 4, 4, Duration.ofMinutes(1), 100, 100);

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final KnownReadiness readiness = new KnownReadiness();

    @Test
    void a_request_beyond_the_limit_is_rejected_at_once() throws Exception {
        EdgeFilter admission = admission(2, ANY_NUMBER);
        List<MockHttpServletResponse> inside = new ArrayList<>();

        send(
                admission,
                "/api/courses",
                (first, answer) -> send(
                        admission,
                        "/api/courses",
                        (second, otherAnswer) -> inside.add(send(admission, "/api/courses", unreachable()))));
        MockHttpServletResponse later = send(admission, "/api/courses", ANSWER);

        assertThat(inside).singleElement().satisfies(rejected -> {
            expectProblem(rejected, 503, "overloaded");
            assertThat(detail(rejected))
                    .isEqualTo("Too many concurrent requests (limit 2); nothing was changed:"
                            + " send the request again after 3 s");
            assertThat(rejected.getHeader("Retry-After")).isEqualTo("3");
        });
        assertThat(later.getStatus()).isEqualTo(200);
        assertThat(rejected("overloaded")).isOne();
    }

    @Test
    void a_failed_request_releases_its_permit() throws Exception {
        EdgeFilter admission = admission(1, ANY_NUMBER);

        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> send(admission, "/api/courses", failing())).hasMessage("broken");
        }

        assertThat(send(admission, "/api/courses", ANSWER).getStatus()).isEqualTo(200);
    }

    @Test
    void an_unread_body_closes_the_connection() throws Exception {
        EdgeFilter admission = admission(1, ANY_NUMBER);
        MockHttpServletResponse withBody = new MockHttpServletResponse();
        MockHttpServletResponse without = new MockHttpServletResponse();

        send(admission, "/api/courses", (first, answer) -> {
            MockHttpServletRequest request = request("/api/courses");
            request.setContent(new byte[] {1});
            admission.doFilter(request, withBody, unreachable());
            admission.doFilter(request("/api/courses"), without, unreachable());
        });

        assertThat(withBody.getHeader("Connection")).isEqualTo("close");
        assertThat(without.getStatus()).isEqualTo(503);
        assertThat(without.getHeader("Connection")).isNull();
    }

    /* A client that sends nothing more would otherwise keep others out until its connection's time-out. */
    @Test
    void a_rejected_request_holds_no_permit_while_its_body_is_discarded() throws Exception {
        EdgeFilter admission = admission(1, ANY_NUMBER);
        List<Integer> meanwhile = new ArrayList<>();
        MockHttpServletRequest silent = new MockHttpServletRequest("POST", "/api/courses") {
            @Override
            public ServletInputStream getInputStream() {
                try {
                    meanwhile.add(send(admission, "/api/courses", ANSWER).getStatus());
                } catch (ServletException | IOException failure) {
                    throw new AssertionError(failure);
                }
                return super.getInputStream();
            }
        };

        silent.setContent(new byte[] {1});

        for (int i = 0; i < 2; i++) {
            admission.doFilter(
                    silent,
                    new MockHttpServletResponse(),
                    (request, response) -> ((MockHttpServletResponse) response).setStatus(403));
        }

        assertThat(meanwhile).containsExactly(200, 200);
        assertThat(meters.get("registrar.http.requests.active").gauge().value()).isZero();
    }

    @Test
    void the_rate_limit_rejects_only_the_address_that_exceeds_it() throws Exception {
        EdgeFilter admission = admission(MANY, 3);

        for (int i = 0; i < 3; i++) {
            assertThat(sendFrom("10.0.0.1", admission).getStatus()).isEqualTo(200);
        }
        MockHttpServletResponse rejected = firstRejected("10.0.0.1", admission);
        MockHttpServletResponse other = sendFrom("10.0.0.2", admission);

        expectProblem(rejected, 429, "too-many-requests");
        assertThat(detail(rejected)).startsWith("Too many requests from this address (limit 3 a second)");
        assertThat(rejected.getHeader("Retry-After")).isEqualTo("3");
        assertThat(other.getStatus()).isEqualTo(200);
        assertThat(rejected("too-many-requests")).isOne();
        await().until(() -> sendFrom("10.0.0.1", admission).getStatus() == 200);
    }

    @Test
    void requests_before_readiness_do_not_count() throws Exception {
        EdgeFilter admission = admission(MANY, 3);
        readiness.set(ReadinessState.REFUSING_TRAFFIC);

        for (int i = 0; i < 100; i++) {
            assertThat(sendFrom("127.0.0.1", admission).getStatus()).isEqualTo(200);
        }
        readiness.set(ReadinessState.ACCEPTING_TRAFFIC);

        assertThat(sendFrom("127.0.0.1", admission).getStatus()).isEqualTo(200);
        assertThat(rejected("too-many-requests")).isZero();
    }

    @Test
    void health_and_metrics_are_never_rejected() throws Exception {
        EdgeFilter admission = admission(1, 1);
        List<MockHttpServletResponse> answers = new ArrayList<>();

        send(admission, "/api/courses", (first, answer) -> {
            for (int i = 0; i < 100; i++) {
                answers.add(send(admission, "/actuator/health/liveness", ANSWER));
                answers.add(send(admission, "/actuator/prometheus", ANSWER));
            }
        });

        assertThat(answers)
                .hasSize(200)
                .allSatisfy(answer -> assertThat(answer.getStatus()).isEqualTo(200));
    }

    @Test
    void an_admitted_request_has_a_deadline_until_its_end() throws Exception {
        EdgeFilter admission = admission(1, ANY_NUMBER);
        List<Duration> left = new ArrayList<>();

        send(admission, "/api/courses", (request, response) -> left.add(Deadline.left(LONGER)));
        assertThatThrownBy(() -> send(admission, "/api/courses", failing())).hasMessage("broken");

        assertThat(left)
                .singleElement()
                .satisfies(duration -> assertThat(duration).isPositive().isLessThanOrEqualTo(DEADLINE));
        assertThat(Deadline.left(LONGER)).isEqualTo(LONGER);
    }

    private EdgeFilter admission(int atATime, int perSecond) {
        HttpSettings settings = new HttpSettings(
                DataSize.ofKilobytes(64),
                DataSize.ofMegabytes(1),
                new AdmissionSettings(atATime, DEADLINE, perSecond, ANY_NUMBER, 100),
                Duration.ofSeconds(3),
                Duration.ZERO);
        RejectedRequests rejected = new RejectedRequests(meters);
        return new EdgeFilter(
                settings,
                new BoundedBody.Limits(settings, IMPORTS, rejected),
                new RequestThreads(1),
                new EarlyRefusals(WrittenProblems.resolver(settings)),
                rejected,
                readiness,
                meters,
                "/actuator");
    }

    private double rejected(String reason) {
        return meters.get("registrar.http.requests.turned.away")
                .tag("reason", reason)
                .counter()
                .count();
    }

    /* The number is so large that it exceeds the limit of a second even on a slow machine. */
    private static MockHttpServletResponse firstRejected(String client, EdgeFilter admission) {
        return Stream.generate(() -> sendFrom(client, admission))
                .limit(MANY)
                .filter(answer -> answer.getStatus() != 200)
                .findFirst()
                .orElseThrow();
    }

    private static MockHttpServletResponse sendFrom(String client, EdgeFilter admission) {
        MockHttpServletRequest request = request("/api/courses");
        request.setRemoteAddr(client);
        // Addresses that the client chooses, and that do not count.
        for (String header : new String[] {"X-Forwarded-For", "Forwarded", "X-Real-IP"}) {
            request.addHeader(header, "for=" + UUID.randomUUID());
        }
        MockHttpServletResponse response = new MockHttpServletResponse();
        try {
            admission.doFilter(request, response, ANSWER);
        } catch (ServletException | IOException failure) {
            throw new IllegalStateException(failure);
        }
        return response;
    }

    private static MockHttpServletResponse send(EdgeFilter admission, String path, FilterChain chain)
            throws ServletException, IOException {
        MockHttpServletResponse response = new MockHttpServletResponse();
        admission.doFilter(request(path), response, chain);
        return response;
    }

    private static MockHttpServletRequest request(String path) {
        MockHttpServletRequest request = new MockHttpServletRequest("POST", path);
        request.setServletPath(path);
        return request;
    }

    private static FilterChain unreachable() {
        return (request, response) -> {
            throw new AssertionError("The request was admitted");
        };
    }

    private static FilterChain failing() {
        return (request, response) -> {
            throw new ServletException("broken");
        };
    }
}
