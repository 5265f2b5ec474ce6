package dev.registrar.http.gocrablet;

import static dev.registrar.http.dcb.DcbRequests.each;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.http.dcb.Basis;
import dev.registrar.http.dcb.DcbAppendController.AppendBody;
import dev.registrar.http.dcb.DcbAppendController.ConditionBody;
import dev.registrar.http.dcb.DcbAppendController.EventBody;
import dev.registrar.http.dcb.DcbRequests;
import dev.registrar.http.dcb.DcbRequests.ItemBody;
import dev.registrar.http.dcb.DcbRequests.ProjectBody;
import dev.registrar.http.dcb.DcbRequests.ProjectorBody;
import dev.registrar.http.dcb.DcbRequests.QueryBody;
import dev.registrar.http.dcb.DeclaredProjection;
import dev.registrar.http.dcb.SourceText;
import dev.registrar.http.problem.InvalidValueException;
import dev.registrar.http.problem.Problem;
import dev.registrar.http.problem.Problem.FieldError;
import dev.registrar.http.problem.ProblemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * The requests of go-crablet's clients, and their mapping to those of the event store's own API. Unknown fields are
 * ignored, as in go-crablet: some of its clients send {@code expectedVersion} or metadata.
 */
final class GoCrabletRequests {
    private static final int MAX_ID_CHARACTERS = 255;

    private GoCrabletRequests() {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record AppendRequest(
            @JsonFormat(with = JsonFormat.Feature.ACCEPT_SINGLE_VALUE_AS_ARRAY) @Nullable List<@Nullable NewEvent> events,

            @Nullable Condition condition) {

        AppendBody body() {
            List<@Nullable EventBody> mapped = new ArrayList<>(each("/events", events, (at, event) -> event.body(at)));
            return new AppendBody(mapped, condition == null ? null : condition.body(), null, null);
        }
    }

    /**
     * An event to append.
     *
     * @param id the client's id, any text up to 255 characters; stored in the metadata
     * @param data JSON, in a string
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record NewEvent(
            @Nullable String id,
            @Nullable String type,
            @Nullable String data,
            @Nullable List<@Nullable String> tags) {

        EventBody body(String pointer) {
            return new EventBody(
                    null, type, tags, data == null ? null : new SourceText(data), metadata(pointer + "/id"));
        }

        private @Nullable SourceText metadata(String pointer) {
            if (id == null) {
                return null;
            }
            int length = id.codePointCount(0, id.length());
            if (length > MAX_ID_CHARACTERS) {
                throw new InvalidValueException(
                        pointer, "has %s characters (limit %s)".formatted(length, MAX_ID_CHARACTERS));
            }
            return new SourceText(JsonNodeFactory.instance
                    .objectNode()
                    .put("clientEventId", id)
                    .toString());
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Condition(
            @Nullable QueryBody failIfEventsMatch, @Nullable SourceText after) {

        ConditionBody body() {
            if (failIfEventsMatch != null) {
                checkItems("/condition/failIfEventsMatch", failIfEventsMatch);
            }
            EventId ignored = EventId.of("/condition/after", after);
            return ignored == null
                    ? new ConditionBody(failIfEventsMatch, null, null)
                    : new ConditionBody(failIfEventsMatch, ignored.position(), ignored.basis());
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record ReadRequest(@Nullable QueryBody query, @Nullable Options options) {

        Query matching() {
            if (query == null) {
                throw refusedQuery("/query", "is required");
            }
            List<@Nullable ItemBody> items = checkItems("/query", query);
            for (int i = 0; i < items.size(); i++) {
                ItemBody item = items.get(i);
                if (item != null && item.tags() != null) {
                    checkTags("/query/items/%s/tags".formatted(i), item.tags());
                }
            }
            return query.query("/query");
        }

        private static void checkTags(String pointer, List<@Nullable String> tags) {
            for (int i = 0; i < tags.size(); i++) {
                String tag = tags.get(i);
                if (tag != null && tag.indexOf(':') < 0) {
                    throw refusedQuery(pointer + "/" + i, "must have the form key:value");
                }
            }
        }

        boolean isBackwards() {
            return options != null && Boolean.TRUE.equals(options.backwards());
        }

        ReadOptions within() {
            ReadOptions all = isBackwards() ? ReadOptions.backwards() : ReadOptions.forwards();
            EventId first = options == null ? null : EventId.of("/options/from", options.from());
            return first == null || first.position() == 0
                    ? all
                    : all.from(DcbRequests.position("/options/from", first.position()));
        }
    }

    @JsonIgnoreProperties(ignoreUnknown = true)
    record Options(@Nullable SourceText from, @Nullable Boolean backwards) {}

    @JsonIgnoreProperties(ignoreUnknown = true)
    record ProjectRequest(
            @Nullable List<@Nullable Projector> projectors,
            @Nullable SourceText after) {

        ProjectBody body() {
            List<@Nullable ProjectorBody> mapped =
                    new ArrayList<>(each("/projectors", projectors, (at, projector) -> projector.body(at)));
            EventId start = EventId.of("/after", after);
            return start == null
                    ? new ProjectBody(mapped, null, null)
                    : new ProjectBody(mapped, start.position(), start.basis());
        }
    }

    /**
     * A fold over events. Its initial state, if it has one, is ignored, as in go-crablet: a count begins at 0.
     *
     * @param transitionFunction the name of a predefined function; JavaScript or none counts events, as in go-crablet
     * @param field JSON pointer to the value in an event's data, for the functions that need one
     */
    @JsonIgnoreProperties(ignoreUnknown = true)
    record Projector(
            @Nullable String id,
            @Nullable QueryBody query,
            @Nullable String transitionFunction,
            @Nullable String field) {

        ProjectorBody body(String pointer) {
            if (query != null) {
                checkItems(pointer + "/query", query);
            }
            return new ProjectorBody(
                    id, query, TransitionFunctions.kind(pointer + "/transitionFunction", transitionFunction), field);
        }
    }

    /** A query that go-crablet refuses with 400, although this store could run it. */
    private static ProblemException refusedQuery(String pointer, String message) {
        ProblemDetail problem = Problem.invalid(List.of(new FieldError(pointer, message)));
        problem.setStatus(HttpStatus.BAD_REQUEST);
        return new ProblemException(problem);
    }

    /* In the event store's own API, such a query matches all events: a client that forgot its items would count all. */
    private static List<@Nullable ItemBody> checkItems(String pointer, QueryBody query) {
        List<@Nullable ItemBody> items = query.items();
        if (items == null || items.isEmpty()) {
            throw refusedQuery(pointer + "/items", "must have at least one item");
        }
        return items;
    }

    /**
     * A position in the store, as clients of go-crablet keep it in text: a number, or the basis in the append condition
     * of a projection's answer.
     *
     * @param basis null if the text was a number
     */
    record EventId(long position, @Nullable String basis) {
        private static final Pattern POSITION = Pattern.compile("0|[1-9][0-9]{0,17}");

        /**
         * Parses an event id; null if it is absent.
         *
         * @param pointer to the event id in the request
         * @throws InvalidValueException if the text has another form
         */
        static @Nullable EventId of(String pointer, @Nullable SourceText given) {
            if (given == null) {
                return null;
            }
            String text = given.text();
            if (POSITION.matcher(text).matches()) {
                return new EventId(Long.parseLong(text), null);
            }
            if (!text.matches(Basis.ID_PATTERN)) {
                throw new InvalidValueException(
                        pointer,
                        "is '%s', but must be the checkpointEventId of a read, or the after of a projection's append condition"
                                .formatted(Problem.shown(text)));
            }
            Head head = Basis.head(pointer, text);
            return new EventId(head.position().value(), text);
        }
    }

    /** The predefined functions that a projector may name. The code in a request is never run. */
    private static final class TransitionFunctions {

        private TransitionFunctions() {}

        /**
         * Finds a function.
         *
         * @param pointer to the function in the request
         * @throws InvalidValueException if no function has the name
         */
        static DeclaredProjection.Kind kind(String pointer, @Nullable String given) {
            if (given == null || isSource(given)) {
                return DeclaredProjection.Kind.COUNT;
            }
            return Arrays.stream(DeclaredProjection.Kind.values())
                    .filter(kind -> name(kind).equals(given))
                    .findAny()
                    .orElseThrow(() -> new InvalidValueException(
                            pointer,
                            "is '%s', but must be one of %s, or JavaScript, which counts events"
                                    .formatted(Problem.shown(given), names())));
        }

        /* JavaScript, as go-crablet's clients send it; go-crablet counts events whatever the code is. */
        private static boolean isSource(String given) {
            return given.stripLeading().startsWith("function") || given.contains("=>");
        }

        private static String names() {
            return Arrays.stream(DeclaredProjection.Kind.values())
                    .map(TransitionFunctions::name)
                    .collect(Collectors.joining(", "));
        }

        private static String name(DeclaredProjection.Kind kind) {
            return kind.name().toLowerCase(Locale.ROOT);
        }
    }
}
