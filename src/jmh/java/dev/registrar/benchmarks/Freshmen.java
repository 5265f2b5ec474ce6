package dev.registrar.benchmarks;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Students who are enrolled nowhere yet, one after another. */
@State(Scope.Benchmark)
public class Freshmen {
    private final AtomicInteger taken = new AtomicInteger();
    private int students;

    /** Counts them. */
    @Setup
    public void setUp() {
        students = MeasuredDatabase.ofThisProcess().contents().freshmen();
    }

    /** The number of one whom nobody was given yet. */
    public int next() {
        int freshman = taken.getAndIncrement();
        if (freshman >= students) {
            throw new IllegalStateException(
                    "All %d freshmen are enrolled: measure for a shorter time".formatted(students));
        }
        return freshman;
    }
}
