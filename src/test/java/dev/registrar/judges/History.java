package dev.registrar.judges;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What the clients of a store asked and were told, and the log that the store had in the end.
 *
 * @param start the position before the log's first event; no condition and no read may depend on an event up to there
 * @param calls in any order
 * @param log in the order of positions
 */
record History(long start, List<Call> calls, List<Stored> log) {

    /**
     * A call of one of the kinds, of which the others are null.
     *
     * @param instance the instance of the store that was called
     * @param invoked nanoseconds of a clock that all clients share
     * @param returned likewise; null if the outcome is unknown, so that the call may still take effect
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Call(
            int client,
            String instance,
            long invoked,
            @Nullable Long returned,
            @Nullable Appending append,
            @Nullable Reading read,
            @Nullable Counting count,
            @Nullable HeadSeen head,
            @Nullable Command command) {

        static Call of(int client, String instance, long invoked, @Nullable Long returned, Appending append) {
            return new Call(client, instance, invoked, returned, append, null, null, null, null);
        }

        static Call of(int client, String instance, long invoked, long returned, Reading read) {
            return new Call(client, instance, invoked, returned, null, read, null, null, null);
        }

        static Call of(int client, String instance, long invoked, long returned, Counting count) {
            return new Call(client, instance, invoked, returned, null, null, count, null, null);
        }

        static Call of(int client, String instance, long invoked, long returned, HeadSeen head) {
            return new Call(client, instance, invoked, returned, null, null, null, head, null);
        }

        static Call of(int client, String instance, long invoked, @Nullable Long returned, Command command) {
            return new Call(client, instance, invoked, returned, null, null, null, null, command);
        }

        /** Whether no answer says what became of its events. */
        boolean isOutcomeUnknown() {
            return (append != null && append.parts().getFirst().outcome() == Outcome.UNKNOWN)
                    || (command != null && (command.status() == Command.UNKNOWN || command.status() == 504));
        }

        /** The same call with another append. */
        Call with(Appending other) {
            return of(client, instance, invoked, returned, other);
        }
    }

    /**
     * One append, or a chain of several that build on each other.
     *
     * @param key the idempotency key; a repetition under the same key has equal events
     * @param decidedOn when the client invoked the read on which it decided; null if it read nothing
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Appending(@Nullable String key, @Nullable Long decidedOn, List<Part> parts) {
        /** Whether it has a key: Porcupine's model asks for this. */
        @JsonProperty(access = JsonProperty.Access.READ_ONLY)
        boolean keyed() {
            return key != null;
        }
    }

    /**
     * Events that are appended together.
     *
     * @param first position of the first event, as acknowledged
     * @param last position of the last event, as acknowledged
     * @param witness position of the event that failed a condition, as answered
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Part(
            List<NewEvent> events,
            List<Condition> conditions,
            @Nullable Outcome outcome,
            @Nullable Long first,
            @Nullable Long last,
            @Nullable Long witness) {

        static Part of(List<NewEvent> events, List<Condition> conditions) {
            return new Part(events, conditions, null, null, null, null);
        }

        Part with(Outcome result) {
            return new Part(events, conditions, result, null, null, null);
        }

        Part appendedAt(long from, long to) {
            return new Part(events, conditions, Outcome.APPENDED, from, to, null);
        }

        Part refusedBy(long position) {
            return new Part(events, conditions, Outcome.REFUSED, null, null, position);
        }
    }

    enum Outcome {
        @JsonProperty("appended")
        APPENDED,
        /** A condition failed. */
        @JsonProperty("refused")
        REFUSED,
        /** A later part of a chain whose part before was refused. */
        @JsonProperty("untried")
        UNTRIED,
        /** The answer says that nothing is stored. */
        @JsonProperty("failed")
        FAILED,
        @JsonProperty("unknown")
        UNKNOWN
    }

    record NewEvent(UUID id, String type, List<String> tags) {}

    /** Fails if an event after a position matches one of the items, or is there at all if there are no items. */
    record Condition(List<Item> items, long after) {}

    /** Matches an event of one of the types (of any type if there are none) that has all the tags. */
    record Item(List<String> types, List<String> tags) {
        boolean matches(Stored event) {
            return (types.isEmpty() || types.contains(event.type)) && event.tags.containsAll(tags);
        }
    }

    /**
     * @param positions of all events after a position that match, up to the head
     * @param ids the lower halves of their ids
     * @param head the store's head, as answered
     */
    record Reading(List<Item> items, long after, List<Long> positions, List<Long> ids, long head) {}

    /** The number of the events that a {@link Reading} would have. */
    record Counting(List<Item> items, long after, long number, long head) {}

    record HeadSeen(long head) {}

    /**
     * A command of the course office.
     *
     * @param method {@code PUT} to enroll, {@code DELETE} to drop
     * @param status of HTTP
     * @param code of the problem; empty if there is none
     * @param position of the last event that the command appended; if it appended none, of the head that it was decided
     *     at; null if the answer has none
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Command(
            String method,
            String course,
            String student,
            int status,
            String code,
            @Nullable Long position) {
        /** The status of a command whose outcome is unknown. */
        static final int UNKNOWN = 0;

        /** Whether the answer says what was decided. */
        boolean hasAnswer() {
            return status != UNKNOWN && status != 429 && status < 500;
        }
    }

    /**
     * An event of the log.
     *
     * @param data of the course office's events; null for others
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Stored(
            long position,
            UUID id,
            String type,
            List<String> tags,
            @Nullable String data) {}
}
