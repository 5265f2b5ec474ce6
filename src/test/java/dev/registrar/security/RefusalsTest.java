package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.boot.test.web.server.LocalServerPort;

/** What a caller gets whose request is refused, and what the log says about it. */
@ServiceWithIssuerTest
@ExtendWith(OutputCaptureExtension.class)
class RefusalsTest {
    private static final String SUBJECT = "ann.smith@example.org";

    private final Api api;

    RefusalsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @Test
    void without_a_token_the_answer_asks_for_one() {
        Answer refused = api.get("/api/students").expectProblem(401, "unauthorized");

        assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer");
        assertThat(refused.header("X-Correlation-Id")).isNotEmpty();
        assertThat(refused.json().path("detail").asString()).contains("Authorization");
    }

    @Test
    void a_path_of_the_api_that_does_not_exist_is_forbidden() {
        for (String[] token : new String[][] {
            TestIssuer.student("s1"),
            TestIssuer.person("clerk", Role.COURSE_OFFICE),
            TestIssuer.machine(Scope.READ, Scope.APPEND)
        }) {
            api.get("/api/nothing", token).expectProblem(403, "forbidden");
        }
        api.get("/api/nothing").expectProblem(401, "unauthorized");
    }

    @Test
    void a_token_that_is_not_valid_is_named_as_the_reason() {
        for (String[] header :
                new String[][] {TestIssuer.expired(), TestIssuer.header("a.b.c"), {"Authorization", "Bearer ?"}}) {
            Answer refused = api.get("/api/courses", header).expectProblem(401, "unauthorized");

            assertThat(refused.header("WWW-Authenticate")).isEqualTo("Bearer error=\"invalid_token\"");
        }
    }

    @Test
    void keys_that_cannot_be_read_are_no_fault_of_the_token() {
        TestIssuer.setDown(true);
        try {
            Answer answer = api.get("/api/courses", TestIssuer.person(Api.newId("clerk"), Role.COURSE_OFFICE))
                    .expectProblem(503, "service-unavailable");
            assertThat(answer.json().path("detail").asString()).contains("the issuer's keys", "nothing was changed");
            assertThat(answer.header("Retry-After")).isNotEmpty();
            assertThat(answer.header("WWW-Authenticate")).isEmpty();
        } finally {
            TestIssuer.setDown(false);
        }
    }

    @Test
    void a_refused_body_is_not_read_and_the_answer_arrives() {
        String large = "x".repeat(1024 * 1024);

        api.send("POST", "/api/courses/import", large).expectProblem(401, "unauthorized");
        api.send("POST", "/api/courses/import", large, TestIssuer.student("s1")).expectProblem(403, "forbidden");
    }

    @Test
    void a_machine_appends_no_event_of_the_domain() {
        String forged =
                "{\"events\": {\"type\": \"StudentEnrolledInCourse\", \"tags\": [\"course:c1\"], \"data\": {}}}";
        String own = "{\"events\": {\"type\": \"Noted\", \"tags\": [\"note:1\"], \"data\": {}}}";
        String[] machine = TestIssuer.machine(Scope.READ, Scope.APPEND);

        Answer refused = api.post("/dcb/append", forged, machine).expectProblem(403, "forbidden");

        assertThat(refused.json().path("detail").asString()).contains("StudentEnrolledInCourse");
        api.post("/dcb/append", own, machine).expect(200);
    }

    @Test
    void a_malformed_target_is_refused() {
        for (String path : new String[] {"/api/courses;x=1", "/api//courses", "/api/courses/%2e%2e/students"}) {
            api.get(path, TestIssuer.person("office", Role.COURSE_OFFICE)).expectProblem(400, "bad-request");
        }
    }

    @Test
    void the_log_has_a_line_without_personal_data(CapturedOutput log) {
        api.get("/api/students/s-4711", TestIssuer.person(SUBJECT, Role.AUDITOR))
                .expectProblem(403, "forbidden");
        api.get("/api/students/s-4711").expect(401);

        assertThat(log.getOut())
                .containsPattern("RefusalLog.* method=GET place=api status=403 reason=not-allowed subject=[0-9a-f]{16}")
                .containsPattern("RefusalLog.* method=GET place=api status=401 reason=no-token subject=-")
                .doesNotContain(SUBJECT)
                .doesNotContain("4711");
    }
}
