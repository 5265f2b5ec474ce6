package dev.registrar.http;

import dev.registrar.decision.Decision;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Verdict;
import dev.registrar.enrollment.Attempts;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentCommand;
import dev.registrar.enrollment.TimesClash;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.EdgeFilter;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.problem.ContendedException;
import dev.registrar.http.problem.FulfilledRefusals;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.KeptRefusals;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Unknown;
import dev.registrar.http.problem.UnknownToCallerException;
import io.micrometer.common.KeyValue;
import jakarta.servlet.http.HttpServletRequest;
import java.net.URI;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.ServerHttpObservationFilter;

/** Carries out commands: adds their origin and idempotency key, and turns each outcome into an answer. */
@Component
final class Writes {
    /** The trace attribute with the position of the write's last event. */
    static final String POSITION = "registrar.position";

    private final DecisionLoop<EnrollmentEvent> commands;
    private final KeptRefusals refusals;
    private final HttpServletRequest request;

    /** @param request the one that the thread handles, at each call */
    Writes(DecisionLoop<EnrollmentEvent> commands, KeptRefusals refusals, HttpServletRequest request) {
        this.commands = commands;
        this.refusals = refusals;
        this.request = request;
    }

    /**
     * The answer to an accepted command.
     *
     * @param location the path of what was created, without the context path; null if nothing was created
     */
    record Answer<B>(
            HttpStatus status,
            @Nullable String location,
            @Nullable B body) {
        /** A change, with its result unless that is not known. */
        static <B> Answer<B> changed(@Nullable B body) {
            return new Answer<>(body == null ? HttpStatus.NO_CONTENT : HttpStatus.OK, null, body);
        }

        static <B> Answer<B> created(String location, @Nullable B body) {
            return new Answer<>(HttpStatus.CREATED, location, body);
        }

        static Answer<Void> noContent() {
            return new Answer<>(HttpStatus.NO_CONTENT, null, null);
        }
    }

    /**
     * A command that is accepted without events if its state holds already. No append confirms such a verdict, so the
     * loop makes it final only on facts that it has read, never on cached ones.
     */
    private record Idempotent<R extends Refusal>(Decision<EnrollmentEvent, R> command)
            implements Decision<EnrollmentEvent, R> {
        @Override
        public List<? extends Fact<EnrollmentEvent, ?>> facts() {
            return command.facts();
        }

        @Override
        public Verdict<EnrollmentEvent, R> decide(Facts<EnrollmentEvent> facts, Instant now) {
            Verdict<EnrollmentEvent, R> verdict = command.decide(facts, now);
            return verdict instanceof Verdict.Refuse<EnrollmentEvent, R> refuse
                            && FulfilledRefusals.contains(refuse.reason())
                    ? Verdict.nothing()
                    : verdict;
        }

        @Override
        public String commandType() {
            return command.commandType();
        }
    }

    /**
     * Carries out a decision and answers.
     *
     * @param accept makes the answer to an accepted command, which has no events if its state held already; this method
     *     adds {@value Headers#POSITION}
     * @throws UnknownToCallerException if the command is for another student than the caller
     */
    <R extends Refusal, B> ResponseEntity<B> answer(
            Decision<EnrollmentEvent, R> decision, Function<Accepted<EnrollmentEvent, R>, Answer<B>> accept) {
        return answerOutcome(decision, execute(decision), accept);
    }

    /**
     * Carries out a decision that may be made from the store's content, and answers.
     *
     * @param look makes the decision; called again if that is refused as outdated ({@link Attempts})
     */
    <B> ResponseEntity<B> answer(
            Supplier<? extends Decision<EnrollmentEvent, ? extends Refusal>> look,
            Function<Accepted<EnrollmentEvent, ?>, Answer<B>> accept) {
        Attempts.Last last = Attempts.carryOut(look, this::execute);
        return answerOutcome(last.decision(), last.outcome(), accept);
    }

    private <R extends Refusal> Outcome<EnrollmentEvent, R> execute(Decision<EnrollmentEvent, R> decision) {
        Actor actor;
        if (decision instanceof StudentCommand ofStudent) {
            Unknown.student(ofStudent.student()).checkCaller();
            actor = CallingActor.currentFor(ofStudent.student());
        } else {
            actor = CallingActor.current();
        }
        Origin origin = Origin.correlatedBy(EdgeFilter.correlationId(request)).by(actor);
        return commands.execute(new Idempotent<>(decision), origin, IdempotencyKeyHeader.key(request));
    }

    private <R extends Refusal, B> ResponseEntity<B> answerOutcome(
            Decision<EnrollmentEvent, ?> decision,
            Outcome<EnrollmentEvent, R> outcome,
            Function<? super Accepted<EnrollmentEvent, R>, Answer<B>> accept) {
        return switch (outcome) {
            case Accepted<EnrollmentEvent, R> accepted -> {
                ServerHttpObservationFilter.findObservationContext(request)
                        .ifPresent(trace -> trace.addHighCardinalityKeyValue(
                                KeyValue.of(POSITION, accepted.position().toString())));
                Answer<B> answer = accept.apply(accepted);
                ResponseEntity.BodyBuilder built = ResponseEntity.status(answer.status())
                        .header(Headers.POSITION, accepted.position().toString());
                if (answer.location() != null) {
                    // The context path includes the prefix that a proxy forwards.
                    built.location(URI.create(request.getContextPath() + answer.location()));
                }
                yield built.body(answer.body());
            }
            case Outcome.Rejected<EnrollmentEvent, R>(R reason, String explanation) -> {
                refusals.keep(EdgeFilter.correlationId(request), decision, reason);
                ProblemDetail problem = Problem.of(KeptRefusals.status(reason), reason.code(), explanation);
                List<String> clashing = TimesClash.courses(reason);
                if (!clashing.isEmpty()) {
                    problem.setProperty("clashesWith", clashing);
                }
                yield Problem.response(problem);
            }
            case Outcome.Contended<EnrollmentEvent, R>(int attempts) -> {
                if (attempts == 0) {
                    // It spent its whole deadline in the wait queue.
                    throw new OverloadedException("The decision was not made within the request's deadline");
                }
                throw new ContendedException(attempts);
            }
        };
    }
}
