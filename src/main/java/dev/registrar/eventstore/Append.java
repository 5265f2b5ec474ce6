package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to append events, all of them or none.
 *
 * @param events one or more
 * @param condition what must not have happened; null appends whatever happened
 * @param idempotencyKey makes a repetition harmless; null does not
 * @param locks named resources to hold until the commit; null holds none
 */
public record Append(
        List<Event> events,
        @Nullable AppendCondition condition,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable ResourceLocks locks) {
    public Append {
        events = List.copyOf(events);
        if (events.isEmpty()) {
            throw new RefusedInputException("An append has at least one event");
        }
    }

    public static Append of(List<Event> events) {
        return new Append(events, null, null, null);
    }

    public static Append of(Event... events) {
        return of(List.of(events));
    }

    public Append onCondition(@Nullable AppendCondition appendCondition) {
        return new Append(events, appendCondition, idempotencyKey, locks);
    }

    public Append under(@Nullable IdempotencyKey key) {
        return new Append(events, condition, key, locks);
    }

    public Append holding(@Nullable ResourceLocks resources) {
        return new Append(events, condition, idempotencyKey, resources);
    }
}
