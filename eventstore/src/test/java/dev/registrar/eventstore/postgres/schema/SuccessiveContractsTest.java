package dev.registrar.eventstore.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.TestDatabase;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Callers of the previous contract and of this one use one schema at once. */
class SuccessiveContractsTest {
    private static final Actor CLERK = Actor.of("https://id.example.org", "clerk");
    private TestDatabase database;

    @BeforeEach
    void open() {
        database = TestDatabase.create();
    }

    @AfterEach
    void close() {
        database.close();
    }

    private void migrate() {
        StoreSchema.migrate(database.dataSource(), "registrar");
    }

    /** Migrates as contract 3 did. */
    private void migrateToContract3() {
        Flyway.configure()
                .dataSource(database.dataSource())
                .schemas("registrar")
                .defaultSchema("registrar")
                .locations("classpath:schemas/contract-2", "classpath:schemas/contract-3")
                .table(AdoptingDataSource.HISTORY)
                .load()
                .migrate();
    }

    private List<String> texts(String query) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private CallerOfContract3 callerOfContract3() throws SQLException {
        return new CallerOfContract3(database.dataSource().getConnection());
    }

    private static Append ifNone(String tag) {
        return Append.of(Event.of("New", "{}", tag))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(tag))));
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    @Test
    void callers_of_the_previous_contract_work_beside_this_version() throws SQLException {
        migrateToContract3();
        migrate();
        try (CallerOfContract3 old = callerOfContract3();
                StoreDatabase tables = StoreDatabase.of(database)) {
            PostgresEventStore store = tables.newStore();
            IdempotencyKey key = new IdempotencyKey("key-1", "fingerprint");

            assertThat(old.appendIfNone("Old", "course:1")).isEqualTo(1);
            assertThat(store.append(ifNone("course:1"))).isInstanceOf(Conflict.class);
            assertThat(store.append(ifNone("course:2"))).isEqualTo(at(2));
            assertThat(old.appendIfNone("Old", "course:2")).isNull();
            assertThat(old.firstWith("course:2")).isEqualTo(2);
            assertThat(old.appendUnder("key-1", "Old", "course:3")).isEqualTo("appended at 3");
            assertThat(store.append(ifNone("course:3").under(key)))
                    .isEqualTo(new Appended(Position.of(3), Position.of(3), true));
            assertThat(store.append(ifNone("course:4").under(new IdempotencyKey("key-2", "fingerprint"))))
                    .isEqualTo(at(4));
            assertThat(old.appendUnder("key-2", "Old", "course:4")).isEqualTo("repeated at 4");
            assertThat(old.appendUnder("key-3", "Old", "course:4")).isEqualTo("conflict");
            assertThat(old.appendHolding(42, "key-4", "Old", "course:5")).isEqualTo("appended at 5");
            assertThat(store.append(Append.of(Event.of("New", "{}", "course:6", "student:6"))))
                    .isEqualTo(at(6));
            assertThat(old.withBoth("course:6", "student:6")).containsExactly(6L);
        }
    }

    @Test
    void events_of_the_previous_contract_have_no_actor() throws SQLException {
        migrateToContract3();
        try (CallerOfContract3 before = callerOfContract3()) {
            before.appendIfNone("Old", "course:1");
        }
        migrate();
        try (CallerOfContract3 old = callerOfContract3();
                StoreDatabase tables = StoreDatabase.of(database)) {
            PostgresEventStore store = tables.newStore();
            old.appendIfNone("Old", "course:2");
            old.appendUnder("key-1", "Old", "course:3");
            store.append(ifNone("course:4").by(CLERK));

            assertThat(store.read(Query.all()).stream().map(SequencedEvent::actor))
                    .containsExactly(null, null, null, CLERK);
        }
    }

    /* In each round, callers of both contracts start at once. Each appends only if no event has its tag yet. */
    @Test
    void one_of_the_racers_of_both_contracts_wins() throws Exception {
        migrateToContract3();
        migrate();
        int rounds = 50;
        int won = 0;
        try (StoreDatabase tables = StoreDatabase.of(database);
                CallerOfContract3 first = callerOfContract3();
                CallerOfContract3 second = callerOfContract3();
                ExecutorService racers = Executors.newVirtualThreadPerTaskExecutor()) {
            PostgresEventStore one = tables.newStore();
            PostgresEventStore other = tables.newStore();
            for (int round = 1; round <= rounds; round++) {
                String tag = "seat:" + round;
                CyclicBarrier start = new CyclicBarrier(4);
                List<Future<Boolean>> attempts = new ArrayList<>();
                for (CallerOfContract3 old : List.of(first, second)) {
                    attempts.add(racers.submit(after(start, () -> old.appendIfNone("Old", tag) != null)));
                }
                for (PostgresEventStore store : List.of(one, other)) {
                    attempts.add(racers.submit(after(start, () -> {
                        AppendResult result = store.append(ifNone(tag));
                        return result instanceof Appended;
                    })));
                }
                for (Future<Boolean> attempt : attempts) {
                    won += attempt.get() ? 1 : 0;
                }
            }
            assertThat(won).isEqualTo(rounds);
            assertThat(texts("select count(distinct position) || ' up to ' || max(position) from registrar.events"))
                    .containsExactly("%d up to %d".formatted(rounds, rounds));
        }
    }

    private static <T> Callable<T> after(CyclicBarrier start, Callable<T> work) {
        return () -> {
            start.await();
            return work.call();
        };
    }
}
