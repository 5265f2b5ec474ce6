package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;
import static dev.registrar.benchmarks.figures.AllFigures.counted;
import static dev.registrar.benchmarks.figures.AllFigures.hyphenated;

import dev.registrar.benchmarks.Template;
import dev.registrar.eventstore.KebabCase;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Short reads beside an empty round trip, backward reads beside forward reads, and queries by several tags. */
final class ReadFigures {
    private ReadFigures() {}

    static List<Rotation> rotations() {
        return List.of(
                reads(1, Bar.atLeast(0.25, 0.35), Bar.atLeast(0.12, 0.2)),
                reads(10, Bar.atLeast(0.2, 0.3), Bar.atLeast(0.07, 0.12)),
                directions("course", "a course's 51 events"),
                directions("type", "the 10,000 events of a type"),
                severalTags(2_000),
                severalTags(100_000),
                severalTags(1_000_000));
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

    /* The program prepares its store itself, since no other figure needs these tags. */
    private static Rotation severalTags(int stored) {
        List<Figure> figures = new ArrayList<>();
        for (QueriesBySeveralTags.Tags tags : QueriesBySeveralTags.Tags.values()) {
            for (QueriesBySeveralTags.Way way : QueriesBySeveralTags.Way.values()) {
                figures.add(new Figure(
                        "several-tags-%s-%s-%s".formatted(stored, KebabCase.of(way), KebabCase.of(tags)),
                        String.format(Locale.ROOT, "%s, in a store of %,d events", way.subject(tags), stored),
                        way.subject(tags),
                        way.baseline(tags),
                        "µs",
                        Bar.atMost(1.5, 1)));
            }
        }
        return new Rotation(
                List.of(new ProgramTrial(
                        QueriesBySeveralTags.readings(),
                        QueriesBySeveralTags.class,
                        List.of(Integer.toString(stored)),
                        Template.EMPTY,
                        1)),
                figures);
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
