package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Appends that hold free resources share a transaction; those whose resource is held wait alone. */
class ResourceGroupsTest {
    private static final Duration LONG = Duration.ofSeconds(8);
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private static StoreDatabase database;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private final List<CompletableFuture<AppendResult>> answers = new ArrayList<>();
    private HikariDataSource pool;
    private PostgresEventStore store;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void openStore() {
        database.clear();
        StoreOptions settings = StoreDatabase.defaultSettings();
        pool = database.pool(settings);
        store = new PostgresEventStore(pool, settings, StoreDatabase.context(InstantSource.system(), meters));
    }

    @AfterEach
    void closeStore() {
        pool.close();
    }

    /* The first append takes its resource and waits for the store's lock; the others gather behind it. */
    private void gather(Append first, List<Append> others) throws SQLException {
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            submit(first);
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            for (Append other : others) {
                int waiting = answers.size();
                submit(other);
                await().until(() ->
                        meters.get("registrar.store.queue.size").gauge().value() == waiting);
            }
            holder.rollback();
        }
    }

    private void submit(Append append) {
        answers.add(CompletableFuture.supplyAsync(() -> store.append(append), THREADS));
    }

    private static Append holding(String tag, String... names) {
        return Append.of(Event.of("Booked", "{}", tag)).holding(ResourceLocks.of(List.of(names), LONG));
    }

    private long transactions() throws SQLException {
        try (Connection connection = database.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select count(distinct xmin::text) from registrar.events")) {
            row.next();
            return row.getLong(1);
        }
    }

    @Test
    void appends_that_hold_different_resources_share_a_transaction() throws SQLException {
        gather(
                holding("desk:0", "room:0"),
                List.of(
                        holding("desk:1", "room:1"),
                        holding("desk:2", "room:2", "room:3"),
                        holding("desk:3", "room:4")));

        assertThat(answers).allSatisfy(answer -> assertThat(answer.join()).isInstanceOf(Appended.class));
        assertThat(transactions()).isEqualTo(2);
    }

    @Test
    void appends_that_hold_the_same_resource_share_a_transaction_in_their_order() throws SQLException {
        gather(
                holding("desk:0", "room:1"),
                List.of(holding("desk:1", "room:1"), holding("desk:2", "room:1"), holding("desk:3", "room:1")));

        assertThat(answers.stream().map(CompletableFuture::join).map(Appended.class::cast))
                .extracting(appended -> appended.first().value())
                .containsExactly(1L, 2L, 3L, 4L);
        assertThat(transactions()).isEqualTo(2);
    }

    /* The second group finds room:9 held, and appends all requests but the one that needs it. */
    @Test
    void an_append_whose_resource_is_held_waits_and_the_others_of_its_group_do_not() throws SQLException {
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockResources(holder, "room:9");
            gather(
                    holding("desk:0", "room:0"),
                    List.of(
                            holding("desk:1", "room:1"),
                            holding("desk:2", "room:2", "room:9"),
                            holding("desk:3", "room:3")));

            assertThat(answers.get(1).join()).isInstanceOf(Appended.class);
            assertThat(answers.get(3).join()).isInstanceOf(Appended.class);
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            assertThat(answers.get(2)).isNotDone();
            assertThat(store.count(Query.all())).isEqualTo(3);
            assertThat(transactions()).isEqualTo(2);

            holder.rollback();
        }

        assertThat(answers.get(2).join()).isInstanceOf(Appended.class);
        assertThat(store.count(Query.all())).isEqualTo(4);
    }

    @Test
    void of_appends_that_race_for_one_thing_under_a_resource_one_wins() throws SQLException {
        AppendCondition none = AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("desk:1")));
        Append claim = holding("desk:1", "room:1").onCondition(none);

        gather(holding("desk:0", "room:1"), List.of(claim, claim, claim));

        assertThat(answers.stream().skip(1).map(CompletableFuture::join))
                .hasOnlyElementsOfTypes(Appended.class, Conflict.class)
                .filteredOn(Appended.class::isInstance)
                .hasSize(1);
        assertThat(store.count(Query.all())).isEqualTo(2);
    }

    /* Control: without the locks' part of the statement, the rival would not wait. */
    @Test
    void a_group_holds_its_resources_until_its_commit() throws SQLException {
        CompletableFuture<Boolean> free;
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            StoreDatabase.lockStore(holder);
            submit(holding("desk:0", "room:0"));
            await().until(() -> database.advisoryLocksWaitedFor() == 1);
            free = CompletableFuture.supplyAsync(
                    () -> {
                        try (Connection rival = database.connect()) {
                            rival.setAutoCommit(false);
                            StoreDatabase.lockResources(rival, "room:0");
                            return answers.getFirst().isDone() || store.count(Query.all()) == 1;
                        } catch (SQLException failure) {
                            throw new IllegalStateException(failure);
                        }
                    },
                    THREADS);
            await().until(() -> database.advisoryLocksWaitedFor() == 2);
            holder.rollback();
        }

        assertThat(free.join()).isTrue();
    }
}
