package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Permits;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.http.dcb.DcbAppendController.ConditionBody;
import dev.registrar.http.dcb.DcbRequests.ProjectBody;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.InvalidValueException;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** The operations of the event store's API that read, independent of the client's wire format. */
@Component
public final class DcbOperations {
    private final EventStore store;
    private final Permits projections;

    DcbOperations(EventStore store, Permits projections) {
        this.store = store;
        this.projections = projections;
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
