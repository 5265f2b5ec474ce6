package dev.registrar.enrollment;

/**
 * The number of seats in a course.
 *
 * @param seats 1 to 100,000
 */
public record Capacity(int seats) {
    public static final int MAX = 100_000;

    public Capacity {
        if (seats < 1 || seats > MAX) {
            throw new IllegalArgumentException("A capacity is 1 to %s seats but was %s".formatted(MAX, seats));
        }
    }
}
