package dev.registrar.console.rush;

import org.jspecify.annotations.Nullable;

/**
 * A rush as a page shows it.
 *
 * @param progress what happens, in a sentence
 * @param failure why the rush did not take place, and what to do; null if it did, or may still
 * @param isOver whether nothing more will change
 */
record ShownRush(
        String progress,
        ShownRace safe,
        ShownRace unsafe,
        @Nullable String failure,
        boolean isOver) {

    static ShownRush preparing() {
        return new ShownRush(
                "Two stores are created, each with a course of %d seats and %d students. This takes some seconds. No other rush starts before this one is over."
                        .formatted(ShownRace.SEATS, ShownRace.STUDENTS),
                ShownRace.READY,
                ShownRace.READY,
                null,
                false);
    }

    /** Two races as they were after a number of answers each. */
    static ShownRush after(FinishedRace safe, FinishedRace unsafe, int answers) {
        boolean over = answers >= ShownRace.STUDENTS;
        ShownRace one = safe.after(answers);
        ShownRace other = unsafe.after(answers);
        return new ShownRush(
                over
                        ? "The rush is over. With the condition: %s Without it: %s"
                                .formatted(one.summary(), other.summary())
                        : "The students race. You see their answers in slow motion. No other rush starts before this one is over.",
                one,
                other,
                null,
                over);
    }

    static ShownRush failed(String reason) {
        return new ShownRush("The rush did not take place.", ShownRace.READY, ShownRace.READY, reason, true);
    }
}
