package dev.registrar.console.rush;

import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A rush: two races, whose answers a page shows in slow motion when both are over. */
final class Rush {
    private static final Duration EACH_ANSWER = Duration.ofMillis(30);

    private final String id;
    private volatile Supplier<Shown> state = () -> new Shown(
            "Two stores are created, each with a course of %s seats and %s students. This takes some seconds. No other rush starts before this one is over."
                    .formatted(Race.SEATS, Race.STUDENTS),
            Race.READY,
            Race.READY,
            null,
            false);

    Rush(String id) {
        this.id = id;
    }

    /**
     * A rush as a page shows it.
     *
     * @param progress what happens, in a sentence
     * @param failure why the rush did not take place, and what to do; null if it did, or may still
     * @param isOver whether nothing more will change
     */
    record Shown(
            String progress,
            Race safe,
            Race unsafe,
            @Nullable String failure,
            boolean isOver) {}

    String id() {
        return id;
    }

    Shown shown() {
        return state.get();
    }

    /** Ends the rush with the reason why it did not take place. */
    void fail(String reason) {
        Shown failed = new Shown("The rush did not take place.", Race.READY, Race.READY, reason, true);
        state = () -> failed;
    }

    /** Shows two races from now on. */
    void show(Race safe, Race unsafe) {
        long start = System.nanoTime();
        state = () -> after((System.nanoTime() - start) / EACH_ANSWER.toNanos(), safe, unsafe);
    }

    private static Shown after(long answers, Race safe, Race unsafe) {
        int shown = (int) Math.min(answers, Race.STUDENTS);
        return new Shown(
                shown == Race.STUDENTS
                        ? "The rush is over. With the condition: %s Without it: %s"
                                .formatted(safe.summary(), unsafe.summary())
                        : "The students race. You see their answers in slow motion. No other rush starts before this one is over.",
                safe.after(shown),
                unsafe.after(shown),
                null,
                shown == Race.STUDENTS);
    }
}
