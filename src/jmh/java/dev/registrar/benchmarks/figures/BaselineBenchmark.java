package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Caller;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.openjdk.jmh.annotations.Benchmark;

/**
 * The baselines: the same driver on the same database without the store.
 *
 * <p>{@code insert} is a prepared single-row insert per transaction, of the event that an append stores, into a table
 * whose only index is its identity primary key. {@code select} is a round trip that reads nothing. Each runs in turns
 * with its subjects: {@code mvn -q process-test-classes exec:exec -Dprogram=figures.Figures -Dselect=row0[17]}.
 */
public class BaselineBenchmark {
    private static final String INSERT = """
            insert into benchmarks.bare_events (type, tags, payload, metadata)
            values (?, ?, ?, ?)""";

    @Benchmark
    public int insert(BaselinePool pool, Caller caller) throws SQLException {
        Event event = caller.newStudentEnrolled();
        try (Connection connection = pool.connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(INSERT)) {
            statement.setString(1, event.type());
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text", event.tags().stream().map(Tag::value).toArray()));
            statement.setString(3, event.payload());
            statement.setString(4, event.metadata());
            return expect(1, statement.executeUpdate());
        }
    }

    @Benchmark
    public int select(BaselinePool pool) throws SQLException {
        try (Connection connection = pool.connections.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return expect(1, row.getInt(1));
        }
    }

    private static int expect(int expected, int actual) {
        if (actual != expected) {
            throw new IllegalStateException("Expected %s but got %s".formatted(expected, actual));
        }
        return actual;
    }
}
