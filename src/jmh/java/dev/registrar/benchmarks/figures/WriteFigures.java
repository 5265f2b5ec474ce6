package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;
import static dev.registrar.benchmarks.figures.AllFigures.counted;
import static dev.registrar.benchmarks.figures.AllFigures.hyphenated;

import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.figures.JmhTrial.Measured;
import java.util.ArrayList;
import java.util.List;

/** Rows 1 to 4 and 10 to 13: appends and enrollments, beside plain inserts. */
final class WriteFigures {
    private static final String INSERT = "insert";
    private static final String APPEND = "append";
    private static final String APPEND_IF = "append-if";
    private static final String KNOWN_TAGS = "append-if-known-tags";
    private static final String ENROLL = "enroll";
    private static final String ONE_COURSE = "enroll in one course";

    private WriteFigures() {}

    static List<Rotation> rotations() {
        return List.of(
                oneCaller(),
                tenCallers(),
                manyCallers(),
                growth(),
                instances(APPEND),
                instances(APPEND_IF),
                allocation(),
                tail(),
                slowFlush(1),
                slowFlush(10),
                slowFlush(100));
    }

    /* Rows 1 and 3. */
    private static Rotation oneCaller() {
        Bar conditional = Bar.atLeast(0.5, 0.8);
        return new Rotation(
                List.copyOf(trials(1)),
                List.of(
                        byInsert("row01", APPEND, 1, Bar.atLeast(0.65, 0.9)),
                        byInsert("row01", APPEND_IF, 1, conditional),
                        byInsert("row01", KNOWN_TAGS, 1, conditional),
                        byInsert("row03", ENROLL, 1, Bar.atLeast(0.15, 0.4))));
    }

    /* Row 2. */
    private static Rotation tenCallers() {
        Bar each = Bar.atLeast(0.9, 1.1);
        return new Rotation(
                List.copyOf(trials(10)),
                List.of(
                        byInsert("row02", APPEND, 10, each),
                        byInsert("row02", APPEND_IF, 10, each),
                        byInsert("row02", KNOWN_TAGS, 10, each)));
    }

    /* Rows 2, 3 and 4. */
    private static Rotation manyCallers() {
        List<Trial> trials = new ArrayList<>(trials(100));
        trials.add(JmhTrial.of(ONE_COURSE, EnrollBenchmark.class, "enrollOneCourse", 100)
                .on(Template.FRESHMEN));
        Bar each = Bar.atLeast(1, 1.7);
        return new Rotation(
                trials,
                List.of(
                        byInsert("row02", APPEND, 100, each),
                        byInsert("row02", APPEND_IF, 100, each),
                        byInsert("row02", KNOWN_TAGS, 100, each),
                        byInsert("row03", ENROLL, 100, Bar.atLeast(0.25, 0.8)),
                        new Figure(
                                "row04-one-course-100-callers",
                                "enroll in one course with room for all, 100 callers",
                                ONE_COURSE,
                                ENROLL,
                                PER_SECOND,
                                Bar.atLeast(0.5, 1))));
    }

    private static List<JmhTrial> trials(int callers) {
        return List.of(
                JmhTrial.of(INSERT, BaselineBenchmark.class, "insert", callers),
                JmhTrial.of(APPEND, AppendBenchmark.class, "append", callers),
                JmhTrial.of(APPEND_IF, AppendBenchmark.class, "appendIf", callers),
                JmhTrial.of(KNOWN_TAGS, AppendBenchmark.class, "appendIfKnownTags", callers),
                JmhTrial.of(ENROLL, EnrollBenchmark.class, "enroll", callers));
    }

    private static Figure byInsert(String row, String subject, int callers, Bar bar) {
        String what = "%s, %s".formatted(subject, counted(callers));
        return new Figure(
                "%s-%s-%s".formatted(row, subject, hyphenated(callers)), what, subject, INSERT, PER_SECOND, bar);
    }

    /* Row 4, as the course grows. */
    private static Rotation growth() {
        String first = "its first thousand";
        String last = "its last thousand";
        return new Rotation(
                List.of(new ProgramTrial(List.of(first, last), CourseGrowth.class, List.of(), Template.FRESHMEN, 1)),
                List.of(new Figure(
                        "row04-growing-course-100-callers",
                        "enroll in one course that grows from 0 to 20,000 students, 100 callers",
                        last,
                        first,
                        PER_SECOND,
                        Bar.atLeast(0.8, 1))));
    }

    /* Row 10. */
    private static Rotation instances(String subject) {
        String one = "%s, one process with 100 callers".formatted(subject);
        String two = "%s, two processes with 50 each".formatted(subject);
        Class<?> program = AppendingProgram.class;
        return new Rotation(
                List.of(
                        new ProgramTrial(List.of(one), program, List.of(subject, "100"), Template.SMALL, 1),
                        new ProgramTrial(List.of(two), program, List.of(subject, "50"), Template.SMALL, 2)),
                List.of(new Figure(
                        "row10-%s-two-processes".formatted(subject),
                        "two instances at once, %s, 100 callers in all".formatted(subject),
                        two,
                        one,
                        PER_SECOND,
                        Bar.atLeast(0.9, 1.2))));
    }

    /* Row 11. */
    private static Rotation allocation() {
        String allocated = "allocated per append-if";
        Trial trial =
                JmhTrial.of(allocated, AppendBenchmark.class, "appendIf", 100).measuring(Measured.BYTES_PER_OPERATION);
        return new Rotation(
                List.of(trial),
                List.of(new Figure(
                        "row11-allocation-100-callers",
                        "heap allocated for an append-if, 100 callers",
                        allocated,
                        null,
                        "B",
                        Bar.atMost(6_144, 2_048))));
    }

    /* Row 12. */
    private static Rotation tail() {
        Trial trial = JmhTrial.of(APPEND_IF, AppendBenchmark.class, "appendIf", 100)
                .measuring(Measured.MEDIAN_AND_99TH_PERCENTILE);
        return new Rotation(
                List.of(trial),
                List.of(new Figure(
                        "row12-tail-100-callers",
                        "latency of append-if, 100 callers",
                        JmhTrial.percentile99(APPEND_IF),
                        JmhTrial.median(APPEND_IF),
                        "µs",
                        Bar.atMost(4, 2))));
    }

    /* Row 13. */
    private static Rotation slowFlush(int callers) {
        Bar conditional = callers == 100 ? Bar.atLeast(0.7, 1) : Bar.SHOWN;
        return new Rotation(
                List.copyOf(
                        trials(callers).stream().map(JmhTrial::flushingSlowly).toList()),
                List.of(
                        byInsert("row13-slow-flush", APPEND, callers, Bar.SHOWN),
                        byInsert("row13-slow-flush", APPEND_IF, callers, conditional),
                        byInsert("row13-slow-flush", KNOWN_TAGS, callers, conditional),
                        byInsert("row13-slow-flush", ENROLL, callers, Bar.SHOWN)));
    }
}
