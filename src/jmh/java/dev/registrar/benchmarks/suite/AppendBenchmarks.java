package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Template;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/** How fast are appends without a condition? Each is on disk when the call returns. */
public class AppendBenchmarks {
    private static final int SENSOR_READINGS = 50;

    static List<Row> rows(List<Template> dataSets) {
        List<Row> rows = new ArrayList<>();
        for (Template data : dataSets) {
            rows.add(row("single").on(data));
            rows.add(row("realistic").events(Writer.realisticMean()).on(data));
        }
        rows.add(row("mixed-types", "mixedTypes").events(Writer.mixedTypesCount()));
        rows.add(row("high-frequency", "highFrequency").events(SENSOR_READINGS));
        for (int events : new int[] {2, 5, 10, 20, 50, 100, 1000}) {
            rows.add(row("batch").with("events", events).events(events));
        }
        for (Template data : dataSets) {
            for (int events : new int[] {1, 100}) {
                for (int callers : new int[] {1, 10, 100}) {
                    rows.add(row("concurrent", "batch")
                            .with("events", events)
                            .events(events)
                            .by(callers)
                            .on(data));
                }
            }
        }
        return rows;
    }

    private static Row row(String method) {
        return row(method, method);
    }

    private static Row row(String name, String method) {
        return Row.of("append/" + name, AppendBenchmarks.class, method);
    }

    /** The number of events per append. */
    @State(Scope.Benchmark)
    public static class Size {
        @Param("1")
        int events;
    }

    @Benchmark
    public Appended single(BenchmarkStore store, Writer writer) {
        return appended(1, store.store.append(writer.events("single", 1)));
    }

    @Benchmark
    public Appended realistic(BenchmarkStore store, Writer writer) {
        List<Event> events = writer.realistic();
        return appended(events.size(), store.store.append(events));
    }

    @Benchmark
    public Appended mixedTypes(BenchmarkStore store, Writer writer) {
        return appended(Writer.mixedTypesCount(), store.store.append(writer.mixedTypes()));
    }

    @Benchmark
    public Appended highFrequency(BenchmarkStore store, Writer writer) {
        return appended(SENSOR_READINGS, store.store.append(writer.sensorReadings(SENSOR_READINGS)));
    }

    @Benchmark
    public Appended batch(BenchmarkStore store, Writer writer, Size size) {
        return appended(size.events, store.store.append(writer.events("batch", size.events)));
    }
}
