package dev.registrar.benchmarks;

import java.time.Duration;
import java.util.Locale;
import java.util.function.LongSupplier;

/** The progress of a program through a known number of steps of about equal length. */
public final class Progress {
    private final int steps;
    private final LongSupplier nanoseconds;
    private final long started;
    private int begun;

    /** Begins now. */
    public Progress(int steps) {
        this(steps, System::nanoTime);
    }

    Progress(int steps, LongSupplier nanoseconds) {
        this.steps = steps;
        this.nanoseconds = nanoseconds;
        this.started = nanoseconds.getAsLong();
    }

    /** Begins the next step and returns its number, with an estimate of the time left after the first step. */
    public String next() {
        int done = begun++;
        String number = "%s of %s".formatted(begun, steps);
        return done == 0
                ? number
                : "%s, about %s left"
                        .formatted(
                                number,
                                text(sinceStart().multipliedBy(steps - done).dividedBy(done)));
    }

    public Duration sinceStart() {
        return Duration.ofNanos(nanoseconds.getAsLong() - started);
    }

    /** Returns hours and minutes, minutes and seconds, or seconds. */
    public static String text(Duration time) {
        if (time.toHours() > 0) {
            return String.format(Locale.ROOT, "%d h %02d min", time.toHours(), time.toMinutesPart());
        }
        return time.toMinutes() > 0
                ? String.format(Locale.ROOT, "%d min %02d s", time.toMinutes(), time.toSecondsPart())
                : "%s s".formatted(time.toSeconds());
    }
}
