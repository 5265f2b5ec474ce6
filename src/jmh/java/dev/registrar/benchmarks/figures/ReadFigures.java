package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;
import static dev.registrar.benchmarks.figures.AllFigures.counted;
import static dev.registrar.benchmarks.figures.AllFigures.hyphenated;

import dev.registrar.benchmarks.Template;
import java.util.List;

/** Rows 7 and 9: short reads beside an empty round trip, and backward reads beside forward reads. */
final class ReadFigures {
    private ReadFigures() {}

    static List<Rotation> rotations() {
        return List.of(
                reads(1, Bar.atLeast(0.25, 0.35), Bar.atLeast(0.12, 0.2)),
                reads(10, Bar.atLeast(0.2, 0.3), Bar.atLeast(0.07, 0.12)),
                directions("course", "a course's 51 events"),
                directions("type", "the 10,000 events of a type"));
    }

    /* Row 7. */
    private static Rotation reads(int callers, Bar student, Bar course) {
        List<Trial> trials = List.of(
                JmhTrial.of("select", BaselineBenchmark.class, "select", callers),
                JmhTrial.of("read a student", ReadBenchmark.class, "readStudent", callers),
                JmhTrial.of("fold a course", ReadBenchmark.class, "foldCourse", callers));
        return new Rotation(
                trials,
                List.of(
                        new Figure(
                                "row07-read-student-" + hyphenated(callers),
                                "read a student's 6 events, " + counted(callers),
                                "read a student",
                                "select",
                                PER_SECOND,
                                student),
                        new Figure(
                                "row07-fold-course-" + hyphenated(callers),
                                "fold a course's 51 events, " + counted(callers),
                                "fold a course",
                                "select",
                                PER_SECOND,
                                course)));
    }

    /* Row 9. */
    private static Rotation directions(String what, String inWords) {
        String forwards = "forwards";
        String backwards = "backwards";
        return new Rotation(
                List.of(
                        JmhTrial.of(forwards, ReadBenchmark.class, what + "Forwards", 1)
                                .on(Template.MEDIUM),
                        JmhTrial.of(backwards, ReadBenchmark.class, what + "Backwards", 1)
                                .on(Template.MEDIUM)),
                List.of(new Figure(
                        "row09-%s-backwards".formatted(what),
                        "read %s backwards".formatted(inWords),
                        backwards,
                        forwards,
                        PER_SECOND,
                        Bar.atLeast(0.9, 1))));
    }
}
