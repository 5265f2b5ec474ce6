package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Tag;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** How many events of the prepared database have each tag, and how many register students. */
@State(Scope.Benchmark)
public class ExpectedCounts {
    private final Map<Tag, Integer> byTag = new HashMap<>();

    int students;

    @Setup
    public void count() {
        Contents contents = MeasuredDatabase.ofThisProcess().contents();
        students = contents.students();
        contents.events().flatMap(event -> event.tags().stream()).forEach(tag -> byTag.merge(tag, 1, Integer::sum));
    }

    int of(Tag tag) {
        return Objects.requireNonNull(byTag.get(tag), tag::toString);
    }
}
