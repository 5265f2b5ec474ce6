package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What do one lock and group commit gain over other strategies, and what do they cost compared with no protection? Each
 * strategy makes the same conditional append of the same event. All but the last use one transaction per append, in
 * sessions with the store's settings. The transaction takes the strategy's lock, if any, searches for events that the
 * condition forbids, and inserts the event and its tags, each with a prepared statement. Positions come from a
 * sequence, so that readers can miss events; the cost of preventing that is not included.
 */
public class AblationBenchmarks {
    private static final int CONNECTIONS = 16;
    private static final String SERIALIZATION_FAILURE = "40001";
    private static final String DEADLOCK = "40P01";

    /** The protection of conditions against concurrent appends. */
    enum Strategy {
        /** No protection. */
        READ_COMMITTED(null),
        /** No protection: a snapshot shows no event that is committed later. */
        REPEATABLE_READ(null),
        /** PostgreSQL detects the conflict at commit, and the append is repeated. */
        SERIALIZABLE(null),
        TABLE_LOCK("lock table registrar.events in exclusive mode"),
        ONE_ADVISORY_LOCK("select pg_advisory_xact_lock(1, 1) is not null"),
        /** One lock for each tag, in the order of their keys. */
        ADVISORY_LOCK_PER_TAG("""
                select count(pg_advisory_xact_lock(2, key) is not null)
                from (select hashtext(tag) as key from unnest(?) tag order by key) ordered""");

        private final @Nullable String lock;

        Strategy(@Nullable String lock) {
            this.lock = lock;
        }

        String isolation() {
            return "TRANSACTION_" + (this == REPEATABLE_READ || this == SERIALIZABLE ? this : READ_COMMITTED);
        }
    }

    /** The strategy's connections, each with its statements prepared by the driver. */
    @State(Scope.Benchmark)
    public static class Transactions {
        private static final String FORBIDDEN = """
                select exists (
                    select
                    from registrar.event_tags first
                    join registrar.event_tags second using (position)
                    where first.tag = ? and second.tag = ? and first.type = ?
                )""";
        private static final String INSERT = """
                with appended as (
                    insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata)
                    values (nextval('benchmarks.ablation'), now(), ?, 400, ?, ?, ?, ?)
                    returning position, type, tags
                )
                insert into registrar.event_tags (tag, position, type)
                select unnest(tags), position, type from appended""";

        @Param("serializable")
        String strategy = "";

        private Strategy chosen;
        private HikariDataSource connections;

        @Setup
        public void open() {
            chosen = KebabCase.parse(Strategy.class, strategy);
            MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
            database.execute("create sequence benchmarks.ablation start 1000000000");
            HikariConfig config = database.pool(CONNECTIONS);
            config.setAutoCommit(false);
            config.setTransactionIsolation(chosen.isolation());
            config.setConnectionInitSql(StoreDatabase.sessionSettings());
            connections = new HikariDataSource(config);
        }

        @TearDown
        public void close() {
            connections.close();
        }

        /** Appends an event unless the store has such an event. Repeats on a serialization failure or deadlock. */
        int append(Event event) throws SQLException {
            while (true) {
                try (Connection connection = connections.getConnection()) {
                    try {
                        int rows = append(event, connection);
                        connection.commit();
                        return rows;
                    } catch (SQLException failure) {
                        connection.rollback();
                        if (!isTransient(failure)) {
                            throw failure;
                        }
                    }
                }
            }
        }

        private int append(Event event, Connection connection) throws SQLException {
            String[] tags = event.tags().stream().map(Tag::value).toArray(String[]::new);
            String lock = chosen.lock;
            if (lock != null) {
                try (PreparedStatement statement = connection.prepareStatement(lock)) {
                    if (chosen == Strategy.ADVISORY_LOCK_PER_TAG) {
                        statement.setArray(1, connection.createArrayOf("text", tags));
                    }
                    statement.execute();
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(FORBIDDEN)) {
                statement.setString(1, tags[0]);
                statement.setString(2, tags[1]);
                statement.setString(3, event.type());
                try (ResultSet row = statement.executeQuery()) {
                    row.next();
                    if (row.getBoolean(1)) {
                        throw new IllegalStateException("%s exists already".formatted(event));
                    }
                }
            }
            try (PreparedStatement statement = connection.prepareStatement(INSERT)) {
                statement.setObject(1, event.id());
                statement.setString(2, event.type());
                statement.setArray(3, connection.createArrayOf("text", tags));
                statement.setString(4, event.payload());
                statement.setString(5, event.metadata());
                return statement.executeUpdate();
            }
        }

        private static boolean isTransient(SQLException failure) {
            return SERIALIZATION_FAILURE.equals(failure.getSQLState()) || DEADLOCK.equals(failure.getSQLState());
        }
    }

    @Row(
            "ablation/append-if dataset=small strategy=read-committed,repeatable-read,serializable,table-lock callers=1,10,100")
    @Row("ablation/append-if dataset=small strategy=one-advisory-lock,advisory-lock-per-tag callers=1,10,100")
    @Benchmark
    public int appendIf(Transactions transactions, Caller caller) throws SQLException {
        Event event = caller.newStudentEnrolled();
        return Expected.events(event.tags().size(), transactions.append(event));
    }

    @Row("ablation/append-if dataset=small strategy=group-append callers=1,10,100")
    @Benchmark
    public Appended groupAppend(BenchmarkStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }
}
