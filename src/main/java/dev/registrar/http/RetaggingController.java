package dev.registrar.http;

import dev.registrar.enrollment.OverrideReason;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.RetaggingEventStore;
import dev.registrar.eventstore.RetaggingEventStore.Retagged;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.dcb.DcbRequests;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.ProblemException;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.media.Schema;
import io.swagger.v3.oas.annotations.tags.Tag;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** Adds tags to stored events, for operators. */
@RestController
@RequestMapping(path = "/api/admin/tags", produces = MediaType.APPLICATION_JSON_VALUE)
@Tag(name = "Tags", description = "Tags for stored events, for operators")
@EnableConfigurationProperties(RetaggingController.Settings.class)
final class RetaggingController {
    private final RetaggingEventStore store;
    private final Settings settings;

    RetaggingController(RetaggingEventStore store, Settings settings) {
        this.store = store;
        this.settings = settings;
    }

    /**
     * The settings of added tags.
     *
     * @param enabled whether operators may add tags to stored events; with a role of its own for the service, a start
     *     grants it the one function that does so, or takes it away
     */
    @ConfigurationProperties("registrar.retagging")
    record Settings(@DefaultValue("false") boolean enabled) {}

    record AddedTags(
            @NotNull @Schema(description = "Which events; at most 100,000")
            QueryBody query,

            @NotNull @Size(min = 1, message = "must have at least one tag") @Schema(description = "Added to each of the events that lacks them", example = "[\"term:2026\"]")
            List<@Nullable String> tags,

            @NotNull @Pattern(
                    regexp = OverrideReason.PATTERN,
                    message = "must be one line with a visible character, without control characters")
            @Size(max = ErasingEventStore.MAX_REASON_LENGTH, message = "must have at most 500 characters") @Schema(description = "Recorded permanently, so without personal data", example = "Ticket 17")
            String reason) {

        Set<dev.registrar.eventstore.Tag> added() {
            return new LinkedHashSet<>(DcbRequests.each(
                    "/tags",
                    tags,
                    (at, text) -> InvalidValueException.at(at, () -> new dev.registrar.eventstore.Tag(text))));
        }
    }

    @Schema(name = "TaggedEvents")
    record Tagged(
            @Schema(description = "The number of events that lacked a tag")
            int events,

            @Schema(description = "The position of the event that records it; absent if no event lacked a tag")
            @Nullable Long position) {

        static Tagged of(Retagged retagged) {
            return new Tagged(
                    retagged.events(),
                    retagged.position() == null ? null : retagged.position().value());
        }
    }

    @PostMapping
    @Operation(
            summary = "Add tags to stored events",
            description =
                    "Views whose queries name one of the tags start again, decisions on them are made again, and streams of them end. All appends wait meanwhile, for at most the request's deadline, after which nothing is changed. Tags cannot be removed; a repetition changes nothing")
    Tagged addTags(@Valid @RequestBody AddedTags added) {
        if (!settings.enabled()) {
            throw new ProblemException(Problem.of(
                    HttpStatus.CONFLICT,
                    "retagging-disabled",
                    "Tags cannot be added; an operator enables this with registrar.retagging.enabled"));
        }
        return Tagged.of(
                store.retag(added.query().query("/query"), added.added(), CallingActor.current(), added.reason()));
    }
}
