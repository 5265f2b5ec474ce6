package dev.registrar.eventstore;

import static dev.registrar.eventstore.FailureCategory.CONNECTION;
import static dev.registrar.eventstore.FailureCategory.CONSTRAINT;
import static dev.registrar.eventstore.FailureCategory.DEADLOCK;
import static dev.registrar.eventstore.FailureCategory.OUT_OF_RESOURCES;
import static dev.registrar.eventstore.FailureCategory.SERIALIZATION;
import static dev.registrar.eventstore.FailureCategory.SYNTAX;
import static dev.registrar.eventstore.FailureCategory.TIMEOUT;
import static dev.registrar.eventstore.FailureCategory.TRANSIENT;
import static dev.registrar.eventstore.FailureCategory.UNKNOWN;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

class FailureCategoryTest {

    @Test
    void a_failure_that_can_resolve_by_itself_is_transient() {
        assertThat(Arrays.stream(FailureCategory.values()).filter(FailureCategory::isTransient))
                .containsExactly(CONNECTION, TRANSIENT, SERIALIZATION, DEADLOCK);
    }

    @Test
    void a_failure_that_waiting_does_not_resolve_is_a_mistake() {
        assertThat(Arrays.stream(FailureCategory.values()).filter(FailureCategory::isMistake))
                .containsExactly(CONSTRAINT, SYNTAX, UNKNOWN);
    }

    @Test
    void a_failure_that_affects_every_request_is_an_outage() {
        assertThat(Arrays.stream(FailureCategory.values()).filter(FailureCategory::isOutage))
                .containsExactly(CONNECTION, TRANSIENT, TIMEOUT, OUT_OF_RESOURCES);
    }
}
