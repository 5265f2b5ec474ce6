package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Position;
import dev.registrar.http.problem.FailureText;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.Skip;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.Role;
import java.time.Instant;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.security.core.context.SecurityContextHolder;

/** The texts of projections' failures, which may quote an event. */
class FailureTextTest {
    private static final String QUOTING =
            "org.springframework.dao.DuplicateKeyException: Key (email)=(ann@example.org) already exists";

    @AfterEach
    void noCallerIsKnown() {
        SecurityContextHolder.clearContext();
    }

    @Test
    void an_operator_reads_only_the_name_of_the_exception() {
        calls(Role.OPERATOR);

        assertThat(FailureText.of(QUOTING))
                .startsWith("org.springframework.dao.DuplicateKeyException: redacted")
                .doesNotContain("ann@example.org");
        assertThat(FailureText.of("ann@example.org is no event: java.lang.IllegalStateException"))
                .startsWith("redacted");
    }

    @Test
    void an_operator_sees_no_event_in_the_status_of_a_projection() {
        calls(Role.OPERATOR);
        Instant now = Instant.now();

        assertThat(ProjectionController.Failure.of(new ProjectionStatus.Failure(QUOTING, Position.of(4), now)))
                .asString()
                .contains("position=4")
                .doesNotContain("ann@example.org");
        assertThat(ProjectionController.Skipped.of(new Skip(Position.of(4), Skip.By.OPERATOR, QUOTING, now)))
                .asString()
                .contains("position=4")
                .doesNotContain("ann@example.org");
    }

    @Test
    void an_auditor_reads_the_whole_text() {
        calls(Role.AUDITOR);

        assertThat(FailureText.of(QUOTING)).isEqualTo(QUOTING);
    }

    private static void calls(Role role) {
        Caller caller = new Caller("https://issuer.example", "someone", null, null, Set.of(role));
        SecurityContextHolder.getContext().setAuthentication(CallerAuthentication.of(caller, Set.of(), null));
    }
}
