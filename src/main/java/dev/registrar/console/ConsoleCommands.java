package dev.registrar.console;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentCommand;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.EdgeFilter;
import jakarta.servlet.http.HttpServletRequest;
import org.springframework.stereotype.Component;

/**
 * Gives the commands of the console's forms. The events record the visitor as their actor. The page that the browser is
 * redirected to waits for the views that it shows ({@link ConsoleReads}).
 */
@Component
public final class ConsoleCommands {
    private final DecisionLoop<EnrollmentEvent> loop;

    ConsoleCommands(DecisionLoop<EnrollmentEvent> loop) {
        this.loop = loop;
    }

    /** Gives a command. The caller has checked that the visitor may give it, and about which student. */
    public <R extends Refusal> Outcome<EnrollmentEvent, R> give(
            HttpServletRequest request, Decision<EnrollmentEvent, R> command) {
        Origin origin = Origin.correlatedBy(EdgeFilter.correlationId(request))
                .by(
                        command instanceof StudentCommand ofStudent
                                ? CallingActor.currentFor(ofStudent.student())
                                : CallingActor.current());
        Outcome<EnrollmentEvent, R> outcome = loop.execute(command, origin, null);
        if (outcome instanceof Outcome.Accepted<EnrollmentEvent, R> accepted) {
            ConsoleReads.nextPageWaitsFor(accepted.position(), request);
        }
        return outcome;
    }
}
