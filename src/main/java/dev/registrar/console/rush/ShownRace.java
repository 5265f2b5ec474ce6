package dev.registrar.console.rush;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A race as a page shows it.
 *
 * @param answers one for each student
 * @param took how long the race took; null while it is not over
 * @param stored number of enrollments in the store after the race; null while it is not over
 */
record ShownRace(
        List<Answer> answers,
        @Nullable Duration took,
        @Nullable Long stored) {
    static final int STUDENTS = 100;
    static final int SEATS = 10;

    /** The race before the first answer. */
    static final ShownRace READY = new ShownRace(Collections.nCopies(STUDENTS, Answer.WAITING), null, null);

    ShownRace {
        answers = List.copyOf(answers);
    }

    /**
     * A student as a page shows it.
     *
     * @param sign that differs without colour
     */
    public record Mark(String style, String sign) {}

    /** The marks of all students. */
    public List<Mark> marks() {
        return answers.stream()
                .map(answer -> switch (answer) {
                    case WAITING -> new Mark("", "");
                    case ENROLLED -> new Mark("in", "✓");
                    case OVERBOOKED -> new Mark("over", "!");
                    case FULL -> new Mark("out", "–");
                    case FAILED -> new Mark("over", "?");
                })
                .toList();
    }

    public long enrolled() {
        return count(Answer.ENROLLED) + overbooked();
    }

    public long full() {
        return count(Answer.FULL);
    }

    private long count(Answer wanted) {
        return answers.stream().filter(answer -> answer == wanted).count();
    }

    /** Number of students without a seat who are enrolled nevertheless. */
    public long overbooked() {
        return count(Answer.OVERBOOKED);
    }

    public boolean isOver() {
        return !answers.contains(Answer.WAITING);
    }

    /** The race in a sentence. */
    public String summary() {
        if (answers.stream().allMatch(answer -> answer == Answer.WAITING)) {
            return "%d students wait for the start.".formatted(STUDENTS);
        }
        long failed = count(Answer.FAILED);
        return "%d enrolled in %d seats%s. %d told “full”.%s"
                .formatted(
                        enrolled(),
                        SEATS,
                        overbooked() > 0 ? ": overbooked by %d".formatted(overbooked()) : "",
                        full(),
                        failed > 0 ? " %d without an answer.".formatted(failed) : "");
    }

    /** The time of the race, and what the store has; empty while it is not over. */
    public String check() {
        return took == null || !isOver()
                ? ""
                : "The race took %d ms. The store has %d enrollments of this course."
                        .formatted(took.toMillis(), stored);
    }

    /** The race after one more answer. */
    ShownRace with(int student, Answer answer) {
        List<Answer> next = new ArrayList<>(answers);
        next.set(student, answer == Answer.ENROLLED && enrolled() >= SEATS ? Answer.OVERBOOKED : answer);
        return new ShownRace(next, took, stored);
    }
}
