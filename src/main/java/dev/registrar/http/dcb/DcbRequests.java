package dev.registrar.http.dcb;

import com.fasterxml.jackson.annotation.JsonFormat;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.SourceText;
import dev.registrar.http.problem.UnreadableBody;
import dev.registrar.http.problem.UnreadableBodyException;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

/** The requests of the event store's API in the wire format of DCB clients, and their mapping to the store's types. */
@Component
public final class DcbRequests {
    private static final String LOCKS =
            "Names of resources that the append locks until it is committed. With registrar.dcb.lock-tags, tags of its events name further ones: lock:r1 locks the resource r1 and is not stored";

    private static final Duration LOCK_TIMEOUT = Duration.ofSeconds(5);
    private static final long MAX_EVENTS = 1_000_000;
    private static final int MAX_PROJECTORS = 100;

    private final JsonMapper json;
    private final DcbSettings settings;

    DcbRequests(JsonMapper json, DcbSettings settings) {
        this.json = json;
        this.settings = settings;
    }

    /** Events to append. */
    @Schema(name = "DcbAppend")
    public record AppendBody(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY)
            @Schema(description = "One event, or a list of them", requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable List<@Nullable EventBody> events,

            @Nullable ConditionBody condition,

            @Schema(description = LOCKS) @Nullable List<@Nullable String> locks,

            @Schema(description = "Maximum wait for the locks, in milliseconds; 5,000 if absent", minimum = "1")
            @Nullable Long lockTimeout) {

        /** Maps the body to a request of the store, and removes the lock tags from its events. */
        Append append(LockTags lockTags) {
            List<Event> mapped = new ArrayList<>();
            if (events != null) {
                for (int i = 0; i < events.size(); i++) {
                    EventBody event = required("/events/" + i, events.get(i));
                    mapped.add(event.event("/events/" + i, lockTags));
                }
            }
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
            @Schema(description = "Generated if absent") @Nullable UUID id,

            @Schema(example = "RoomBooked", requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String type,

            @Schema(example = "[\"room:r1\"]") @Nullable List<@Nullable String> tags,

            @Schema(
                    description =
                            "Any JSON value except null, stored byte for byte as sent. Of a string, the content is stored; it need not be JSON unless registrar.store.validate-json is set",
                    implementation = Object.class,
                    requiredMode = Schema.RequiredMode.REQUIRED)
            @Nullable SourceText data,

            @Schema(description = "In the same form as data; {} if absent", implementation = Object.class) @Nullable SourceText metadata) {

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

            @Schema(description = "The condition ignores events up to and including this position", minimum = "0")
            @Nullable Long after,

            @Schema(description = Basis.DESCRIPTION, pattern = Basis.PATTERN, example = Basis.EXAMPLE) @Nullable String basis) {

        AppendCondition condition() {
            QueryBody query = required("/condition/failIfEventsMatch", failIfEventsMatch);
            Position ignored = after == null ? Position.START : position("/condition/after", after);
            Head head = basis == null ? null : Basis.head("/condition/basis", basis);
            Basis.check(head, "/condition/after", ignored);
            return new AppendCondition(query.query("/condition/failIfEventsMatch"), ignored, head);
        }
    }

    @Schema(name = "DcbQuery")
    public record QueryBody(
            @Schema(description = "Alternatives; a query without items matches every event") @Nullable List<@Nullable ItemBody> items) {
        public static final QueryBody ALL = new QueryBody(null);

        static QueryBody of(Query query) {
            return new QueryBody(
                    query.items().stream().<@Nullable ItemBody>map(ItemBody::of).toList());
        }

        public Query query(String pointer) {
            if (items == null || items.isEmpty()) {
                return Query.all();
            }
            List<QueryItem> mapped = new ArrayList<>();
            for (int i = 0; i < items.size(); i++) {
                String at = pointer + "/items/" + i;
                mapped.add(required(at, items.get(i)).item(at));
            }
            return new Query(mapped);
        }
    }

    @Schema(name = "DcbQueryItem")
    public record ItemBody(
            @Schema(description = "The event has one of these types; any type if absent or empty") @Nullable List<@Nullable String> types,

            @Schema(description = "The event has all of these tags") @Nullable List<@Nullable String> tags) {

        static ItemBody of(QueryItem item) {
            return new ItemBody(
                    new ArrayList<>(item.types()),
                    item.tags().stream().<@Nullable String>map(Tag::value).toList());
        }

        QueryItem item(String pointer) {
            List<String> named = texts(pointer + "/types", types);
            List<Tag> tagged = tagsOf(pointer + "/tags", tags);
            return InvalidValueException.at(pointer, () -> QueryItem.of(named, tagged));
        }
    }

    @Schema(name = "DcbReadOptions")
    record OptionsBody(
            @Schema(description = "The first position, in reading direction", minimum = "0") @Nullable Long from,

            @Schema(description = "The position after which to start, in reading direction", minimum = "0") @Nullable Long after,

            @Nullable Boolean backwards,

            @Schema(description = "Maximum number of events; all if absent", minimum = "0", maximum = "" + MAX_EVENTS)
            @Nullable Long limit,

            @Schema(description = Basis.DESCRIPTION, pattern = Basis.PATTERN, example = Basis.EXAMPLE) @Nullable String basis) {
        static final OptionsBody NONE = new OptionsBody(null, null, null, null, null);

        ReadOptions options() {
            ReadOptions within = within();
            if (basis == null) {
                return within;
            }
            Head head = Basis.head("/options/basis", basis);
            if (after != null) {
                Basis.check(head, "/options/after", position("/options/after", after));
            }
            if (from != null && from > 0 && !Boolean.TRUE.equals(backwards)) {
                // To read from a position is to read after the position before it.
                Basis.check(head, "/options/from", position("/options/from", from - 1));
            }
            return within.on(Set.of(head));
        }

        private ReadOptions within() {
            boolean backward = Boolean.TRUE.equals(backwards);
            ReadOptions options = backward ? ReadOptions.backwards() : ReadOptions.forwards();
            // Position 0 is before the first event: a forward read starts there, a backward read has no bound.
            if (after != null && !(after == 0 && (backward || from != null))) {
                options = options.after(position("/options/after", after));
            }
            if (from != null && !(backward && from == 0) && !(from == 0 && after != null)) {
                Position first = position("/options/from", from);
                ReadOptions before = options;
                options = InvalidValueException.at("/options/from", () -> before.from(first));
            }
            if (limit == null) {
                return options;
            }
            if (limit > MAX_EVENTS) {
                throw new InvalidValueException(
                        "/options/limit", "must be at most %d: leave it out to read all events".formatted(MAX_EVENTS));
            }
            ReadOptions unlimited = options;
            return InvalidValueException.at("/options/limit", () -> unlimited.limit(limit));
        }
    }

    @Schema(name = "DcbRead")
    record ReadBody(
            @Nullable QueryBody query,
            @Nullable OptionsBody options,

            @Schema(description = "true: answer with the number of events only") @Nullable Boolean count) {

        Query matching() {
            return (query == null ? QueryBody.ALL : query).query("/query");
        }

        ReadOptions within() {
            return (options == null ? OptionsBody.NONE : options).options();
        }
    }

    @Schema(name = "DcbProject")
    public record ProjectBody(
            @ArraySchema(
                    minItems = 1,
                    maxItems = MAX_PROJECTORS,
                    arraySchema = @Schema(requiredMode = Schema.RequiredMode.REQUIRED))
            @Nullable List<@Nullable ProjectorBody> projectors,

            @Schema(description = "Only events after this position", minimum = "0") @Nullable Long after,

            @Schema(description = Basis.DESCRIPTION, pattern = Basis.PATTERN, example = Basis.EXAMPLE) @Nullable String basis) {

        List<DeclaredProjection> projections() {
            if (projectors == null || projectors.isEmpty()) {
                throw new InvalidValueException("/projectors", "must have at least one projector");
            }
            if (projectors.size() > MAX_PROJECTORS) {
                throw new InvalidValueException(
                        "/projectors", "must have at most %d projectors".formatted(MAX_PROJECTORS));
            }
            List<DeclaredProjection> projections = new ArrayList<>();
            for (int i = 0; i < projectors.size(); i++) {
                String at = "/projectors/" + i;
                DeclaredProjection projection = required(at, projectors.get(i)).projection(at);
                if (projections.stream().anyMatch(other -> other.id().equals(projection.id()))) {
                    throw new InvalidValueException(at + "/id", "is also the id of another projector");
                }
                projections.add(projection);
            }
            return projections;
        }

        ReadOptions within() {
            Position start = after == null ? Position.START : position("/after", after);
            ReadOptions options = ReadOptions.forwards().after(start);
            if (basis == null) {
                return options;
            }
            Head head = Basis.head("/basis", basis);
            Basis.check(head, "/after", start);
            return options.on(Set.of(head));
        }
    }

    @Schema(name = "DcbProjector")
    public record ProjectorBody(
            @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable String id,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED) @Nullable QueryBody query,

            @Schema(requiredMode = Schema.RequiredMode.REQUIRED)
            DeclaredProjection.@Nullable Kind kind,

            @Schema(
                    description = "JSON pointer to the value in the data; required for sum, min and max",
                    example = "/capacity",
                    pattern = "(?:/[\\s\\S]*)?")
            @Nullable String field) {

        DeclaredProjection projection(String pointer) {
            return DeclaredProjection.of(
                    pointer,
                    required(pointer + "/id", id),
                    required(pointer + "/query", query).query(pointer + "/query"),
                    required(pointer + "/kind", kind),
                    field);
        }
    }

    /**
     * Parses a body.
     *
     * @throws UnreadableBodyException if the body is not JSON, or has another form
     */
    public <T> T read(byte[] body, Class<T> type) {
        String source = UnreadableBody.text(body);
        @Nullable T value;
        try {
            value = read(source, type);
        } catch (JacksonException unreadable) {
            throw new UnreadableBodyException(UnreadableBody.problem(unreadable, body));
        }
        if (value == null) {
            throw new UnreadableBodyException(UnreadableBody.problem(null, body));
        }
        return value;
    }

    /** Collects the resources that the lock tags of one append's events name. */
    LockTags lockTags() {
        return new LockTags(settings.lockTags());
    }

    /**
     * Parses a query parameter; null if it is absent.
     *
     * @throws InvalidValueException if the parameter is not JSON, or has another form
     */
    public <T> @Nullable T parameter(String name, @Nullable String source, Class<T> type) {
        if (source == null) {
            return null;
        }
        try {
            return required("/" + name, read(source, type));
        } catch (JacksonException unreadable) {
            throw new InvalidValueException(
                    "/" + name + UnreadableBody.pointer(unreadable),
                    unreadable instanceof DatabindException
                            ? "must be " + UnreadableBody.expected(unreadable)
                            : "is not JSON, or repeats a field");
        }
    }

    /* Null if the text is the JSON literal null. */
    private <T> @Nullable T read(String source, Class<T> type) {
        return json.readerFor(type).withAttribute(SourceText.SOURCE, source).readValue(source);
    }

    private static List<Tag> tagsOf(String pointer, @Nullable List<@Nullable String> values) {
        List<String> texts = texts(pointer, values);
        return InvalidValueException.at(
                pointer, () -> texts.stream().map(Tag::new).toList());
    }

    private static List<String> texts(String pointer, @Nullable List<@Nullable String> values) {
        if (values == null) {
            return List.of();
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < values.size(); i++) {
            texts.add(required(pointer + "/" + i, values.get(i)));
        }
        return texts;
    }

    public static Position position(String pointer, long value) {
        return InvalidValueException.at(pointer, () -> Position.of(value));
    }

    private static <T> T required(String pointer, @Nullable T value) {
        if (value == null) {
            throw new InvalidValueException(pointer, "is required");
        }
        return value;
    }
}
