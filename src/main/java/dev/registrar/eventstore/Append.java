package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to append events, all of them or none.
 *
 * @param events one or more
 * @param conditions what must not have happened, all of it; none appends whatever happened
 * @param idempotencyKey makes a repetition harmless; null does not
 * @param locks named resources to hold until the commit; null holds none
 */
public record Append(
        List<Event> events,
        List<AppendCondition> conditions,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable ResourceLocks locks) {
    public Append {
        events = List.copyOf(events);
        conditions = List.copyOf(conditions);
        if (events.isEmpty()) {
            throw new RefusedInputException("An append has at least one event");
        }
    }

    public static Append of(List<Event> events) {
        return new Append(events, List.of(), null, null);
    }

    public static Append of(Event... events) {
        return of(List.of(events));
    }

    public Append onCondition(AppendCondition condition) {
        return onConditions(List.of(condition));
    }

    /** Goes through only if each of the conditions holds; they may look back to different positions. */
    public Append onConditions(List<AppendCondition> all) {
        return new Append(events, all, idempotencyKey, locks);
    }

    public Append under(@Nullable IdempotencyKey key) {
        return new Append(events, conditions, key, locks);
    }

    public Append holding(@Nullable ResourceLocks resources) {
        return new Append(events, conditions, idempotencyKey, resources);
    }
}
