package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;
import static dev.registrar.benchmarks.figures.AllFigures.counted;
import static dev.registrar.benchmarks.figures.AllFigures.hyphenated;

import dev.registrar.benchmarks.Template;
import dev.registrar.benchmarks.figures.JmhTrial.Measured;
import dev.registrar.dataset.DataSet;
import java.util.ArrayList;
import java.util.List;

/** Rows 5, 6, 8 and 14: stores of a million events and more. */
final class LargeStoreFigures {
    private static final String RARE = "the rare tag alone";

    private LargeStoreFigures() {}

    static List<Rotation> rotations(RunSettings settings) {
        List<Rotation> rotations = new ArrayList<>();
        for (int callers : new int[] {1, 100}) {
            rotations.add(manyEvents(new Growth("append-if", "appendIf", callers), settings.huge()));
            rotations.add(
                    manyEvents(new Growth("append-if-known-tags", "appendIfKnownTags", callers), settings.huge()));
        }
        rotations.add(hotTags());
        rotations.add(twoHotTags());
        rotations.add(everything());
        rotations.add(load(settings.smoke() ? DataSet.SMALL : DataSet.LARGE));
        return rotations;
    }

    /* Row 5. */
    private static Rotation manyEvents(Growth growth, boolean huge) {
        List<Trial> trials = new ArrayList<>(List.of(growth.trial(Growth.SMALL, Template.SMALL)));
        trials.add(growth.trial("1m", Template.LARGE));
        List<Figure> figures = new ArrayList<>(growth.figures("1m", Bar.atLeast(0.85, 1)));
        if (huge) {
            trials.add(growth.trial("10m", Template.HUGE));
            figures.addAll(growth.figures("10m", Bar.atLeast(0.6, 0.9)));
        }
        return new Rotation(trials, figures);
    }

    /** One kind of append in stores of several sizes. */
    private record Growth(String name, String method, int callers) {
        static final String SMALL = "30,500";

        Trial trial(String events, Template template) {
            return JmhTrial.of(reading(events), AppendBenchmark.class, method, callers)
                    .on(template)
                    .acrossACheckpoint();
        }

        List<Figure> figures(String events, Bar bar) {
            String id = "row05-%s-%s-%s".formatted(name, events, hyphenated(callers));
            String what = "%s at %s events, across a checkpoint, %s".formatted(name, events, counted(callers));
            return List.of(
                    new Figure(id, what, reading(events), reading(SMALL), PER_SECOND, bar),
                    new Figure(
                            id + "-wal-bytes",
                            what + ": WAL per event",
                            JmhTrial.walBytes(reading(events)),
                            JmhTrial.walBytes(reading(SMALL)),
                            "B",
                            Bar.SHOWN));
        }

        private String reading(String events) {
            return "%s at %s events".formatted(name, events);
        }
    }

    /* Row 6. */
    private static Rotation hotTags() {
        String what = "append-if on a tag of 500,000 events and one of 10";
        return new Rotation(
                List.of(
                        onHotTags(RARE, "rareTag"),
                        onHotTags("rare tag, hot tag", "rareTagThenHotTag"),
                        onHotTags("hot tag, rare tag", "hotTagThenRareTag")),
                List.of(
                        new Figure("row06-rare-tag-first", what, "rare tag, hot tag", RARE, "µs", Bar.atMost(2, 1.1)),
                        new Figure("row06-hot-tag-first", what, "hot tag, rare tag", RARE, "µs", Bar.atMost(2, 1.1))));
    }

    /* A separate rotation, because it may reach the statement time-out. */
    private static Rotation twoHotTags() {
        String subject = "two hot tags";
        return new Rotation(
                List.of(onHotTags(RARE, "rareTag"), onHotTags(subject, "twoHotTags")),
                List.of(new Figure(
                        "row06-two-hot-tags",
                        "append-if on two tags of 500,000 events each that never meet",
                        subject,
                        RARE,
                        "µs",
                        Bar.SHOWN)));
    }

    private static Trial onHotTags(String name, String method) {
        return JmhTrial.of(name, ConditionBenchmark.class, method, 1)
                .measuring(Measured.MICROSECONDS_PER_OPERATION)
                .on(Template.HOT);
    }

    /* Row 8. */
    private static Rotation everything() {
        return new Rotation(
                List.of(
                        new ProgramTrial(List.of("cursor"), ReadEverything.class, List.of("cursor"), Template.LARGE, 1),
                        new ProgramTrial(
                                List.of("stream", "heap growth"),
                                ReadEverything.class,
                                List.of("store"),
                                Template.LARGE,
                                1)),
                List.of(
                        new Figure(
                                "row08-read-everything",
                                "read all of 1,000,000 events as a stream",
                                "stream",
                                "cursor",
                                PER_SECOND,
                                Bar.atLeast(0.6, 0.9)),
                        new Figure(
                                "row08-heap-growth",
                                "heap while 1,000,000 events are read as a stream",
                                "heap growth",
                                null,
                                "MB",
                                Bar.atMost(32, 32))));
    }

    /* Row 14. */
    private static Rotation load(DataSet dataSet) {
        String load = "load";
        return new Rotation(
                List.of(new ProgramTrial(List.of(load), LoadDataSet.class, List.of(dataSet.name()), Template.EMPTY, 1)),
                List.of(new Figure("row14-load", "load 1,000,000 events", load, null, "s", Bar.atMost(45, 20))));
    }
}
