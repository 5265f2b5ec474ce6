package dev.registrar.eventstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The start, direction and length of a read.
 *
 * @param from the first position to read, in reading direction; null for the end that comes first
 * @param after the position to start behind, in reading direction; null as for {@code from}; never both
 * @param direction the order of the events
 * @param limit the most events to read, 0 or more; null for all
 * @param basis heads that the reader has seen: a read of a store that has lost any of them is refused
 * @param forClient whether the events are sent on to a client, which may be slow: such reads have memory of their own,
 *     so that they delay no other read
 */
public record ReadOptions(
        @Nullable Position from,
        @Nullable Position after,
        Direction direction,
        @Nullable Long limit,
        Set<Head> basis,
        boolean forClient) {
    private static final ReadOptions FORWARDS = new ReadOptions(null, null, Direction.FORWARDS, null, Set.of(), false);
    private static final ReadOptions BACKWARDS =
            new ReadOptions(null, null, Direction.BACKWARDS, null, Set.of(), false);

    /** The order in which events are read. */
    public enum Direction {
        /** From low positions to high. */
        FORWARDS,
        /** From high positions to low. */
        BACKWARDS
    }

    public ReadOptions {
        basis = Set.copyOf(basis);
        if (from != null && after != null) {
            throw new RefusedInputException(
                    "A read starts from a position or after one, but both were given: from %s, after %s"
                            .formatted(from, after));
        }
        if (limit != null && limit < 0) {
            throw new RefusedInputException("The limit of a read is 0 or more but was %d".formatted(limit));
        }
    }

    /** All events, from the lowest position. */
    public static ReadOptions forwards() {
        return FORWARDS;
    }

    /** All events, from the highest position. */
    public static ReadOptions backwards() {
        return BACKWARDS;
    }

    /** Starts at a position. */
    public ReadOptions from(Position position) {
        return new ReadOptions(position, after, direction, limit, basis, forClient);
    }

    /** Starts behind a position. */
    public ReadOptions after(Position position) {
        return new ReadOptions(from, position, direction, limit, basis, forClient);
    }

    /** Starts behind a head, if the store still has it. */
    public ReadOptions after(Head head) {
        return after(head.position()).on(Set.of(head));
    }

    /** Reads only if the store still has all of these heads; they may lie anywhere. */
    public ReadOptions on(Set<Head> heads) {
        return new ReadOptions(from, after, direction, limit, heads, forClient);
    }

    /** Reads at most so many events, 0 or more. */
    public ReadOptions limit(long events) {
        return new ReadOptions(from, after, direction, events, basis, forClient);
    }

    /** Says whether the events are sent on to a client. */
    public ReadOptions forClient(boolean client) {
        return new ReadOptions(from, after, direction, limit, basis, client);
    }

    /** The exclusive bound that a forward read stays above. */
    public Position above() {
        if (after != null) {
            return after;
        }
        return from == null || from.value() == 0 ? Position.START : Position.of(from.value() - 1);
    }

    /** The inclusive bound that a backward read stays at or below. */
    public Position upTo() {
        if (after != null) {
            return after.value() == 0 ? Position.START : Position.of(after.value() - 1);
        }
        return from == null ? Position.of(Long.MAX_VALUE) : from;
    }
}
