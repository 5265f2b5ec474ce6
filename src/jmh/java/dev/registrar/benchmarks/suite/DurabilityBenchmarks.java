package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Template;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
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

/**
 * What does durability cost? Compares commits that wait for the disk, like the service's, with commits that do not.
 * Store and events are those of a published benchmark: at first the store is empty; an event has one of five types and
 * two tags.
 */
public class DurabilityBenchmarks {

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (int events : new int[] {1, 5, 10}) {
            rows.add(row("append", events, true));
        }
        for (int events : new int[] {1, 2, 5, 10, 20, 50, 100}) {
            rows.add(row("append", events, false));
        }
        for (boolean flush : new boolean[] {true, false}) {
            rows.add(Row.of("durability/append-if", DurabilityBenchmarks.class, "appendIf")
                    .with("flush", flush)
                    .on(Template.EMPTY));
        }
        return rows;
    }

    private static Row row(String name, int events, boolean flush) {
        return Row.of("durability/" + name, DurabilityBenchmarks.class, name)
                .with("events", events)
                .with("flush", flush)
                .events(events)
                .on(Template.EMPTY);
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
        return appended(size.events, store.store.append(writer.orders(size.events)));
    }

    /** An event whose one tag is a new e-mail address, unless the store has such an event. */
    @Benchmark
    public Appended appendIf(Store store, Writer writer) {
        String address = "email:%s@example.org".formatted(writer.unique());
        Event registered = Event.of("StudentRegistered", "{\"value\":\"test\"}", address);
        AppendCondition unique = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(address)));
        return appended(1, store.store.append(List.of(registered), unique));
    }
}
