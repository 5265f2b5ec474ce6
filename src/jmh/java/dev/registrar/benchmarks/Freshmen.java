package dev.registrar.benchmarks;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Hands out students without an enrollment, each once. */
@State(Scope.Benchmark)
public class Freshmen {
    private final AtomicInteger taken = new AtomicInteger();
    private int students;

    /** Reads the number of students in the database. */
    @Setup
    public void setUp() {
        students = MeasuredDatabase.ofThisProcess().contents().freshmen();
    }

    /** Returns the number of a student that was not handed out before. */
    public int next() {
        int freshman = taken.getAndIncrement();
        if (freshman >= students) {
            throw new IllegalStateException(
                    "All %s freshmen are enrolled: measure for a shorter time".formatted(students));
        }
        return freshman;
    }
}
