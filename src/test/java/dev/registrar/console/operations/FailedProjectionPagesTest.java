package dev.registrar.console.operations;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** The pages of a view that has stopped at an event, with a message that quotes the event and attacks the page. */
@ServiceTest
@DirtiesContext
@Import(FailedProjectionPagesTest.WithHostileView.class)
@TestPropertySource(properties = "registrar.projections.attempts=1")
@Tag("thorough")
class FailedProjectionPagesTest {
    private static final String PAGE = "/console/projections/hostile";
    private static final String ATTACK =
            "</code><script>alert(1)</script> ann@example.org \u202Etfel\u2028 \uD800 😀 " + "x".repeat(20_000);

    private final ConsoleClient client;
    private final Api api;
    private final ProjectionAdministration administration;

    FailedProjectionPagesTest(@LocalServerPort int port, @Autowired ProjectionAdministration administration) {
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
        this.administration = administration;
    }

    @TestConfiguration(proxyBeanMethods = false)
    static class WithHostileView {
        @Bean
        View hostile() {
            return new HostileView();
        }
    }

    /** Fails at every event. */
    static final class HostileView implements View {
        @Override
        public String name() {
            return "hostile";
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types("StudentRegistered"));
        }

        @Override
        public int version() {
            return 1;
        }

        @Override
        public void create(Tables tables) {
            tables.sql("create table ${schema}.nothing (position bigint)").update();
        }

        @Override
        public void apply(List<SequencedEvent> events, Tables tables) {
            throw new IllegalStateException(ATTACK);
        }
    }

    @BeforeEach
    void stop() {
        api.student();
        await().until(() -> administration.status("hostile").isStopped());
    }

    private long failedAt() {
        var failure = Objects.requireNonNull(administration.status("hostile").failure());
        return Objects.requireNonNull(failure.position()).value();
    }

    @Test
    void an_auditor_reads_the_message_as_text_and_an_operator_the_name_of_the_exception() {
        Page ofAuditor = client.open(PAGE).expect(200);
        client.submit("/", "/console/role", "role", "operator").expect(200);
        Page ofOperator = client.open(PAGE).expect(200);

        assertThat(ofAuditor.text()).contains("alert(1)", "ann@example.org");
        assertThat(ofAuditor.html()).doesNotContain("<script>alert").contains("&lt;script&gt;alert");
        assertThat(ofOperator.text())
                .contains("stopped", "Failed at the event at position " + failedAt(), "IllegalStateException: redacted")
                .doesNotContain("ann@example.org");
        assertThat(ofOperator.html()).contains("href=\"/console/events/%s\"".formatted(failedAt()));
        assertThat(client.open("/console/projections").expect(200).text())
                .contains("stopped at event " + failedAt())
                .doesNotContain("ann@example.org");
    }

    @Test
    void the_failed_event_is_skipped_after_a_page_has_named_it() {
        long failed = failedAt();

        Page confirm = client.open(PAGE + "/skip/confirm").expect(200);
        assertThat(confirm.text()).contains("never handles the event at position " + failed, "Look at the event first");
        Page wrong = client.submit(confirm, PAGE + "/skip", "position", String.valueOf(failed + 1))
                .expect(200);
        assertThat(wrong.text()).contains("Not done.", "has stopped at position " + failed);
        Page done = client.submit(confirm, PAGE + "/skip", "position", String.valueOf(failed))
                .expect(200);

        assertThat(done.text()).contains("Done. 'hostile' has skipped the event");
        await().untilAsserted(
                        () -> assertThat(client.open(PAGE).text()).contains("The last skipped events", "operator"));
        client.submit("/", "/console/role", "role", "operator").expect(200);
        assertThat(client.open(PAGE).text())
                .contains("IllegalStateException: redacted")
                .doesNotContain("ann@example.org");

        Page discard = client.open(PAGE + "/discard/confirm?position=" + failed).expect(200);
        assertThat(discard.text()).contains("never handles the event at position " + failed);
        Page discarded = client.submit(discard, PAGE + "/discard", "position", String.valueOf(failed))
                .expect(200);
        assertThat(discarded.text()).contains("Done. The event will not be handled by 'hostile'");
        assertThat(administration.deadLetters("hostile", Position.START, 100))
                .extracting(skip -> skip.position().value())
                .doesNotContain(failed);
        Page again = client.submit(discard, PAGE + "/discard", "position", String.valueOf(failed))
                .expect(200);
        assertThat(again.text()).contains("Not done.", "has no dead letter at position " + failed);
    }
}
