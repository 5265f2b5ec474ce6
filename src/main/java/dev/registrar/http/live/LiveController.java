package dev.registrar.http.live;

import dev.registrar.enrollment.CourseExistence;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.http.admission.ReadsPayloads;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.dcb.DcbController;
import dev.registrar.http.dcb.DcbEvents;
import dev.registrar.http.dcb.DcbRequests;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.IdForm;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Unknown;
import dev.registrar.security.LoginEnd;
import dev.registrar.subscription.Listener;
import dev.registrar.subscription.LiveFeed;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Content;
import io.swagger.v3.oas.annotations.media.ExampleObject;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.responses.ApiResponse;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.constraints.Pattern;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Streams events to listeners: first the stored events, then new events as they are appended. */
@RestController
@Tag(name = "Live events", description = "Listen to events as they are appended")
public final class LiveController {
    private static final String LAST_EVENT_ID = "Last-Event-ID";
    private static final String AFTER = "The position after which to start; the first event if absent";
    private static final String RESUMED =
            "The id of the last event received, or its position alone; takes precedence over the parameter after";

    private final EventStore store;
    private final LiveFeed feed;
    private final LiveStreams streams;
    private final DcbRequests requests;
    private final DcbEvents events;

    LiveController(EventStore store, LiveFeed feed, LiveStreams streams, DcbRequests requests, DcbEvents events) {
        this.store = store;
        this.feed = feed;
        this.streams = streams;
        this.requests = requests;
        this.events = events;
    }

    /** The fields of a server-sent event; for the description only. */
    record ServerSentEvent(
            @Schema(description = "To be sent back as Last-Event-ID")
            String id,

            @Schema(description = "The event's type") String event,

            @Schema(contentMediaType = MediaType.APPLICATION_JSON_VALUE, contentSchema = DcbEvents.StoredEvent.class)
            String data) {}

    /** Describes the answer of an operation that streams events. */
    @ApiResponse(
            responseCode = "200",
            description = "The stored events, then new ones as they are appended, until the connection ends",
            content = {
                @Content(
                        mediaType = MediaType.TEXT_EVENT_STREAM_VALUE,
                        schema = @Schema(implementation = ServerSentEvent.class)),
                @Content(
                        mediaType = MediaType.APPLICATION_NDJSON_VALUE,
                        schema = @Schema(implementation = DcbEvents.StoredEvent[].class))
            })
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    @interface AnswersEvents {}

    @ReadsPayloads
    @GetMapping(
            path = DcbController.PATH + "/events",
            produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(operationId = "listenToEvents", summary = "Listen to events")
    @AnswersEvents
    void events(
            @RequestParam(required = false)
                    @Parameter(
                            description = DcbController.QUERY,
                            content =
                                    @Content(
                                            mediaType = MediaType.APPLICATION_JSON_VALUE,
                                            schema = @Schema(implementation = QueryBody.class),
                                            examples = @ExampleObject(DcbController.QUERY_EXAMPLE)))
                    @Nullable String query,
            @RequestParam(required = false)
                    @Parameter(
                            description = AFTER,
                            schema = @Schema(type = "integer", format = "int64", minimum = "0", example = "12"))
                    @Nullable String after,
            @RequestHeader(name = LAST_EVENT_ID, required = false)
                    @Parameter(description = RESUMED, schema = @Schema(type = "string", pattern = Basis.ID_PATTERN))
                    @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response) {
        QueryBody parsed = requests.parameter("query", query, QueryBody.class);
        listen((parsed == null ? QueryBody.ALL : parsed).query("/query"), after, lastEventId, request, response);
    }

    @ReadsPayloads
    @GetMapping(
            path = "/api/courses/{courseId}/events",
            produces = {MediaType.TEXT_EVENT_STREAM_VALUE, MediaType.APPLICATION_NDJSON_VALUE})
    @Operation(operationId = "listenToCourse", summary = "Listen to the events of a course")
    @AnswersEvents
    @Nullable ResponseEntity<Object> ofCourse(
            @PathVariable @Pattern(regexp = CourseId.PATTERN, message = IdForm.MESSAGE) String courseId,
            @RequestParam(required = false)
                    @Parameter(
                            description = AFTER,
                            schema = @Schema(type = "integer", format = "int64", minimum = "0", example = "12"))
                    @Nullable String after,
            @RequestHeader(name = LAST_EVENT_ID, required = false)
                    @Parameter(description = RESUMED, schema = @Schema(type = "string", pattern = Basis.ID_PATTERN))
                    @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response) {
        CourseId course = new CourseId(courseId);
        if (!store.exists(CourseExistence.of(course).query())) {
            return Unknown.course(course).response();
        }
        Query ofCourse = Query.of(QueryItem.tags(course.tag().value()));
        listen(ofCourse, after, lastEventId, request, response);
        return null;
    }

    private void listen(
            Query query,
            @Nullable String after,
            @Nullable String lastEventId,
            HttpServletRequest request,
            HttpServletResponse response) {
        InvalidValueException.at("/query", () -> checked(query));
        LiveFormat format = LiveFormat.accepted(request.getHeader(HttpHeaders.ACCEPT));
        streams.answer(
                format.contentType(),
                () -> {
                    Listener listener = lastEventId == null
                            ? InvalidValueException.at("/after", () -> feed.listen(query, position("after", after)))
                            : InvalidValueException.at("/" + LAST_EVENT_ID, () -> resume(query, lastEventId));
                    response.setHeader(Headers.BASIS, Basis.of(listener.head()));
                    return new LiveAnswer(listener, format, events, streams.heartbeat(), LoginEnd.current());
                },
                request,
                response);
    }

    /* A position alone is accepted, too, but does not reveal that the history was replaced. */
    private Listener resume(Query query, String lastEventId) {
        return lastEventId.contains(".")
                ? feed.listen(query, Basis.head("/" + LAST_EVENT_ID, lastEventId))
                : feed.listen(query, position(LAST_EVENT_ID, lastEventId));
    }

    private Query checked(Query query) {
        store.limits().check(query);
        return query;
    }

    private Position position(String name, @Nullable String given) {
        Long value = requests.parameter(name, given, Long.class);
        return value == null ? Position.START : DcbRequests.position("/" + name, value);
    }
}
