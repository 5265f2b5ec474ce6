package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.AppendResult.Appended;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What does durability cost? Compares commits that wait for the disk, like the service's, with commits that do not. */
public class DurabilityBenchmarks {

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int events : new int[] {1, 5, 10}) {
            for (boolean flush : new boolean[] {true, false}) {
                rows.add(Row.of("durability/append", DurabilityBenchmarks.class, "append")
                        .with("events", events)
                        .with("flush", flush)
                        .events(events));
            }
        }
        return rows;
    }

    /** A store whose commits wait for the disk or do not. */
    @State(Scope.Benchmark)
    public static class Store extends BenchmarkStore {
        @Param("true")
        boolean flush;

        @Setup
        @Override
        public void open() {
            try (Connection connection = MeasuredDatabase.ofThisProcess().connect();
                    Statement statement = connection.createStatement()) {
                statement.execute("alter database %s set synchronous_commit = %s"
                        .formatted(connection.getCatalog(), flush ? "on" : "off"));
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
            super.open();
            expect(flush ? "on" : "off");
        }

        private static void expect(String synchronousCommit) {
            try (Connection connection = MeasuredDatabase.ofThisProcess().connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select current_setting('synchronous_commit')")) {
                row.next();
                if (!row.getString(1).equals(synchronousCommit)) {
                    throw new IllegalStateException("Sessions see synchronous_commit = " + row.getString(1));
                }
            } catch (SQLException failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    @Benchmark
    public Appended append(Store store, Writer writer, AppendBenchmarks.Size size) {
        return appended(size.events, store.store.append(writer.events("flush", size.events)));
    }
}
