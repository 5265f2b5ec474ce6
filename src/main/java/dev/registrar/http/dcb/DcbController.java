package dev.registrar.http.dcb;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.BoundedBody;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.DcbAnswers.AppendAnswer;
import dev.registrar.http.dcb.DcbAnswers.CountAnswer;
import dev.registrar.http.dcb.DcbAnswers.HeadAnswer;
import dev.registrar.http.dcb.DcbAnswers.ProjectAnswer;
import dev.registrar.http.dcb.DcbAppends.AppendBody;
import dev.registrar.http.dcb.DcbEvents.StoredEvent;
import dev.registrar.http.dcb.DcbRequests.OptionsBody;
import dev.registrar.http.dcb.DcbRequests.ProjectBody;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.dcb.DcbRequests.ReadBody;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Hidden;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.parameters.RequestBody;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP API of the event store itself, in the wire format of DCB clients.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
@RestController
@RequestMapping(path = DcbController.PATH)
@Tag(name = "Event store", description = "The event store itself, for clients of DCB stores")
public final class DcbController {
    public static final String PATH = Paths.DCB;

    public static final String QUERY = "A query, as JSON; all events if absent";
    public static final String QUERY_EXAMPLE = "{\"items\": [{\"tags\": [\"course:c1\"]}]}";

    private static final String OPTIONS = "from, after, backwards, limit and basis, as JSON";

    private final EventStore store;
    private final DcbRequests requests;
    private final DcbEvents events;
    private final DcbOperations operations;

    DcbController(EventStore store, DcbRequests requests, DcbEvents events, DcbOperations operations) {
        this.store = store;
        this.requests = requests;
        this.events = events;
        this.operations = operations;
    }

    @PostMapping(
            path = "/append",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            operationId = "append",
            summary = "Append events: all of them, or none",
            description = "If the condition fails, nothing is appended, and the answer says so",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = AppendBody.class))))
    AppendAnswer append(
            @RequestHeader(name = AppendIsolation.HEADER, required = false)
                    @Parameter(
                            description = AppendIsolation.DESCRIPTION,
                            schema = @Schema(implementation = AppendIsolation.class))
                    @Nullable String isolation,
            HttpServletRequest request) {
        long started = System.nanoTime();
        AppendIsolation.check(isolation);
        AppendBody body = requests.read(BoundedBody.body(request), AppendBody.class);
        return operations.append(body, IdempotencyKeyHeader.key(request), started);
    }

    @ReadsPayloads
    @GetMapping(path = "/read", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(operationId = "readEventsByUrl", summary = "Read events")
    @ApiResponse(
            responseCode = "200",
            description = "The events; in NDJSON one event per line",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(implementation = StoredEvent[].class)),
                @Content(
                        mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                        schema = @Schema(implementation = StoredEvent[].class))
            })
    void read(
            @RequestParam(required = false)
                    @Parameter(
                            description = QUERY,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(implementation = QueryBody.class),
                                            examples = @ExampleObject(QUERY_EXAMPLE)))
                    @Nullable String query,
            @RequestParam(required = false)
                    @Parameter(
                            description = OPTIONS,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(implementation = OptionsBody.class),
                                            examples = @ExampleObject("{\"after\": 12, \"limit\": 100}")))
                    @Nullable String options,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        try (EventStream stream = read(asked(query, options))) {
            response.setHeader(Headers.BASIS, Basis.of(stream.head()));
            Deadline.runWithout(() -> events.writeArray(stream, request, response));
        }
    }

    @ReadsPayloads
    @GetMapping(path = "/read", produces = MediaType.APPLICATION_NDJSON_VALUE)
    @Hidden
    void readLines(
            @RequestParam(required = false) @Nullable String query,
            @RequestParam(required = false) @Nullable String options,
            HttpServletRequest request,
            HttpServletResponse response)
            throws IOException {
        try (EventStream stream = read(asked(query, options))) {
            response.setHeader(Headers.BASIS, Basis.of(stream.head()));
            Deadline.runWithout(() -> events.writeLines(stream, request, response));
        }
    }

    private ReadBody asked(@Nullable String query, @Nullable String options) {
        return new ReadBody(
                requests.parameter("query", query, QueryBody.class),
                requests.parameter("options", options, OptionsBody.class),
                null);
    }

    @ReadsPayloads
    @PostMapping(
            path = "/read",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            operationId = "readEvents",
            summary = "Read events, or count them",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = ReadBody.class))))
    @ApiResponse(
            responseCode = "200",
            description = "The events, or their number; in NDJSON one event per line",
            content = {
                @Content(
                        mediaType = MediaType.APPLICATION_JSON_VALUE,
                        schema = @Schema(oneOf = {StoredEvent[].class, CountAnswer.class})),
                @Content(
                        mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                        schema = @Schema(implementation = StoredEvent[].class))
            })
    @Nullable ResponseEntity<CountAnswer> readOrCount(HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        long started = System.nanoTime();
        ReadBody body = requests.read(BoundedBody.body(request), ReadBody.class);
        if (Boolean.TRUE.equals(body.count())) {
            return counted(body, started);
        }
        try (EventStream stream = read(body)) {
            response.setHeader(Headers.BASIS, Basis.of(stream.head()));
            Deadline.runWithout(() -> events.writeArray(stream, request, response));
        }
        return null;
    }

    @ReadsPayloads
    @PostMapping(
            path = "/read",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_NDJSON_VALUE)
    @Hidden
    void readLines(HttpServletRequest request, HttpServletResponse response) throws IOException {
        ReadBody body = requests.read(BoundedBody.body(request), ReadBody.class);
        if (Boolean.TRUE.equals(body.count())) {
            throw new InvalidValueException(
                    "/count", "is available in application/json only: accept that, or read the events");
        }
        try (EventStream stream = read(body)) {
            response.setHeader(Headers.BASIS, Basis.of(stream.head()));
            Deadline.runWithout(() -> events.writeLines(stream, request, response));
        }
    }

    private ResponseEntity<CountAnswer> counted(ReadBody body, long started) {
        DcbOperations.Counted counted = operations.count(body.matching(), body.within());
        return ResponseEntity.ok()
                .header(Headers.BASIS, Basis.of(counted.head()))
                .body(new CountAnswer(
                        DcbOperations.microsecondsSince(started),
                        counted.matching(),
                        counted.head().position().value()));
    }

    /*
     * The first chunk is read within the request's deadline. The client then reads the answer at its own pace. Between
     * chunks the stream holds no connection to the database.
     */
    private EventStream read(ReadBody body) {
        return InvalidValueException.at(
                "/query", () -> store.read(body.matching(), body.within().forClient(true)));
    }

    @ReadsPayloads
    @PostMapping(
            path = "/project",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            operationId = "project",
            summary = "Fold events into states",
            description = "The states have the projectors' ids, and are all at the same head",
            requestBody =
                    @RequestBody(
                            required = true,
                            content = @Content(schema = @Schema(implementation = ProjectBody.class))))
    ProjectAnswer project(HttpServletRequest request) {
        long started = System.nanoTime();
        ProjectBody body = requests.read(BoundedBody.body(request), ProjectBody.class);
        return operations.project(body, started);
    }

    @GetMapping(path = "/head", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(operationId = "head", summary = "Look up the last event's position, 0 if there is none")
    ResponseEntity<HeadAnswer> head() {
        Head head = store.head();
        return ResponseEntity.ok()
                .header(Headers.BASIS, Basis.of(head))
                .body(new HeadAnswer(head.position().value()));
    }

    @ReadsPayloads
    @GetMapping(path = "/events/{position}", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(operationId = "findEvent", summary = "Look up an event")
    @Nullable ResponseEntity<StoredEvent> event(@PathVariable long position, HttpServletResponse response) throws IOException {
        if (position >= 1) {
            ReadOptions one =
                    ReadOptions.forwards().from(Position.of(position)).limit(1).forClient(true);
            try (EventStream stream = store.read(Query.all(), one)) {
                SequencedEvent found = stream.hasNext() ? stream.next() : null;
                if (found != null && found.position().value() == position) {
                    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
                    events.write(found, response.getOutputStream());
                    return null;
                }
            }
        }
        return Unknown.event(position).response();
    }
}
