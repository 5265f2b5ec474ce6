package dev.registrar.http;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.http.admission.CorrelationFilter;
import dev.registrar.http.admission.HttpSettings;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.Problem;
import io.micrometer.common.KeyValue;
import jakarta.servlet.http.HttpServletRequest;
import java.util.function.Function;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;

/**
 * What all writes have in common: where the command comes from, its idempotency key, and the answers other than yes.
 */
@Component
final class Writes {
    /** The attribute of a trace that tells where the write's last event is. */
    static final String POSITION = "registrar.position";

    private final DecisionLoop<EnrollmentEvent> loop;
    private final String retryAfterSeconds;

    Writes(DecisionLoop<EnrollmentEvent> loop, HttpSettings settings) {
        this.loop = loop;
        this.retryAfterSeconds = Long.toString(settings.retryAfter().toSeconds());
    }

    /**
     * Carries out a decision and answers.
     *
     * @param yes the answer to an accepted command; it is given its position here
     */
    <R extends Refusal> ResponseEntity<Object> answer(
            HttpServletRequest request,
            Decision<EnrollmentEvent, R> decision,
            Function<Accepted<EnrollmentEvent, R>, ResponseEntity<Object>> yes) {
        Origin origin = Origin.correlatedBy(CorrelationFilter.correlationId(request));
        return switch (loop.execute(decision, origin, IdempotencyKeyHeader.key(request))) {
            case Accepted<EnrollmentEvent, R> accepted -> {
                ServerHttpObservationFilter.findObservationContext(request)
                        .ifPresent(trace -> trace.addHighCardinalityKeyValue(
                                KeyValue.of(POSITION, accepted.position().toString())));
                ResponseEntity<Object> answer = yes.apply(accepted);
                yield ResponseEntity.status(answer.getStatusCode())
                        .headers(answer.getHeaders())
                        .header(Headers.POSITION, accepted.position().toString())
                        .body(answer.getBody());
            }
            case Outcome.Rejected<EnrollmentEvent, R>(R reason, String explanation) ->
                Problem.response(refused(reason, explanation));
            case Outcome.Contended<EnrollmentEvent, R>(int attempts) ->
                Problem.response(givenUp(attempts), retryAfterSeconds);
        };
    }

    /* Who was never too late has only waited for those before it. */
    private ProblemDetail givenUp(int attempts) {
        return attempts == 0
                ? Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "overloaded",
                        "The decision was not made within the request's deadline; nothing was changed: send the request again after %s s"
                                .formatted(retryAfterSeconds))
                : Problem.of(
                        HttpStatus.SERVICE_UNAVAILABLE,
                        "contended",
                        "Other requests changed what this decision rests on, at each of %d attempts; nothing was changed: send the request again after %s s"
                                .formatted(attempts, retryAfterSeconds));
    }

    private static ProblemDetail refused(Refusal reason, String explanation) {
        return Problem.of(
                reason.isAboutUnknown() ? HttpStatus.NOT_FOUND : HttpStatus.CONFLICT, reason.code(), explanation);
    }
}
