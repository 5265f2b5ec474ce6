package dev.registrar.http.gocrablet;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.AppendIsolation;
import dev.registrar.http.dcb.DcbAppendController;
import dev.registrar.http.dcb.DcbAppendController.AppendAnswer;
import dev.registrar.http.dcb.DcbOperations;
import dev.registrar.http.dcb.DcbOperations.ProjectAnswer;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.gocrablet.GoCrabletRequests.AppendRequest;
import dev.registrar.http.gocrablet.GoCrabletRequests.ProjectRequest;
import dev.registrar.http.gocrablet.GoCrabletRequests.ReadRequest;
import dev.registrar.http.problem.InvalidValueException;
import jakarta.servlet.http.HttpServletRequest;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The web API of go-crablet. The OpenAPI description leaves it out, since go-crablet has a description of its own. */
@RestController
@RequestMapping(path = Paths.GO_CRABLET, produces = MediaType.APPLICATION_JSON_VALUE)
final class GoCrabletController {
    private final EventStore store;
    private final DcbAppendController appends;
    private final DcbOperations operations;

    GoCrabletController(EventStore store, DcbAppendController appends, DcbOperations operations) {
        this.store = store;
        this.appends = appends;
        this.operations = operations;
    }

    record Health(String status) {}

    record Appended(long durationInMicroseconds, boolean appendConditionFailed) {}

    /**
     * The number of matching events.
     *
     * @param checkpointEventId the position of the last matching event in reading direction; null if no event matches
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Counted(
            long durationInMicroseconds,
            long numberOfMatchingEvents,
            @Nullable String checkpointEventId) {}

    record Projected(
            long durationInMicroseconds,

            @JsonInclude(content = JsonInclude.Include.ALWAYS)
            Map<String, @Nullable Object> states,

            ConditionAnswer appendCondition) {}

    /**
     * The append condition that fails if the states have changed.
     *
     * @param after a basis, so that the condition is valid only in the history of the states
     */
    record ConditionAnswer(
            @Nullable QueryBody failIfEventsMatch, @Nullable String after) {}

    @GetMapping("/health")
    Health health() {
        return new Health("ok");
    }

    @PostMapping(path = "/append", consumes = MediaType.APPLICATION_JSON_VALUE)
    Appended append(
            @RequestHeader(name = AppendIsolation.HEADER, required = false) @Nullable String isolation,
            @RequestBody AppendRequest asked,
            HttpServletRequest request) {
        AppendIsolation.check(isolation);
        AppendAnswer answer = appends.append(asked.body(), IdempotencyKeyHeader.key(request));
        return new Appended(answer.durationInMicroseconds(), answer.appendConditionFailed());
    }

    @ReadsPayloads
    @PostMapping(path = "/read", consumes = MediaType.APPLICATION_JSON_VALUE)
    Counted read(@RequestBody ReadRequest asked) {
        long started = System.nanoTime();
        Query query = asked.matching();
        DcbOperations.Counted counted = operations.count(query, asked.within());
        String checkpoint = counted.matching() == 0 ? null : last(query, asked.isBackwards(), counted.head());
        return new Counted(DcbOperations.microsecondsSince(started), counted.matching(), checkpoint);
    }

    /*
     * Reads the first event in the opposite direction. Events appended since the count are beyond its head. Null if the
     * store was cleared since.
     */
    private @Nullable String last(Query query, boolean backwards, Head head) {
        ReadOptions other =
                backwards ? ReadOptions.forwards() : ReadOptions.backwards().from(head.position());
        try (EventStream stream = InvalidValueException.at("/query", () -> store.read(query, other.limit(1)))) {
            return stream.hasNext() ? String.valueOf(stream.next().position().value()) : null;
        }
    }

    @ReadsPayloads
    @PostMapping(path = "/project", consumes = MediaType.APPLICATION_JSON_VALUE)
    Projected project(@RequestBody ProjectRequest asked) {
        ProjectAnswer answer = operations.project(asked.body());
        ConditionAnswer condition = new ConditionAnswer(
                answer.appendCondition().failIfEventsMatch(),
                answer.appendCondition().basis());
        return new Projected(answer.durationInMicroseconds(), answer.states(), condition);
    }
}
