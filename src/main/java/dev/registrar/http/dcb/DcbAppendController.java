package dev.registrar.http.dcb;

import static dev.registrar.http.dcb.DcbRequests.each;
import static dev.registrar.http.dcb.DcbRequests.position;
import static dev.registrar.http.dcb.DcbRequests.required;
import static dev.registrar.http.dcb.DcbRequests.tagsOf;
import static dev.registrar.http.dcb.DcbRequests.texts;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.admission.CallingActor;
import dev.registrar.http.admission.IdempotencyKeyHeader;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.security.Caller;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;

/**
 * The append of the event store's API, in the wire format of DCB clients: what a client sends, its mapping to the
 * store's types, and the answer.
 */
@RestController
public final class DcbAppendController {
    private static final String LOCKS =
            "Names of resources that the append locks until it is committed. With registrar.dcb.lock-tags, tags of its events name further ones: lock:r1 locks the resource r1 and is not stored";

    /*
     * Any text without U+0000, which PostgreSQL's text cannot hold. Of another value than a string the source text is
     * stored, in which control characters are escaped.
     */
    private static final String TEXT = "[^\\x00]*";

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private final EventStore store;
    private final boolean lockTags;
    private final ContentionRecorder contention;

    DcbAppendController(EventStore store, DcbSettings settings, ContentionRecorder contention) {
        this.store = store;
        this.lockTags = settings.lockTags();
        this.contention = contention;
    }

    @PostMapping(
            path = DcbController.PATH + "/append",
            consumes = MediaType.APPLICATION_JSON_VALUE,
            produces = MediaType.APPLICATION_JSON_VALUE)
    @Operation(
            tags = DcbController.TAG,
            summary = "Append events: all of them, or none",
            description = "If the condition fails, nothing is appended, and the answer says so")
    AppendAnswer append(
            @RequestHeader(name = AppendIsolation.HEADER, required = false)
                    @Parameter(
                            description = AppendIsolation.DESCRIPTION,
                            schema = @Schema(implementation = AppendIsolation.class))
                    @Nullable String isolation,
            @RequestBody AppendBody body,
            HttpServletRequest request) {
        AppendIsolation.check(isolation);
        return append(body, IdempotencyKeyHeader.key(request));
    }

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
                        DcbOperations.microsecondsSince(started),
                        false,
                        appended.last().value(),
                        List.of(appended.first().value(), appended.last().value()),
                        null);
            case Conflict(var item, var position, var type) -> {
                contention.conflict(
                        item, "append of " + append.events().getFirst().type(), type);
                yield new AppendAnswer(
                        DcbOperations.microsecondsSince(started),
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
        return body.append(new LockTags(lockTags)).under(key);
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

    /** Events to append. */
    @Schema(name = "DcbAppend")
    public record AppendBody(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            @Schema(description = "One event, or a list of them", requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable List<@Nullable EventBody> events,

            @Nullable ConditionBody condition,

            @Schema(description = LOCKS) @Nullable List<@Nullable String> locks,

            @Min(1) @Schema(description = "Maximum wait for the locks, in milliseconds; 5,000 if absent") @Nullable Long lockTimeout) {

        /** Maps the body to a request of the store, and removes the lock tags from its events. */
        Append append(LockTags lockTags) {
            List<Event> mapped = each("/events", events, (at, event) -> event.event(at, lockTags));
            Append append = InvalidValueException.at("/events", () -> Append.of(mapped));
            if (condition != null) {
                append = append.onCondition(condition.condition());
            }
            return append.holding(resources(lockTags.names()));
        }

        private @Nullable ResourceLocks resources(List<String> ofTags) {
            if (locks == null && ofTags.isEmpty()) {
                if (lockTimeout != null) {
                    throw new InvalidValueException("/lockTimeout", "is allowed only with locks");
                }
                return null;
            }
            Duration timeout = lockTimeout == null ? LOCK_TIMEOUT : Duration.ofMillis(lockTimeout);
            if (timeout.isNegative() || timeout.isZero()) {
                throw new InvalidValueException("/lockTimeout", "must be at least 1 (milliseconds)");
            }
            List<String> names = new ArrayList<>(texts("/locks", locks));
            names.addAll(ofTags);
            return InvalidValueException.at("/locks", () -> ResourceLocks.of(names, timeout));
        }

        /** The basis of the condition. Called after the store has reported that it lost that history. */
        Head basis() {
            if (condition == null || condition.basis() == null) {
                throw new IllegalStateException("The store reported a lost history, but the append has no basis");
            }
            return Basis.head("/condition/basis", condition.basis());
        }

        /** Locates the value in the request that the store refused. */
        InvalidValueException located(RefusedInputException refused, Append append, StoreLimits limits) {
            for (int i = 0; i < append.events().size(); i++) {
                Event event = append.events().get(i);
                InvalidValueException.at("/events/" + i, () -> limits.check(Append.of(event)));
            }
            for (AppendCondition each : append.conditions()) {
                InvalidValueException.at("/condition/failIfEventsMatch", () -> {
                    limits.check(each.failIfEventsMatch());
                    return each;
                });
            }
            InvalidValueException.at("/events", () -> limits.check(Append.of(append.events())));
            InvalidValueException.at("/locks", () -> limits.check(append));
            return new InvalidValueException(
                    append.locks() == null ? "/events" : "/lockTimeout", String.valueOf(refused.getMessage()));
        }
    }

    @Schema(name = "DcbNewEvent")
    public record EventBody(
            @Schema(
                    description =
                            "Generated if absent. An id may be given twice: an append that is sent twice is stored twice, unless it has an Idempotency-Key")
            @Nullable UUID id,

            @Schema(example = "RoomBooked", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String type,

            @Schema(example = "[\"room:r1\"]") @Nullable List<@Nullable String> tags,

            @Schema(
                    description =
                            "Any JSON value except null, stored byte for byte as sent. Of a string, the content is stored; it need not be JSON unless registrar.store.validate-json is set",
                    implementation = Object.class,
                    types = {"string", "object", "array", "number", "boolean"},
                    pattern = TEXT,
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable SourceText data,

            @Schema(
                    description = "In the same form as data; {} if absent",
                    implementation = Object.class,
                    types = {"string", "object", "array", "number", "boolean"},
                    pattern = TEXT)
            @Nullable SourceText metadata) {

        Event event(String pointer, LockTags lockTags) {
            String typeName = required(pointer + "/type", type);
            String payload = required(pointer + "/data", data).text();
            List<Tag> tagged = lockTags.takenOutOf(pointer + "/tags", tagsOf(pointer + "/tags", tags));
            Event event = InvalidValueException.at(
                    pointer,
                    () -> id == null
                            ? Event.of(typeName, tagged, payload)
                            : Event.of(id, typeName, tagged, payload, Event.NO_METADATA));
            return metadata == null
                    ? event
                    : InvalidValueException.at(pointer, () -> event.withMetadata(metadata.text()));
        }
    }

    @Schema(name = "DcbAppendCondition")
    public record ConditionBody(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable QueryBody failIfEventsMatch,

            @Min(0) @Schema(description = "The condition ignores events up to and including this position") @Nullable Long after,

            @Schema(description = Basis.DESCRIPTION, pattern = Basis.PATTERN, example = Basis.EXAMPLE) @Nullable String basis) {

        AppendCondition condition() {
            QueryBody query = required("/condition/failIfEventsMatch", failIfEventsMatch);
            Position ignored = after == null ? Position.START : position("/condition/after", after);
            Head head = basis == null ? null : Basis.head("/condition/basis", basis);
            Basis.check(head, "/condition/after", ignored);
            return new AppendCondition(query.query("/condition/failIfEventsMatch"), ignored, head);
        }
    }

    /**
     * The lock tags of an append's events, if a setting enables them: {@code lock:room:1} locks the resource
     * {@code room:1}, as the field {@code locks} does.
     */
    static final class LockTags {
        private static final String PREFIX = "lock:";

        private final boolean enabled;
        private final List<String> names = new ArrayList<>();

        /** No names yet. */
        LockTags(boolean enabled) {
            this.enabled = enabled;
        }

        /**
         * Removes the lock tags from an event's tags, and collects the names in them.
         *
         * @param pointer to the tags in the request
         * @return the tags that remain, which are stored
         * @throws InvalidValueException if a lock tag names no resource
         */
        List<Tag> takenOutOf(String pointer, List<Tag> tags) {
            if (!enabled) {
                return tags;
            }
            List<Tag> others = new ArrayList<>();
            for (int i = 0; i < tags.size(); i++) {
                String tag = tags.get(i).value();
                if (!tag.startsWith(PREFIX)) {
                    others.add(tags.get(i));
                } else if (tag.length() == PREFIX.length()) {
                    throw new InvalidValueException(
                            pointer + "/" + i, "must name a resource after '%s'".formatted(PREFIX));
                } else {
                    names.add(tag.substring(PREFIX.length()));
                }
            }
            return others;
        }

        /** The names of the resources so far. */
        List<String> names() {
            return names;
        }
    }
}
