package dev.registrar.console.rush;

import java.time.Duration;
import java.util.List;

/**
 * What happened in a race.
 *
 * @param finishes in the order of the answers
 * @param stored number of enrollments in the store
 */
record FinishedRace(List<Finish> finishes, Duration took, long stored) {

    /** A student's answer. */
    record Finish(int student, Answer answer) {}

    FinishedRace {
        finishes = List.copyOf(finishes);
    }

    /** The race as it was after a number of answers. */
    ShownRace after(int answers) {
        ShownRace shown = new ShownRace(ShownRace.READY.answers(), took, stored);
        for (Finish finish : finishes.subList(0, Math.min(answers, finishes.size()))) {
            shown = shown.with(finish.student(), finish.answer());
        }
        return shown;
    }
}
