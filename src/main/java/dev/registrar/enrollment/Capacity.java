package dev.registrar.enrollment;

/**
 * How many students a course takes.
 *
 * @param seats 1 to 100,000
 */
public record Capacity(int seats) {
    public static final int MOST = 100_000;

    public Capacity {
        if (seats < 1 || seats > MOST) {
            throw new IllegalArgumentException("A capacity is 1 to %d seats but was %d".formatted(MOST, seats));
        }
    }
}
