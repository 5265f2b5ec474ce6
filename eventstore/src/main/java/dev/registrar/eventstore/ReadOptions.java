package dev.registrar.eventstore;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The start, end, direction and length of a read.
 *
 * @param from the first position to read, in reading direction; null to start at the first event in that direction
 * @param after the position to start after, in reading direction; null as for {@code from}; excludes {@code from}
 * @param to the last position to read, in reading direction; null to read to the end
 * @param direction the order of the events
 * @param limit the maximum number of events to read, 0 or more; null for all
 * @param basis heads that the reader has seen; the read fails if the store no longer has all of them
 * @param sameTags whether the read also fails if a tag that its query names was added, after a head of the basis, to an
 *     event that it does not read again
 * @param forClient whether the events are sent on to a client, which may be slow; such reads share a separate memory
 *     budget, so that they do not delay other reads
 */
public record ReadOptions(
        @Nullable Position from,
        @Nullable Position after,
        @Nullable Position to,
        Direction direction,
        @Nullable Long limit,
        Set<Head> basis,
        boolean sameTags,
        boolean forClient) {
    private static final ReadOptions FORWARDS =
            new ReadOptions(null, null, null, Direction.FORWARDS, null, Set.of(), false, false);
    private static final ReadOptions BACKWARDS =
            new ReadOptions(null, null, null, Direction.BACKWARDS, null, Set.of(), false, false);

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
                    "A read must start either from a position or after one, but has both: from %s, after %s"
                            .formatted(from, after));
        }
        if (limit != null && limit < 0) {
            throw new RefusedInputException("The limit of a read must be 0 or more but is %s".formatted(limit));
        }
    }

    /** Options to read all events, from the lowest position. */
    public static ReadOptions forwards() {
        return FORWARDS;
    }

    /** Options to read all events, from the highest position. */
    public static ReadOptions backwards() {
        return BACKWARDS;
    }

    /** The same options, starting at a position. */
    public ReadOptions from(Position position) {
        return new ReadOptions(position, after, to, direction, limit, basis, sameTags, forClient);
    }

    /** The same options, starting after a position. */
    public ReadOptions after(Position position) {
        return new ReadOptions(from, position, to, direction, limit, basis, sameTags, forClient);
    }

    /** The same options, starting after a head; the read fails if the store no longer has that head. */
    public ReadOptions after(Head head) {
        return after(head.position()).on(Set.of(head));
    }

    /** The same options, ending at a position, which is read too. */
    public ReadOptions to(Position position) {
        return new ReadOptions(from, after, position, direction, limit, basis, sameTags, forClient);
    }

    /** The same options; the read fails if the store no longer has all of these heads. */
    public ReadOptions on(Set<Head> heads) {
        return new ReadOptions(from, after, to, direction, limit, heads, sameTags, forClient);
    }

    /**
     * The same options, for a reader that keeps what it has read: the read also fails if a tag that its query names was
     * added, after a head of the basis, to an event that it does not read again.
     */
    public ReadOptions withSameTags() {
        return new ReadOptions(from, after, to, direction, limit, basis, true, forClient);
    }

    /** The same options, with a maximum number of events, 0 or more. */
    public ReadOptions limit(long events) {
        return new ReadOptions(from, after, to, direction, events, basis, sameTags, forClient);
    }

    /** The same options, for events that are sent on to a client, or are not. */
    public ReadOptions forClient(boolean client) {
        return new ReadOptions(from, after, to, direction, limit, basis, sameTags, client);
    }

    /** The exclusive lower bound of the positions. */
    public Position above() {
        return switch (direction) {
            case FORWARDS -> after == null ? before(from) : after;
            case BACKWARDS -> before(to);
        };
    }

    /** The inclusive upper bound of the positions. */
    public Position upTo() {
        return switch (direction) {
            case FORWARDS -> orLast(to);
            case BACKWARDS -> after == null ? orLast(from) : before(after);
        };
    }

    private static Position orLast(@Nullable Position position) {
        return position == null ? Position.of(Long.MAX_VALUE) : position;
    }

    private static Position before(@Nullable Position position) {
        return position == null || position.value() == 0 ? Position.START : Position.of(position.value() - 1);
    }
}
