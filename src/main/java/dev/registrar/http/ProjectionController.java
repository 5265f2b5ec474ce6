package dev.registrar.http;

import dev.registrar.eventstore.Position;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.problem.FailureText;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.projection.Skip;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import jakarta.validation.constraints.NotNull;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.springframework.http.CacheControl;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** Administration of views, automations and relays: status, pause, resume, skip, reset, rebuild, and dead letters. */
@RestController
@RequestMapping(path = "/api/admin/projections", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Projections", description = "Views, automations and relays, for operators")
final class ProjectionController {
    /** The form of the names of views, automations and relays. */
    private static final String NAME = "[a-z0-9][a-z0-9-]{0,62}";

    private final ProjectionAdministration administration;

    ProjectionController(ProjectionAdministration administration) {
        this.administration = administration;
    }

    @Schema(name = "ProjectionFailure")
    record Failure(
            @Schema(description = "Redacted unless the caller is an auditor, because it may quote the event")
            String message,

            @Schema(description = "Position of the event that could not be handled") @Nullable Long position,

            Instant at) {

        static @Nullable Failure of(ProjectionStatus.@Nullable Failure failure) {
            return failure == null
                    ? null
                    : new Failure(
                            FailureText.of(failure.message()),
                            failure.position() == null
                                    ? null
                                    : failure.position().value(),
                            failure.at());
        }
    }

    @Schema(name = "ProjectionRebuild")
    record Rebuild(
            int version,
            String state,
            long position,

            @Schema(description = "Events handled so far") long events,

            @Schema(description = "Events per second since its start")
            double rate,

            @Schema(description = "Number of positions left to process")
            long remaining,

            Instant startedAt,
            @Nullable Failure failure) {

        static Rebuild of(ProjectionStatus.Rebuild rebuild) {
            return new Rebuild(
                    rebuild.version(),
                    rebuild.state(),
                    rebuild.position().value(),
                    rebuild.events(),
                    rebuild.eventsPerSecond(),
                    rebuild.remaining(),
                    rebuild.startedAt(),
                    Failure.of(rebuild.failure()));
        }
    }

    @Schema(name = "SkippedEvent")
    record Skipped(
            long position,

            @Schema(
                    description =
                            "unreadable: it could not be decoded; setting: on-failure is skip; operator: by a request; parked: by a relay",
                    example = "operator")
            String by,

            @Schema(description = "Why it could not be handled; redacted unless the caller is an auditor")
            String reason,

            Instant at) {

        static Skipped of(Skip skip) {
            return new Skipped(skip.position().value(), skip.by().text(), FailureText.of(skip.reason()), skip.at());
        }
    }

    record SkippedPosition(
            @NotNull @Min(1) @Schema(description = "The position of the event, see failure.position", example = "42")
            Long position) {}

    record DeadLetterPosition(
            @NotNull @Min(1) @Schema(description = "The position of a dead letter", example = "42")
            Long position) {}

    @Schema(name = "DeadLetters")
    record Letters(List<Skipped> deadLetters) {}

    record Projection(
            @Schema(example = "courses") String name,

            @Schema(description = "view, automation or relay", example = "view")
            String kind,

            @Schema(
                    description = "running; paused by an operator; or stopped at an event that failed",
                    example = "running")
            String state,

            int version,

            @Schema(description = "Every event up to this position has been handled")
            long position,

            @Schema(description = "Position of the last event in the store")
            long head,

            @Schema(description = "Positions between position and head; 0 if every event has been handled")
            long lagEvents,

            @Schema(description = "Seconds since the first unhandled event was stored")
            double lagSeconds,

            @Schema(description = "Events handled since its generation began")
            long events,

            @Schema(description = "Events that could not be handled and were skipped")
            long skipped,

            @Schema(description = "The last 10 skipped events, the latest first")
            List<Skipped> skips,

            @Schema(description = "Events that were skipped or parked, and not retried or discarded since")
            long deadLetters,

            Instant movedAt,
            @Nullable Failure failure,

            @Schema(description = "The generation that will replace the current one") @Nullable Rebuild rebuild) {

        static Projection of(ProjectionStatus status) {
            return new Projection(
                    status.name(),
                    status.kind(),
                    status.state(),
                    status.version(),
                    status.position().value(),
                    status.head().value(),
                    status.lagEvents(),
                    status.lag().toMillis() / 1e3,
                    status.events(),
                    status.skipped(),
                    status.skips().stream().map(Skipped::of).toList(),
                    status.deadLetters(),
                    status.movedAt(),
                    Failure.of(status.failure()),
                    status.rebuild().map(Rebuild::of).orElse(null));
        }
    }

    @Schema(name = "Projections")
    record All(List<Projection> projections) {}

    @GetMapping
    @Operation(summary = "List views, automations and relays with their status")
    ResponseEntity<All> listProjections() {
        return answer(
                new All(administration.statuses().stream().map(Projection::of).toList()));
    }

    @GetMapping("/{name}")
    @Operation(summary = "Look up the status of a view, an automation or a relay")
    ResponseEntity<Projection> findProjection(@PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return answer(Projection.of(administration.status(name)));
    }

    @PostMapping("/{name}/pause")
    @Operation(summary = "Pause a view, an automation or a relay, in all instances")
    ResponseEntity<Projection> pauseProjection(@PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return done(name, administration::pause);
    }

    @PostMapping("/{name}/resume")
    @Operation(summary = "Resume a view, an automation or a relay that was paused or has stopped")
    ResponseEntity<Projection> resumeProjection(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return done(name, administration::resume);
    }

    @PostMapping(path = "/{name}/skip", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Skip the event at which a view, an automation or a relay has stopped, and resume it",
            description = "Recorded in the table projection_skips")
    ResponseEntity<Projection> skip(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name,
            @Valid @RequestBody SkippedPosition skipped) {
        return done(name, known -> administration.skip(known, Position.of(skipped.position())));
    }

    @GetMapping("/{name}/dead-letters")
    @Operation(
            summary = "List the events that were skipped or parked, and not retried or discarded since",
            description = "In the order of their positions")
    ResponseEntity<Letters> listDeadLetters(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name,
            @RequestParam(defaultValue = "0") @Min(0) @Parameter(description = "The position before the first one")
                    long after,
            @RequestParam(defaultValue = Pages.DEFAULT_ENTRIES) @Min(1) @Max(Pages.MAX_ENTRIES) int limit) {
        return answer(new Letters(administration.deadLetters(name, Position.of(after), limit).stream()
                .map(Skipped::of)
                .toList()));
    }

    @PostMapping(path = "/{name}/retry", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Pass a dead letter to an automation or a relay again",
            description = "A relay publishes the later events of its key, too, until one is refused")
    ResponseEntity<Projection> retry(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name,
            @Valid @RequestBody DeadLetterPosition letter) {
        return done(name, known -> administration.retry(known, Position.of(letter.position()), CallingActor.current()));
    }

    @PostMapping("/{name}/retry-all")
    @Operation(summary = "Pass all dead letters to an automation or a relay again")
    ResponseEntity<Projection> retryAll(@PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return done(name, known -> administration.retryAll(known, CallingActor.current()));
    }

    @PostMapping(path = "/{name}/discard", consumes = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            summary = "Discard a dead letter",
            description = "The event will not be handled. Recorded in the table projection_skips")
    ResponseEntity<Projection> discard(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name,
            @Valid @RequestBody DeadLetterPosition letter) {
        return done(
                name, known -> administration.discard(known, Position.of(letter.position()), CallingActor.current()));
    }

    @PostMapping("/{name}/reset")
    @Operation(
            summary = "Empty a view and fill it again",
            description = "Until the view has caught up, look-ups read the part that is filled")
    ResponseEntity<Projection> resetProjection(@PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return done(name, administration::reset);
    }

    @PostMapping("/{name}/rebuild")
    @Operation(summary = "Rebuild a view as a new generation, which replaces the current one when it has caught up")
    ResponseEntity<Projection> rebuildProjection(
            @PathVariable @Parameter(schema = @Schema(pattern = NAME)) String name) {
        return done(name, administration::rebuild);
    }

    @PostMapping("/rebuild")
    @Operation(summary = "Rebuild several views, or all of them")
    ResponseEntity<All> rebuildProjections(
            @RequestParam(required = false)
                    @Parameter(
                            description = "The names of the views; all views if absent",
                            array = @ArraySchema(schema = @Schema(minLength = 1)))
                    @Nullable List<String> name) {
        List<String> names = name == null || name.isEmpty()
                ? administration.statuses().stream()
                        .filter(status -> status.kind().equals("view"))
                        .map(ProjectionStatus::name)
                        .toList()
                : name;
        // Checks all views before the first rebuild begins.
        names.forEach(administration::checkRebuildable);
        names.forEach(administration::rebuild);
        return listProjections();
    }

    private ResponseEntity<Projection> done(String name, Consumer<String> action) {
        action.accept(name);
        return findProjection(name);
    }

    private static <B> ResponseEntity<B> answer(B body) {
        return ResponseEntity.ok().cacheControl(CacheControl.noStore()).body(body);
    }
}
