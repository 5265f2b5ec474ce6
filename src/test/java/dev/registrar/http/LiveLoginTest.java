package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.security.Role;
import dev.registrar.security.Scope;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestIssuer;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Live streams of callers with a token: how long they last, how many there may be, and what is logged of them. */
@ServiceWithIssuerTest
@ExtendWith(OutputCaptureExtension.class)
class LiveLoginTest {
    /** As {@link ServiceWithIssuerTest} sets it. */
    private static final int MOST_STREAMS = 5;

    /** Long enough for the stream to begin on a busy machine. */
    private static final Duration SHORT_LOGIN = Duration.ofSeconds(5);

    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final int port;
    private final Api api;
    private final MeterRegistry meters;

    LiveLoginTest(@LocalServerPort int port, @Autowired MeterRegistry meters) {
        this.port = port;
        this.api = new Api(port);
        this.meters = meters;
    }

    private String course() {
        String id = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"A course\", \"capacity\": 3}".formatted(id), OFFICE)
                .expect(201);
        return id;
    }

    /* The times of a token are whole seconds. */
    private static Instant shortLogin() {
        return Instant.now().plus(SHORT_LOGIN).truncatedTo(ChronoUnit.SECONDS);
    }

    private static String[] auditorUntil(Instant end) {
        return TestIssuer.header(TestIssuer.token(
                Api.newId("auditor"), claims -> claims.expiresAt(end).claim("roles", List.of(Role.AUDITOR.claim()))));
    }

    private static String[] machineUntil(Instant end) {
        return TestIssuer.header(TestIssuer.token(
                "machine", claims -> claims.expiresAt(end).claim("scope", Scope.READ.claim())));
    }

    private LiveClient listen(String path, String[] authorization, String accept) {
        return LiveClient.get(port, path, authorization[0], authorization[1], "Accept", accept);
    }

    @Tag("thorough")
    @Test
    void streams_end_with_the_login() {
        String course = course();
        Instant end = shortLogin();
        try (LiveClient ofCourse =
                        listen("/api/courses/%s/events".formatted(course), auditorUntil(end), "text/event-stream");
                LiveClient events = listen("/dcb/events", machineUntil(end), "text/event-stream");
                LiveClient lines = listen("/dcb/events", machineUntil(end), "application/x-ndjson")) {
            ofCourse.awaitLines(3).awaitEnd();
            events.awaitLines(1).awaitEnd();
            lines.awaitLines(1).awaitEnd();

            assertThat(Instant.now()).isAfterOrEqualTo(end);
            assertThat(ofCourse.lines()).contains(": ended: the login has expired");
        }
        awaitNoListener();
    }

    private void awaitNoListener() {
        await().until(() -> meters.get("registrar.live.listeners").gauge().value() == 0);
    }

    @Test
    void a_caller_has_a_bounded_number_of_streams() {
        String path = "/api/courses/%s/events".formatted(course());
        String[] one = TestIssuer.person(Api.newId("auditor"), Role.AUDITOR);
        String[] other = TestIssuer.person(Api.newId("auditor"), Role.AUDITOR);
        List<LiveClient> open = new ArrayList<>();
        try {
            for (int i = 0; i < MOST_STREAMS; i++) {
                open.add(listen(path, one, "text/event-stream").awaitLines(3));
            }
            Answer oneMore = api.get(path, one);
            oneMore.expectProblem(429, "too-many-requests");
            assertThat(oneMore.header("Retry-After")).isNotEmpty();
            listen(path, other, "text/event-stream").awaitLines(3).close();
        } finally {
            open.forEach(LiveClient::close);
        }
        awaitNoListener();
        try (LiveClient again = listen(path, one, "text/event-stream")) {
            again.awaitLines(3);
        }
    }

    @Test
    void an_auditors_access_to_payloads_is_logged_without_personal_data(CapturedOutput log) {
        String course = course();
        String subject = Api.newId("auditor");
        String[] auditor = TestIssuer.person(subject, Role.AUDITOR);

        try (LiveClient client = listen("/api/courses/%s/events".formatted(course), auditor, "text/event-stream")) {
            client.awaitLines(3);
        }
        api.get("/dcb/read", auditor).expect(200);
        api.get("/dcb/events/1", auditor).expect(200);

        assertThat(log.getOut().lines().filter(line -> line.contains("Payloads read:")))
                .anyMatch(line -> line.contains("method=GET place=/api/courses/{courseId}/events subject="))
                .anyMatch(line -> line.contains("method=GET place=/dcb/read subject="))
                .anyMatch(line -> line.contains("method=GET place=/dcb/events/{position} subject="))
                .noneMatch(line -> line.contains(course) || line.contains(subject));
    }

    @Test
    void a_machine_that_reads_is_not_logged_as_an_auditor(CapturedOutput log) {
        course();
        api.get("/dcb/read", TestIssuer.machine(Scope.READ)).expect(200);

        assertThat(log.getOut()).doesNotContain("Payloads read:");
    }
}
