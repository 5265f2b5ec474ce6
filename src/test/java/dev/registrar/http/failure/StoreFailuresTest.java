package dev.registrar.http.failure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.RegistrarApplication;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.http.admission.HttpSettings;
import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.problem.ContendedException;
import dev.registrar.security.RefusalLog;
import dev.registrar.testdatabase.TestDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.util.unit.DataSize;

/** The responses to failures of the event store: they state whether anything was changed and whether to retry. */
@ExtendWith(OutputCaptureExtension.class)
class StoreFailuresTest {
    private final Problems problems = new Problems(
            new HttpSettings(
                    DataSize.ofKilobytes(64),
                    DataSize.ofMegabytes(1),
                    new AdmissionSettings(2_000, Duration.ofSeconds(10), 0, 0, 10_000),
                    Duration.ofSeconds(3),
                    Duration.ZERO),
            new RefusalLog());

    @Tag("thorough")
    @Test
    void a_lost_database_makes_the_service_unavailable() {
        TestDatabase database = TestDatabase.create();
        try (ConfigurableApplicationContext service = new SpringApplicationBuilder(RegistrarApplication.class)
                .run(
                        "--server.port=0",
                        "--spring.datasource.url=" + database.url(),
                        "--spring.datasource.username=" + database.username(),
                        "--spring.datasource.password=" + database.password(),
                        "--registrar.store.connection-timeout=500ms",
                        "--spring.datasource.hikari.connection-timeout=500")) {
            Api api = new Api(service.getEnvironment().getRequiredProperty("local.server.port", Integer.class));
            String course = api.course(1);
            String student = api.student();

            database.close();

            // The first requests may still use connections on which the loss was not noticed.
            for (int request = 0; request < 3; request++) {
                assertUnavailable(api.get("/api/courses/" + course));
                assertUnavailable(api.enroll(student, course));
                assertUnavailable(api.post(
                        "/api/courses",
                        "{\"title\": \"Latin\", \"capacity\": 1}",
                        "Idempotency-Key",
                        "gone-" + request));
            }
            assertThat(api.get("/actuator/health").status()).isEqualTo(503);
            assertThat(api.get("/actuator/health/liveness").status()).isEqualTo(200);
        }
    }

    @Test
    void a_lost_append_under_a_key_may_be_retried() {
        ResponseEntity<Object> answer = answer(new OutcomeUnknownException("Lost: select 1"), "key-1");

        assertProblem(answer, HttpStatus.GATEWAY_TIMEOUT, "outcome-unknown", "3");
    }

    @Test
    void a_lost_append_without_a_key_has_no_retry_after() {
        ResponseEntity<Object> answer = answer(new OutcomeUnknownException("Lost: select 1"), null);

        assertProblem(answer, HttpStatus.GATEWAY_TIMEOUT, "outcome-unknown", null);
    }

    @ParameterizedTest
    @NullSource
    @ValueSource(strings = "key-1")
    void a_request_that_changed_nothing_may_be_retried(@Nullable String key) {
        assertProblem(
                answer(new StoreTimeoutException("A read of the event store timed out"), key),
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "3");
        assertProblem(
                answer(new OverloadedException("Too many waiting appends (limit 5)"), key),
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "3");
        assertProblem(
                answer(new StoreUnavailableException("The event store is closed"), key),
                HttpStatus.SERVICE_UNAVAILABLE,
                "overloaded",
                "3");
    }

    /* A database that answers is not one that cannot be reached. */
    @ParameterizedTest
    @CsvSource({
        "CONNECTION, 503, database-unavailable, 3",
        "TRANSIENT, 503, database-unavailable, 3",
        "TIMEOUT, 503, overloaded, 3",
        "LOCK_TIMEOUT, 503, overloaded, 3",
        "SERIALIZATION, 503, overloaded, 3",
        "DEADLOCK, 503, overloaded, 3",
        "OUT_OF_RESOURCES, 503, overloaded, 3",
        "CONSTRAINT, 500, internal-error,",
        "SYNTAX, 500, internal-error,",
        "UNKNOWN, 500, internal-error,"
    })
    void the_response_to_a_failure_of_the_database_depends_on_its_category(
            FailureCategory category, int status, String code, @Nullable String retryAfter) {
        assertProblem(
                answer(new StoreUnavailableException("Gone: select 1", null, category), null),
                HttpStatus.valueOf(status),
                code,
                retryAfter);
    }

    @Test
    void a_bug_is_logged_with_its_trace(CapturedOutput output) {
        answer(new StoreUnavailableException("Wrong", new SQLException("no table"), FailureCategory.SYNTAX), null);

        assertThat(output).contains("Unexpected error", "no table", "\tat " + StoreFailuresTest.class.getName());
    }

    @Test
    void the_detail_names_the_reason_the_key_and_when_to_retry() {
        assertThat(detail(new OverloadedException("Too many waiting appends (limit 5)"), null))
                .isEqualTo("Too many waiting appends (limit 5); nothing was changed: send the request again after 3 s");
        assertThat(detail(new StoreTimeoutException("No connection to the database became free in time"), null))
                .isEqualTo("No connection to the database became free in time; nothing was changed:"
                        + " send the request again after 3 s");
        assertThat(detail(
                        new StoreUnavailableException("Full: select 1", null, FailureCategory.OUT_OF_RESOURCES), null))
                .isEqualTo("The database has no memory, disk space or connection left; nothing was changed:"
                        + " send the request again after 3 s");
        assertThat(detail(new OutcomeUnknownException("Lost: select 1"), "key-1"))
                .isEqualTo("It is unknown whether the change was stored:"
                        + " send the request again under the same Idempotency-Key, 'key-1'");
    }

    private @Nullable String detail(EventStoreException failure, @Nullable String key) {
        return answer(failure, key).getBody() instanceof ProblemDetail problem ? problem.getDetail() : null;
    }

    @Test
    void a_contended_decision_may_be_repeated() {
        assertProblem(answer(new ContendedException(20), null), HttpStatus.SERVICE_UNAVAILABLE, "contended", "3");
    }

    @Test
    void a_client_error_has_no_retry_after() {
        assertProblem(
                answer(new RefusedInputException("A tag has at most 255 characters"), null),
                HttpStatus.UNPROCESSABLE_CONTENT,
                "invalid-value",
                null);
        assertProblem(
                answer(new IdempotencyKeyReusedException(new IdempotencyKey("key-1", "other")), "key-1"),
                HttpStatus.UNPROCESSABLE_CONTENT,
                "idempotency-key-reused",
                null);
    }

    @Test
    void the_response_to_a_bug_reveals_no_internals() {
        ResponseEntity<Object> answer = answer(new IllegalStateException("select 1 failed"), null);

        assertProblem(answer, HttpStatus.INTERNAL_SERVER_ERROR, "internal-error", null);
    }

    private static void assertUnavailable(Answer answer) {
        answer.expectProblem(503, "database-unavailable");
        assertThat(answer.header("Retry-After")).isEqualTo("1");
    }

    private ResponseEntity<Object> answer(Exception failure, @Nullable String key) {
        MockHttpServletRequest request = new MockHttpServletRequest();
        if (key != null) {
            request.addHeader("Idempotency-Key", key);
        }
        return Objects.requireNonNull(problems.of(failure, request));
    }

    private static void assertProblem(
            ResponseEntity<Object> answer, HttpStatus status, String code, @Nullable String retryAfter) {
        assertThat(answer.getStatusCode()).isEqualTo(status);
        assertThat(answer.getHeaders().getFirst("Retry-After")).isEqualTo(retryAfter);
        assertThat(answer.getBody()).isInstanceOfSatisfying(ProblemDetail.class, problem -> {
            assertThat(problem.getProperties()).containsEntry("code", code);
            assertThat(String.valueOf(problem.getDetail())).doesNotContain("select");
        });
    }
}
