package dev.registrar.http;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.eventstore.IdempotencyKey;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Carries out the commands that the caller may give: the course office any, a student those about themselves. */
@Component
class CallerCommands {
    private final DecisionLoop<EnrollmentEvent> loop;

    CallerCommands(DecisionLoop<EnrollmentEvent> loop) {
        this.loop = loop;
    }

    @OwnStudent
    <R extends Refusal> Outcome<EnrollmentEvent, R> execute(
            Decision<EnrollmentEvent, R> command, Origin origin, @Nullable IdempotencyKey key) {
        return loop.execute(command, origin, key);
    }
}
