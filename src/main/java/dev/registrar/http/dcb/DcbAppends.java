package dev.registrar.http.dcb;

import static dev.registrar.http.dcb.DcbRequests.each;
import static dev.registrar.http.dcb.DcbRequests.position;
import static dev.registrar.http.dcb.DcbRequests.required;
import static dev.registrar.http.dcb.DcbRequests.tagsOf;
import static dev.registrar.http.dcb.DcbRequests.texts;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.problem.InvalidValueException;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Min;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/** What an append sends in the wire format of DCB clients, and its mapping to the store's types. */
public final class DcbAppends {
    private static final String LOCKS =
            "Names of resources that the append locks until it is committed. With registrar.dcb.lock-tags, tags of its events name further ones: lock:r1 locks the resource r1 and is not stored";

    /*
     * Any text without U+0000, which PostgreSQL's text cannot hold. Of another value than a string the source text is
     * stored, in which control characters are escaped.
     */
    private static final String TEXT = "[^\\x00]*";

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);

    private DcbAppends() {}

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
