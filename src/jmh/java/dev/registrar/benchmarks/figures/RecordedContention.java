package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.RetryBounds;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * What does it cost to record where decisions compete? Enrollments in one course through two decision loops, which
 * conflict with each other as two instances of the service do. Loops that record and loops that do not take turns, each
 * with a course and students of its own: in a shared course the loops of one turn would have to read first what those
 * of the other turn had appended, so the faster variant would slow the other one down.
 *
 * <p>{@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=contention-recorder}
 */
final class RecordedContention {
    static final String OFF = "enroll in one course, not recorded";
    static final String ON = "enroll in one course, recorded";

    private static final long TURN = TimeUnit.MILLISECONDS.toNanos(300);
    private static final long CACHED_STATES = 50_000;
    private static final int NO_LIMIT = Integer.MAX_VALUE;

    private final List<DecisionLoop<EnrollmentEvent>> loops;
    private final CourseId course;
    private final int callers;
    private final AtomicInteger next;
    private final int end;

    /* The variant enrolls the freshmen from the first one to before the end. */
    private RecordedContention(
            List<DecisionLoop<EnrollmentEvent>> loops, CourseId course, int callers, int first, int end) {
        this.loops = loops;
        this.course = course;
        this.callers = callers;
        this.next = new AtomicInteger(first);
        this.end = end;
    }

    /** Takes the number of callers. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
        int callers = settings.callers(Integer.parseInt(arguments[0]));
        int freshmen = database.contents().freshmen();
        int half = freshmen / 2;
        try (BenchmarkStore opened = BenchmarkStore.on(database)) {
            List<DecisionLoop<EnrollmentEvent>> recorded =
                    loops(opened, new ContentionRecorder(InstantSource.system()));
            RecordedContention off = new RecordedContention(
                    loops(opened, ContentionRecorder.off()), Contents.courseFor(0), callers, 0, half);
            RecordedContention on =
                    new RecordedContention(recorded, Contents.courseFor(freshmen), callers, half, freshmen);
            Turn.measure(settings, new Turn(OFF, off::run), new Turn(ON, on::run));
            if (recorded.getFirst().contention().stream().noneMatch(item -> item.conflicts() > 0)) {
                throw new IllegalStateException("No enrollment conflicted with another one, so nothing was recorded");
            }
        }
    }

    private static List<DecisionLoop<EnrollmentEvent>> loops(BenchmarkStore opened, ContentionRecorder recorder) {
        return List.of(loop(opened, recorder), loop(opened, recorder));
    }

    private static DecisionLoop<EnrollmentEvent> loop(BenchmarkStore opened, ContentionRecorder recorder) {
        return new DecisionLoop<>(
                opened.store,
                new EnrollmentEventCodec(),
                RetryBounds.DEFAULT,
                CACHED_STATES,
                InstantSource.system(),
                recorder);
    }

    private long run() throws ExecutionException, InterruptedException {
        long deadline = System.nanoTime() + TURN;
        AtomicInteger enrolled = new AtomicInteger();
        Callers.run(callers, number -> {
            DecisionLoop<EnrollmentEvent> loop = loops.get(number % loops.size());
            do {
                enroll(loop);
                enrolled.incrementAndGet();
            } while (System.nanoTime() < deadline);
        });
        return enrolled.get();
    }

    private void enroll(DecisionLoop<EnrollmentEvent> loop) {
        int freshman = next.getAndIncrement();
        if (freshman >= end) {
            throw new IllegalStateException("All students are enrolled; measure for a shorter time");
        }
        EnrollStudent command = new EnrollStudent(Contents.freshman(freshman), course, NO_LIMIT);
        if (!(loop.execute(command) instanceof Accepted)) {
            throw new IllegalStateException("%s was not accepted".formatted(command));
        }
    }
}
