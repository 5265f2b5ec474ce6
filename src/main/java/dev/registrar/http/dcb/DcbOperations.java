package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.dcb.DcbAppends.AppendBody;
import dev.registrar.http.dcb.DcbAppends.ConditionBody;
import dev.registrar.http.dcb.DcbAppends.LockTags;
import dev.registrar.http.dcb.DcbRequests.ProjectBody;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.security.Caller;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.stereotype.Component;

/** The operations of the event store's API, independent of the client's wire format. */
@Component
public final class DcbOperations {
    private final EventStore store;
    private final DcbSettings settings;
    private final Permits projections;
    private final ContentionRecorder contention;

    DcbOperations(EventStore store, DcbSettings settings, Permits projections, ContentionRecorder contention) {
        this.store = store;
        this.settings = settings;
        this.projections = projections;
        this.contention = contention;
    }

    /** The answer to an append. */
    @Schema(name = "DcbAppended")
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record AppendAnswer(
            long durationInMicroseconds,
            boolean appendConditionFailed,

            @Schema(description = "Position of the last event") @Nullable Long position,

            @Schema(description = "Positions of the first and the last event") @Nullable List<Long> positions,

            @Schema(description = "Why nothing was appended") @Nullable ConflictAnswer conflict) {}

    /** The event that made the append condition fail. */
    @Schema(name = "DcbConflict")
    public record ConflictAnswer(DcbRequests.ItemBody item, long position, String type) {}

    /**
     * Appends all events, or none.
     *
     * @throws InvalidValueException if the store refused a value of the request
     * @throws StoreReplacedException if the store has lost the history that is the condition's basis
     * @throws AccessDeniedException if an event has a type of the domain, and the caller is not the actor local
     */
    public AppendAnswer append(AppendBody body, @Nullable IdempotencyKey key) {
        long started = System.nanoTime();
        Append append = request(body, key).by(CallingActor.current());
        checkTypes(append);
        AppendResult result;
        try {
            result = store.append(append);
        } catch (RefusedInputException refused) {
            throw body.located(refused, append, store.limits());
        }
        return switch (result) {
            case Appended appended ->
                new AppendAnswer(
                        microsecondsSince(started),
                        false,
                        appended.last().value(),
                        List.of(appended.first().value(), appended.last().value()),
                        null);
            case Conflict(var item, var position, var type) -> {
                contention.conflict(
                        item, "append of " + append.events().getFirst().type(), type);
                yield new AppendAnswer(
                        microsecondsSince(started),
                        true,
                        null,
                        null,
                        new ConflictAnswer(DcbRequests.ItemBody.of(item), position.value(), type));
            }
            case StoreReplaced replaced -> throw new StoreReplacedException(body.basis(), store.head());
        };
    }

    /** The request to the store that an append makes. */
    Append request(AppendBody body, @Nullable IdempotencyKey key) {
        return body.append(new LockTags(settings.lockTags())).under(key);
    }

    /* An event of the domain is valid only as the outcome of a command. */
    private static void checkTypes(Append append) {
        if (Caller.current().isLocal()) {
            return;
        }
        for (Event event : append.events()) {
            if (EnrollmentEventCodec.TYPES.contains(event.type())) {
                throw new AccessDeniedException(
                        "Events of type '%s' are the course office's own: only its commands append them"
                                .formatted(event.type()));
            }
        }
    }

    /** The number of matching events up to the head. */
    public record Counted(long matching, Head head) {}

    /**
     * Counts events.
     *
     * @throws InvalidValueException if the store refused the query
     */
    public Counted count(Query query, ReadOptions options) {
        ReadOptions range = options.on(Set.of());
        return range.equals(ReadOptions.forwards()) || range.equals(ReadOptions.backwards())
                ? countAll(query, options)
                : countRead(query, options);
    }

    /* Counts in the database. If the head has moved meanwhile, counts by reading instead. */
    private Counted countAll(Query query, ReadOptions options) {
        Head before;
        try (EventStream empty = store.read(Query.all(), options.limit(0))) {
            before = empty.head();
        }
        long matching = InvalidValueException.at("/query", () -> store.count(query));
        return store.head().equals(before) ? new Counted(matching, before) : countRead(query, options);
    }

    private Counted countRead(Query query, ReadOptions options) {
        long matching = 0;
        try (EventStream stream = InvalidValueException.at("/query", () -> store.read(query, options))) {
            while (stream.hasNext()) {
                stream.next();
                matching++;
            }
            return new Counted(matching, stream.head());
        }
    }

    /** States, and the append condition that fails if they have changed. */
    @Schema(name = "DcbProjected")
    public record ProjectAnswer(
            long durationInMicroseconds,

            @JsonInclude(content = JsonInclude.Include.ALWAYS)
            Map<String, @Nullable Object> states,

            ConditionBody appendCondition,
            long head) {}

    /**
     * Folds events into states.
     *
     * @throws InvalidValueException if a value of the request is not allowed
     */
    public ProjectAnswer project(ProjectBody body) {
        long started = System.nanoTime();
        return projections.within(Duration.ZERO, () -> fold(body, started));
    }

    private ProjectAnswer fold(ProjectBody body, long started) {
        List<DeclaredProjection> declared = body.projections();
        Query all = declared.stream()
                .map(DeclaredProjection::query)
                .reduce(Query::or)
                .orElseThrow();
        Map<String, @Nullable Object> states = new LinkedHashMap<>();
        declared.forEach(projection -> states.put(projection.id(), projection.initial()));
        try (EventStream stream = InvalidValueException.at("/projectors", () -> store.read(all, body.within()))) {
            while (stream.hasNext()) {
                Event event = stream.next().event();
                DeclaredProjection.EventData data = new DeclaredProjection.EventData(event.payload());
                for (DeclaredProjection projection : declared) {
                    if (projection.query().matches(event)) {
                        states.put(projection.id(), projection.apply(states.get(projection.id()), data));
                    }
                }
            }
            long head = stream.head().position().value();
            ConditionBody condition = new ConditionBody(QueryBody.of(all), head, Basis.of(stream.head()));
            return new ProjectAnswer(microsecondsSince(started), states, condition, head);
        }
    }

    public static long microsecondsSince(long started) {
        return TimeUnit.NANOSECONDS.toMicros(System.nanoTime() - started);
    }
}
