package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;

import dev.registrar.benchmarks.Template;
import java.util.List;

/** The cost of views, and their delay. */
final class ViewFigures {
    private static final String MICROSECONDS = "µs";
    private static final int STEADY = 3_000;

    private ViewFigures() {}

    static List<Rotation> rotations() {
        return List.of(delay(), rebuild(), appends(), steady());
    }

    private static Rotation delay() {
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(ViewDelay.APPEND_MEDIAN, ViewDelay.DELAY_MEDIAN, ViewDelay.DELAY_P99),
                        ViewDelay.class,
                        List.of(),
                        Template.SMALL,
                        1)),
                List.of(
                        new Figure(
                                "view-delay-median",
                                "from commit to the view, light load",
                                ViewDelay.DELAY_MEDIAN,
                                ViewDelay.APPEND_MEDIAN,
                                MICROSECONDS,
                                Bar.SHOWN),
                        new Figure(
                                "view-delay-p99",
                                "from commit to the view, light load, p99",
                                ViewDelay.DELAY_P99,
                                ViewDelay.APPEND_MEDIAN,
                                MICROSECONDS,
                                Bar.SHOWN)));
    }

    private static Rotation rebuild() {
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(ViewRebuild.READ, ViewRebuild.APPLIED),
                        ViewRebuild.class,
                        List.of(),
                        Template.LARGE,
                        1)),
                List.of(new Figure(
                        "view-rebuild",
                        "a rebuild of the courses, beside only reading the events",
                        ViewRebuild.APPLIED,
                        ViewRebuild.READ,
                        PER_SECOND,
                        Bar.SHOWN)));
    }

    private static Rotation appends() {
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(AppendsBesideViews.WITHOUT, AppendsBesideViews.WITH),
                        AppendsBesideViews.class,
                        List.of("100"),
                        Template.SMALL,
                        1)),
                List.of(new Figure(
                        "view-append-if",
                        "append-if of events that no view reads, all views live, 100 callers",
                        AppendsBesideViews.WITH,
                        AppendsBesideViews.WITHOUT,
                        PER_SECOND,
                        Bar.atLeast(0.9, 1))));
    }

    private static Rotation steady() {
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(
                                SteadyEnrollments.ALONE_P99,
                                SteadyEnrollments.LIVE_P99,
                                SteadyEnrollments.LAG_P99,
                                SteadyEnrollments.RATE),
                        SteadyEnrollments.class,
                        List.of(Integer.toString(STEADY)),
                        Template.SMALL,
                        1)),
                List.of(
                        new Figure(
                                "view-steady-append",
                                "p99 of an append at 3,000 enrollments a second, all views live",
                                SteadyEnrollments.LIVE_P99,
                                SteadyEnrollments.ALONE_P99,
                                MICROSECONDS,
                                Bar.atMost(1.5, 1.2)),
                        new Figure(
                                "view-steady-lag",
                                "how far the slowest view is behind at 3,000 enrollments a second, p99",
                                SteadyEnrollments.LAG_P99,
                                SteadyEnrollments.LIVE_P99,
                                MICROSECONDS,
                                Bar.SHOWN)));
    }
}
