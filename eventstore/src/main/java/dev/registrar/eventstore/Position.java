package dev.registrar.eventstore;

/**
 * The sequence position of an event in its store. Positions start at 1 and have no gaps; their order is the order of
 * the commits.
 *
 * @param value the number, 0 or more; 0 is before the first event
 */
public record Position(long value) implements Comparable<Position> {
    /** The position before the first event. */
    public static final Position START = new Position(0);

    public Position {
        if (value < 0) {
            throw new RefusedInputException("A position must be 0 or more but is %s".formatted(value));
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
