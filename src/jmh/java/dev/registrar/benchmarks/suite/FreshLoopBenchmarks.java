package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.Row;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.StoredStates;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.Refusal;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * How long does the first decision of a fresh loop take, about a course with a long history? The call enrolls a
 * student. Of five events before it, three enroll students and two drop them. A fold before the measurement compiles
 * the code.
 */
@State(Scope.Benchmark)
public class FreshLoopBenchmarks {
    private static final int FRESHMEN = 10;
    private static final long PAUSE_NANOS = 10_000_000;

    /** The events of the course. */
    @Param("300000")
    int history;

    @Param("on")
    String states = "";

    private final MeterRegistry metrics = new SimpleMeterRegistry();
    private StoredStates stored = StoredStates.off();
    private int students;

    @Setup
    public void write(BenchmarkStore store) {
        EnrollmentEventCodec codec = new EnrollmentEventCodec();
        StoredEvents.write(
                store,
                Stream.of(
                                Stream.of(Contents.roomy(Contents.GROWING_COURSE)),
                                IntStream.range(0, FRESHMEN).mapToObj(Contents::freshmanRegistered),
                                IntStream.range(0, history).mapToObj(FreshLoopBenchmarks::event))
                        .flatMap(events -> events)
                        .map(event -> codec.encode(event).event()));
        if (states.equals("on")) {
            stored = StoredStates.in(store.store, metrics);
        }
        first(store);
        while (states.equals("on") && count("stored") == 0) {
            LockSupport.parkNanos(PAUSE_NANOS);
        }
    }

    private static EnrollmentEvent event(int number) {
        int other = FRESHMEN + number;
        return number % 5 >= 3
                ? new StudentDroppedCourse(Contents.freshman(other - 3), Contents.GROWING_COURSE)
                : new StudentEnrolledInCourse(Contents.freshman(other), Contents.GROWING_COURSE);
    }

    private double count(String result) {
        return metrics.find("registrar.decisions.states").tag("result", result).counters().stream()
                .mapToDouble(counter -> counter.count())
                .sum();
    }

    /** Fails if a call has folded all events although their state was stored. */
    @TearDown
    public void judge() {
        stored.close();
        Expected.events(states.equals("on") ? students - 1 : 0, (int) count("loaded"));
    }

    /** With stored states, a fold reads the first 2,000 events or so, and then those after the stored state. */
    @Row(value = "enrollment/fresh-loop states=off,on", on = "empty", by = "states=off", length = Row.Length.ONE_CALL)
    @Benchmark
    public Accepted<EnrollmentEvent, Refusal> first(BenchmarkStore store) {
        return BenchmarkStore.enroll(store.newLoop(stored), Contents.freshman(students++), Contents.GROWING_COURSE);
    }
}
