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
import java.sql.PreparedStatement;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.dao.ConcurrencyFailureException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.jdbc.support.SqlArrayValue;
import org.springframework.transaction.support.TransactionTemplate;

/**
 * What do one lock and group commit gain over other strategies, and what do they cost compared with no protection? Each
 * strategy makes the same conditional append of the same event. All but the last use one transaction per append, in
 * sessions with the store's settings. The transaction takes the strategy's lock, if any, searches for events that the
 * condition forbids, and inserts the event and its tags, each with a prepared statement. Positions come from a
 * sequence, so that readers can miss events; the cost of preventing that is not included.
 */
public class AblationBenchmarks {
    private static final int CONNECTIONS = 16;

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
        private JdbcTemplate jdbc;
        private TransactionTemplate transactions;

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
            jdbc = new JdbcTemplate(connections);
            transactions = new TransactionTemplate(new JdbcTransactionManager(connections));
        }

        @TearDown
        public void close() {
            connections.close();
        }

        /** Appends an event unless the store has such an event. Repeats on a serialization failure or deadlock. */
        int append(Event event) {
            while (true) {
                try {
                    return transactions.execute(transaction -> appendOnce(event));
                } catch (ConcurrencyFailureException others) {
                    // Another transaction was faster.
                }
            }
        }

        private int appendOnce(Event event) {
            String[] names = event.tags().stream().map(Tag::value).toArray(String[]::new);
            SqlArrayValue tags = new SqlArrayValue("text", (Object[]) names);
            String lock = chosen.lock;
            if (lock != null) {
                jdbc.execute(lock, (PreparedStatement statement) -> {
                    if (chosen == Strategy.ADVISORY_LOCK_PER_TAG) {
                        tags.setValue(statement, 1);
                    }
                    return statement.execute();
                });
            }
            if (!Boolean.FALSE.equals(
                    jdbc.queryForObject(FORBIDDEN, Boolean.class, names[0], names[1], event.type()))) {
                throw new IllegalStateException("%s exists already".formatted(event));
            }
            return jdbc.update(INSERT, event.id(), event.type(), tags, event.payload(), event.metadata());
        }
    }

    @Row(
            "ablation/append-if dataset=small strategy=read-committed,repeatable-read,serializable,table-lock callers=1,10,100")
    @Row("ablation/append-if dataset=small strategy=one-advisory-lock,advisory-lock-per-tag callers=1,10,100")
    @Benchmark
    public int appendIf(Transactions transactions, Caller caller) {
        Event event = caller.newStudentEnrolled();
        return Expected.events(event.tags().size(), transactions.append(event));
    }

    @Row("ablation/append-if dataset=small strategy=group-append callers=1,10,100")
    @Benchmark
    public Appended groupAppend(BenchmarkStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }
}
