package dev.registrar.http.dcb;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.Tag;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.UnreadableBody;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.Min;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

/**
 * The requests of the event store's API in the wire format of DCB clients, and their mapping to the store's types;
 * {@link DcbAppendController} has those that append.
 */
@Component
public final class DcbRequests {
    private static final long MAX_EVENTS = 1_000_000;
    private static final int MAX_PROJECTORS = 100;

    private final JsonMapper json;

    DcbRequests(JsonMapper json) {
        this.json = json;
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
            return new Query(each(pointer + "/items", items, (at, item) -> item.item(at)));
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
            @Min(0) @Schema(description = "The first position, in reading direction") @Nullable Long from,

            @Min(0) @Schema(description = "The position after which to start, in reading direction") @Nullable Long after,

            @Nullable Boolean backwards,

            @Min(0) @Max(MAX_EVENTS) @Schema(description = "Maximum number of events; all if absent") @Nullable Long limit,

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
            return within.on(Set.of(head)).withSameTags();
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
                        "/options/limit", "must be at most %s: leave it out to read all events".formatted(MAX_EVENTS));
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

            @Min(0) @Schema(description = "Only events after this position") @Nullable Long after,

            @Schema(description = Basis.DESCRIPTION, pattern = Basis.PATTERN, example = Basis.EXAMPLE) @Nullable String basis) {

        List<DeclaredProjection> projections() {
            if (projectors == null || projectors.isEmpty()) {
                throw new InvalidValueException("/projectors", "must have at least one projector");
            }
            if (projectors.size() > MAX_PROJECTORS) {
                throw new InvalidValueException(
                        "/projectors", "must have at most %s projectors".formatted(MAX_PROJECTORS));
            }
            Set<String> ids = new HashSet<>();
            return each("/projectors", projectors, (at, projector) -> {
                DeclaredProjection projection = projector.projection(at);
                if (!ids.add(projection.id())) {
                    throw new InvalidValueException(at + "/id", "is also the id of another projector");
                }
                return projection;
            });
        }

        ReadOptions within() {
            Position start = after == null ? Position.START : position("/after", after);
            ReadOptions options = ReadOptions.forwards().after(start);
            if (basis == null) {
                return options;
            }
            Head head = Basis.head("/basis", basis);
            Basis.check(head, "/after", start);
            return options.on(Set.of(head)).withSameTags();
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
     * Parses a query parameter; null if it is absent.
     *
     * @throws InvalidValueException if the parameter is not JSON, or has another form
     */
    public <T> @Nullable T parameter(String name, @Nullable String source, Class<T> type) {
        if (source == null) {
            return null;
        }
        try {
            return required("/" + name, json.readValue(source, type));
        } catch (JacksonException unreadable) {
            throw new InvalidValueException(
                    "/" + name + UnreadableBody.pointer(unreadable),
                    unreadable instanceof DatabindException
                            ? "must be " + UnreadableBody.expected(unreadable)
                            : "is not JSON, or repeats a field");
        }
    }

    static List<Tag> tagsOf(String pointer, @Nullable List<@Nullable String> values) {
        List<String> texts = texts(pointer, values);
        return InvalidValueException.at(
                pointer, () -> texts.stream().map(Tag::new).toList());
    }

    static List<String> texts(String pointer, @Nullable List<@Nullable String> values) {
        return each(pointer, values, (at, text) -> text);
    }

    /** Maps the elements of a list, each with its pointer. A list that is absent has none. */
    public static <T, R> List<R> each(
            String pointer, @Nullable List<@Nullable T> values, BiFunction<String, T, R> mapping) {
        List<R> mapped = new ArrayList<>();
        for (int i = 0; values != null && i < values.size(); i++) {
            String at = pointer + "/" + i;
            mapped.add(mapping.apply(at, required(at, values.get(i))));
        }
        return mapped;
    }

    public static Position position(String pointer, long value) {
        return InvalidValueException.at(pointer, () -> Position.of(value));
    }

    static <T> T required(String pointer, @Nullable T value) {
        if (value == null) {
            throw new InvalidValueException(pointer, "is required");
        }
        return value;
    }
}
