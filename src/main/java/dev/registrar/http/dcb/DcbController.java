package dev.registrar.http.dcb;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.admission.Paths;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.DcbEvents.StoredEvent;
import dev.registrar.http.dcb.DcbOperations.ProjectAnswer;
import dev.registrar.http.dcb.DcbRequests.OptionsBody;
import dev.registrar.http.dcb.DcbRequests.ProjectBody;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.dcb.DcbRequests.ReadBody;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Unknown;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Min;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.util.MimeTypeUtils;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * The HTTP API of the event store itself but its append, in the wire format of DCB clients.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
@RestController
@RequestMapping(path = DcbController.PATH)
@Tag(name = DcbController.TAG, description = "The event store itself, for clients of DCB stores")
public final class DcbController {
    public static final String PATH = Paths.DCB;

    /** The group of the operations in the API's description. */
    static final String TAG = "Event store";

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

    @ReadsPayloads
    @GetMapping(
            path = "/read",
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(summary = "Read events")
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
    void readEventsByUrl(
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
        ReadBody asked = new ReadBody(
                requests.parameter("query", query, QueryBody.class),
                requests.parameter("options", options, OptionsBody.class),
                null);
        send(asked, acceptsLines(request), request, response);
    }

    @ReadsPayloads
    @PostMapping(
            path = "/read",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(summary = "Read events, or count them")
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
    @Nullable ResponseEntity<CountAnswer> readEvents(
            @RequestBody ReadBody body, HttpServletRequest request, HttpServletResponse response) throws IOException {
        boolean lines = acceptsLines(request);
        if (!Boolean.TRUE.equals(body.count())) {
            send(body, lines, request, response);
            return null;
        }
        if (lines) {
            throw new InvalidValueException(
                    "/count", "is available in application/json only: accept that, or read the events");
        }
        return count(body);
    }

    /* Whether the client prefers NDJSON. Spring has refused a request whose client accepts neither type. */
    private static boolean acceptsLines(HttpServletRequest request) {
        List<MediaType> accepted = MediaType.parseMediaTypes(Collections.list(request.getHeaders(HttpHeaders.ACCEPT)));
        MimeTypeUtils.sortBySpecificity(accepted);
        return accepted.stream()
                .filter(type ->
                        type.includes(MediaType.APPLICATION_JSON) || type.includes(MediaType.APPLICATION_NDJSON))
                .findFirst()
                .filter(type -> !type.includes(MediaType.APPLICATION_JSON))
                .isPresent();
    }

    /*
     * The first chunk is read within the request's deadline. The client then reads the answer at its own pace. Between
     * chunks the stream holds no connection to the database.
     */
    private void send(ReadBody body, boolean lines, HttpServletRequest request, HttpServletResponse response)
            throws IOException {
        try (EventStream stream = InvalidValueException.at(
                "/query", () -> store.read(body.matching(), body.within().forClient(true)))) {
            response.setHeader(Headers.BASIS, Basis.of(stream.head()));
            Deadline.runWithout(() -> {
                if (lines) {
                    events.writeLines(stream, request, response);
                } else {
                    events.writeArray(stream, request, response);
                }
            });
        }
    }

    /** The number of matching events. */
    @Schema(name = "DcbCount")
    record CountAnswer(long durationInMicroseconds, long numberOfMatchingEvents, long head) {}

    private ResponseEntity<CountAnswer> count(ReadBody body) {
        long started = System.nanoTime();
        DcbOperations.Counted counted = operations.count(body.matching(), body.within());
        return ResponseEntity.ok()
                .header(Headers.BASIS, Basis.of(counted.head()))
                .body(new CountAnswer(
                        DcbOperations.microsecondsSince(started),
                        counted.matching(),
                        counted.head().position().value()));
    }

    @ReadsPayloads
    @PostMapping(
            path = "/project",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Fold events into states",
            description = "The states have the projectors' ids, and are all at the same head")
    ProjectAnswer project(@RequestBody ProjectBody body) {
        return operations.project(body);
    }

    /** The position of the last event; 0 if there is no event. */
    @Schema(name = "DcbHead")
    record HeadAnswer(long head) {}

    @GetMapping(path = "/head", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Look up the last event's position, 0 if there is none")
    ResponseEntity<HeadAnswer> head() {
        Head head = store.head();
        return ResponseEntity.ok()
                .header(Headers.BASIS, Basis.of(head))
                .body(new HeadAnswer(head.position().value()));
    }

    @ReadsPayloads
    @GetMapping(path = "/events/{position}", produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(summary = "Look up an event")
    @Nullable ResponseEntity<StoredEvent> findEvent(@PathVariable @Min(0) long position, HttpServletResponse response)
            throws IOException {
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
