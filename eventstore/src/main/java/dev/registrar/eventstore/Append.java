package dev.registrar.eventstore;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A request to append events, all of them or none.
 *
 * @param events one or more events
 * @param conditions conditions that must all hold; an empty list appends unconditionally
 * @param idempotencyKey the key that makes the append safe to repeat; null for none
 * @param locks named resources to hold until the commit; null for none
 * @param actor the party that causes the append; null if unknown
 */
public record Append(
        List<Event> events,
        List<AppendCondition> conditions,
        @Nullable IdempotencyKey idempotencyKey,
        @Nullable ResourceLocks locks,
        @Nullable Actor actor) {
    public Append {
        events = List.copyOf(events);
        conditions = List.copyOf(conditions);
        if (events.isEmpty()) {
            throw new RefusedInputException("An append must have at least one event");
        }
    }

    /** The number of tags of all events. */
    public int tags() {
        int tags = 0;
        for (Event event : events) {
            tags += event.tags().size();
        }
        return tags;
    }

    /** An unconditional append of these events. */
    public static Append of(List<Event> events) {
        return new Append(events, List.of(), null, null, null);
    }

    /** An unconditional append of these events. */
    public static Append of(Event... events) {
        return of(List.of(events));
    }

    /** The same request with this condition only. */
    public Append onCondition(AppendCondition condition) {
        return onConditions(List.of(condition));
    }

    /** The same request with these conditions only; each may ignore events up to a different position. */
    public Append onConditions(List<AppendCondition> all) {
        return new Append(events, all, idempotencyKey, locks, actor);
    }

    /** The same request with an idempotency key. */
    public Append under(@Nullable IdempotencyKey key) {
        return new Append(events, conditions, key, locks, actor);
    }

    /** The same request, holding named resources until its commit. */
    public Append holding(@Nullable ResourceLocks resources) {
        return new Append(events, conditions, idempotencyKey, resources, actor);
    }

    /** The same request, caused by an actor. */
    public Append by(@Nullable Actor party) {
        return new Append(events, conditions, idempotencyKey, locks, party);
    }
}
