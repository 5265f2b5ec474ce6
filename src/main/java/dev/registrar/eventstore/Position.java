package dev.registrar.eventstore;

/**
 * The sequence position of an event in its store. The first event has position 1, each later one the next number, in
 * the order of their commits, without gaps.
 *
 * @param value 0 or more; 0 is before the first event
 */
public record Position(long value) implements Comparable<Position> {
    /** Before the first event. */
    public static final Position START = new Position(0);

    public Position {
        if (value < 0) {
            throw new RefusedInputException("A position is 0 or more but was %d".formatted(value));
        }
    }

    public static Position of(long value) {
        return new Position(value);
    }

    public boolean isAfter(Position other) {
        return value > other.value;
    }

    @Override
    public int compareTo(Position other) {
        return Long.compare(value, other.value);
    }

    @Override
    public String toString() {
        return Long.toString(value);
    }
}
