package dev.registrar.benchmarks.figures;

import static dev.registrar.benchmarks.figures.AllFigures.PER_SECOND;
import static dev.registrar.benchmarks.figures.AllFigures.counted;
import static dev.registrar.benchmarks.figures.AllFigures.hyphenated;

import dev.registrar.benchmarks.Template;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What resilience costs: circuit breaker, retry, bulkheads, deadlines; the first requests; imports beside enrollments;
 * access tokens; the contention recorder.
 */
final class ServiceFigures {
    private static final String MICROSECONDS = "µs";

    /**
     * As long as the statement time-out. The store sends a deadline to the server only if it is shorter than half of
     * that.
     */
    private static final Duration FULL_DEADLINE = Duration.ofSeconds(10);

    private static final Duration SHORT_DEADLINE = Duration.ofSeconds(5);

    private ServiceFigures() {}

    static List<Rotation> rotations() {
        List<Rotation> rotations = new ArrayList<>();
        for (int callers : new int[] {1, 10, 100}) {
            rotations.add(protection(callers));
        }
        rotations.add(selects("light", 1, 1_000, 10));
        rotations.add(selects("medium", 1, 5_000, 50));
        rotations.add(selects("heavy", 1, 10_000, 100));
        rotations.add(selects("sustained", 10, 10_000, 100));
        rotations.add(selects(
                "short-deadline",
                "select 1 through the store's guards with a deadline that is sent to the server",
                1,
                5_000,
                50,
                SHORT_DEADLINE,
                Bar.SHOWN));
        rotations.add(firstRequests());
        rotations.add(imports());
        rotations.add(tokens());
        rotations.add(recorder());
        return rotations;
    }

    private static Rotation protection(int callers) {
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(ProtectedAppends.UNPROTECTED, ProtectedAppends.PROTECTED),
                        ProtectedAppends.class,
                        List.of(Integer.toString(callers)),
                        Template.SMALL,
                        1)),
                List.of(new Figure(
                        "service-append-if-" + hyphenated(callers),
                        "append-if with deadline, breaker and retry, " + counted(callers),
                        ProtectedAppends.PROTECTED,
                        ProtectedAppends.UNPROTECTED,
                        PER_SECOND,
                        Bar.atLeast(0.97, 1))));
    }

    private static Rotation selects(String name, int batches, int selects, int callers) {
        return selects(
                name,
                "select 1 through the store's guards",
                batches,
                selects,
                callers,
                FULL_DEADLINE,
                Bar.atLeast(0.97, 1));
    }

    private static Rotation selects(
            String name, String question, int batches, int selects, int callers, Duration deadline, Bar bar) {
        String load = String.format(
                Locale.ROOT,
                "%s%,d at a time by %s",
                batches == 1 ? "" : batches + " batches of ",
                selects,
                counted(callers));
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(SelectBatches.BARE, SelectBatches.GUARDED),
                        SelectBatches.class,
                        List.of(
                                Integer.toString(batches),
                                Integer.toString(selects),
                                Integer.toString(callers),
                                deadline.toString()),
                        Template.EMPTY,
                        1)),
                List.of(new Figure(
                        "service-select-" + name,
                        question + ", " + load,
                        SelectBatches.GUARDED,
                        SelectBatches.BARE,
                        PER_SECOND,
                        bar)));
    }

    private static Rotation firstRequests() {
        return new Rotation(
                List.of(starting("warm", true), starting("cold", false)),
                List.of(
                        new Figure(
                                "service-first-request",
                                "the first request after readiness",
                                "warm, first",
                                "warm, median afterwards",
                                MICROSECONDS,
                                Bar.atMost(5, 2)),
                        new Figure(
                                "service-first-request-without-warm-up",
                                "the first request after readiness, without warm-up",
                                "cold, first",
                                "cold, median afterwards",
                                MICROSECONDS,
                                Bar.SHOWN),
                        new Figure(
                                "service-first-ten-seconds",
                                "requests in the first ten seconds, 10 callers",
                                "warm, in the first ten seconds",
                                "cold, in the first ten seconds",
                                "requests",
                                Bar.SHOWN)));
    }

    private static ProgramTrial starting(String name, boolean warmUp) {
        return new ProgramTrial(
                List.of(name + ", first", name + ", in the first ten seconds", name + ", median afterwards"),
                FirstRequests.class,
                List.of(Boolean.toString(warmUp)),
                Template.SMALL,
                1);
    }

    private static Rotation tokens() {
        int callers = 10;
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(AppendsWithToken.LOCAL, AppendsWithToken.TOKEN),
                        AppendsWithToken.class,
                        List.of(Integer.toString(callers)),
                        Template.SMALL,
                        1)),
                List.of(new Figure(
                        "service-token",
                        "append-if over HTTP with an access token, " + counted(callers),
                        AppendsWithToken.TOKEN,
                        AppendsWithToken.LOCAL,
                        PER_SECOND,
                        Bar.atLeast(0.95, 1))));
    }

    private static Rotation recorder() {
        int callers = 100;
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(RecordedContention.OFF, RecordedContention.ON),
                        RecordedContention.class,
                        List.of(Integer.toString(callers)),
                        Template.FRESHMEN,
                        1)),
                List.of(new Figure(
                        "contention-recorder",
                        "enroll in one course through two loops that conflict, with the contention recorder, "
                                + counted(callers),
                        RecordedContention.ON,
                        RecordedContention.OFF,
                        PER_SECOND,
                        Bar.atLeast(0.97, 1))));
    }

    private static Rotation imports() {
        String alone = "99th percentile alone";
        String during = "99th percentile during an import";
        return new Rotation(
                List.of(new ProgramTrial(
                        List.of(alone, during), EnrollmentsDuringImport.class, List.of(), Template.SMALL, 1)),
                List.of(new Figure(
                        "service-enroll-during-import",
                        "enrollments over HTTP while 10,000 courses are imported",
                        during,
                        alone,
                        MICROSECONDS,
                        Bar.atMost(1.5, 1.1))));
    }
}
