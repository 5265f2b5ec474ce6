package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to append events, all of them or none.
 *
 * @param events one or more
 * @param conditions all must hold; none appends unconditionally
 * @param idempotencyKey makes a repetition harmless; null for none
 * @param locks named resources to hold until the commit; null for none
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

    /** An unconditional append. */
    public static Append of(List<Event> events) {
        return new Append(events, List.of(), null, null);
    }

    /** An unconditional append. */
    public static Append of(Event... events) {
        return of(List.of(events));
    }

    /** The same request on this condition alone. */
    public Append onCondition(AppendCondition condition) {
        return onConditions(List.of(condition));
    }

    /** The same request on these conditions alone; they may look back to different positions. */
    public Append onConditions(List<AppendCondition> all) {
        return new Append(events, all, idempotencyKey, locks);
    }

    /** The same request under an idempotency key. */
    public Append under(@Nullable IdempotencyKey key) {
        return new Append(events, conditions, key, locks);
    }

    /** The same request that holds named resources until its commit. */
    public Append holding(@Nullable ResourceLocks resources) {
        return new Append(events, conditions, idempotencyKey, resources);
    }
}
