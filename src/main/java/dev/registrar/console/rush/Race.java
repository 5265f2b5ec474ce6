package dev.registrar.console.rush;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * A race of {@value #STUDENTS} students for {@value #SEATS} seats, up to one of its answers.
 *
 * @param finishes in the order of the answers
 * @param took how long the whole race took
 * @param stored number of enrollments in the store after the whole race
 */
record Race(List<Finish> finishes, Duration took, long stored) {
    static final int STUDENTS = 100;
    static final int SEATS = 10;

    /** The race before the first answer. */
    static final Race READY = new Race(List.of(), Duration.ZERO, 0);

    Race {
        finishes = List.copyOf(finishes);
    }

    /** A student's answer. */
    record Finish(int student, Answer answer) {}

    /** What a student knows, as a page shows it. */
    enum Answer {
        WAITING("", ""),
        ENROLLED("in", "✓"),
        /** Enrolled, although all seats were taken. */
        OVERBOOKED("over", "!"),
        /** The course was full. */
        FULL("out", "–"),
        /** Neither: too many conflicts, or a failure. */
        FAILED("over", "?");

        private final String style;
        private final String sign;

        Answer(String style, String sign) {
            this.style = style;
            this.sign = sign;
        }

        public String style() {
            return style;
        }

        /** A sign that differs without colour. */
        public String sign() {
            return sign;
        }
    }

    /** The race up to this number of answers. */
    Race after(int answers) {
        return new Race(finishes.subList(0, Math.min(answers, finishes.size())), took, stored);
    }

    /** What each student knows. */
    public List<Answer> marks() {
        List<Answer> marks = new ArrayList<>(Collections.nCopies(STUDENTS, Answer.WAITING));
        int enrolled = 0;
        for (Finish finish : finishes) {
            boolean isOverbooked = finish.answer() == Answer.ENROLLED && ++enrolled > SEATS;
            marks.set(finish.student(), isOverbooked ? Answer.OVERBOOKED : finish.answer());
        }
        return marks;
    }

    private long count(Answer wanted) {
        return marks().stream().filter(answer -> answer == wanted).count();
    }

    /** The race in a sentence. */
    public String summary() {
        if (finishes.isEmpty()) {
            return "%s students wait for the start.".formatted(STUDENTS);
        }
        long overbooked = count(Answer.OVERBOOKED);
        long failed = count(Answer.FAILED);
        return "%s enrolled in %s seats%s. %s told “full”.%s"
                .formatted(
                        count(Answer.ENROLLED) + overbooked,
                        SEATS,
                        overbooked > 0 ? ": overbooked by %s".formatted(overbooked) : "",
                        count(Answer.FULL),
                        failed > 0 ? " %s without an answer.".formatted(failed) : "");
    }

    /** The time of the race, and what the store has; empty while it is not over. */
    public String check() {
        return finishes.size() < STUDENTS
                ? ""
                : "The race took %s ms. The store has %s enrollments of this course."
                        .formatted(took.toMillis(), stored);
    }
}
