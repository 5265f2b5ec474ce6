package dev.registrar.http.gocrablet;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.AppendIsolation;
import dev.registrar.http.dcb.DcbAnswers.AppendAnswer;
import dev.registrar.http.dcb.DcbAnswers.ProjectAnswer;
import dev.registrar.http.dcb.DcbOperations;
import dev.registrar.http.dcb.DcbRequests;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.gocrablet.GoCrabletRequests.AppendRequest;
import dev.registrar.http.gocrablet.GoCrabletRequests.ProjectRequest;
import dev.registrar.http.gocrablet.GoCrabletRequests.ReadRequest;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** The web API of go-crablet. The OpenAPI description leaves it out, since go-crablet has a description of its own. */
@RestController
@RequestMapping(path = Paths.GO_CRABLET, produces = MediaType.APPLICATION_JSON_VALUE)
final class GoCrabletController {
    private final EventStore store;
    private final DcbRequests requests;
    private final DcbOperations operations;

    GoCrabletController(EventStore store, DcbRequests requests, DcbOperations operations) {
        this.store = store;
        this.requests = requests;
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
            HttpServletRequest request) {
        long started = System.nanoTime();
        AppendIsolation.check(isolation);
        AppendRequest asked = requests.read(BoundedBody.body(request), AppendRequest.class);
        AppendAnswer answer = operations.append(asked.body(), IdempotencyKeyHeader.key(request), started);
        return new Appended(answer.durationInMicroseconds(), answer.appendConditionFailed());
    }

    @ReadsPayloads
    @PostMapping(path = "/read", consumes = MediaType.APPLICATION_JSON_VALUE)
    Counted read(HttpServletRequest request) {
        long started = System.nanoTime();
        ReadRequest asked = requests.read(BoundedBody.body(request), ReadRequest.class);
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
    Projected project(HttpServletRequest request) {
        long started = System.nanoTime();
        ProjectRequest asked = requests.read(BoundedBody.body(request), ProjectRequest.class);
        ProjectAnswer answer = operations.project(asked.body(), started);
        ConditionAnswer condition = new ConditionAnswer(
                answer.appendCondition().failIfEventsMatch(),
                answer.appendCondition().basis());
        return new Projected(answer.durationInMicroseconds(), answer.states(), condition);
    }

    @ExceptionHandler
    ResponseEntity<Object> refusedQuery(RefusedQueryException refused) {
        ProblemDetail problem =
                Problem.invalid(List.of(new FieldError(refused.pointer(), String.valueOf(refused.getMessage()))));
        problem.setStatus(HttpStatus.BAD_REQUEST);
        return Problem.response(problem);
    }
}
