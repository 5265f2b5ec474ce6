package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What is the cost of an append in the caller's transaction? A caller inserts a row of its own and appends an event: in
 * one transaction, or in two of which the second is an ordinary append, which shares its commit with others.
 */
public class JoinedBenchmarks {
    private static final int CONNECTIONS = 16;

    /** The application's own table and connections. */
    @State(Scope.Benchmark)
    public static class Application {
        @Param("false")
        boolean joined;

        private HikariDataSource connections;

        @Setup
        public void open() {
            MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
            database.execute("create table benchmarks.bookings (id text primary key)");
            HikariConfig config = database.pool(CONNECTIONS);
            config.setAutoCommit(false);
            connections = new HikariDataSource(config);
        }

        @TearDown
        public void close() {
            connections.close();
        }

        private static void book(Connection connection, String id) throws SQLException {
            try (PreparedStatement statement =
                    connection.prepareStatement("insert into benchmarks.bookings (id) values (?)")) {
                statement.setString(1, id);
                Expected.events(1, statement.executeUpdate());
            }
        }
    }

    @Row("joined/two-transactions dataset=small callers=1,10")
    @Row(
            value = "joined/one-transaction dataset=small callers=1,10",
            with = "joined=true",
            by = "joined/two-transactions dataset=small")
    @Benchmark
    public Appended append(BenchmarkStore store, Application application, Caller caller) throws SQLException {
        Append request = Append.of(caller.events("joined", 1));
        try (Connection connection = application.connections.getConnection()) {
            Application.book(connection, caller.unique());
            if (application.joined) {
                Appended appended = appended(1, store.store.joining(connection).append(request));
                connection.commit();
                return appended;
            }
            connection.commit();
        }
        return appended(1, store.store.append(request));
    }
}
