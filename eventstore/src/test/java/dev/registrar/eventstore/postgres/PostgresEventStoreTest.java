package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.postgres.append.AppendEntry;
import dev.registrar.eventstore.postgres.append.AppendFunction;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.connection.StoreConnections;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Guarantees of the PostgreSQL store beyond the contract: transactions, time limits and lost histories. */
class PostgresEventStoreTest extends PostgresStoreFixture {
    @Test
    void the_settings_default_to_the_contract_s_limits() {
        assertThat(StoreDatabase.defaultSettings().limits()).isEqualTo(StoreLimits.DEFAULT);
    }

    @Test
    void a_store_that_validates_json_refuses_other_payloads() {
        PostgresEventStore strict =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of("validate-json", true)));

        assertThatThrownBy(() -> strict.append(List.of(event(), Event.of("Noted", "not json"))))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A payload must be JSON of at most 500 levels, but it is invalid at index 1");
        assertThat(strict.append(List.of(event()))).isInstanceOf(Appended.class);
        assertThat(strict.head().position()).isEqualTo(Position.of(1));
    }

    @Test
    void a_store_that_requires_an_actor_appends_nothing_without_one() throws SQLException {
        PostgresEventStore strict =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of("require-actor", true)));
        Append anonymous = Append.of(event());
        Append named = anonymous.by(Actor.of("issuer", "ann"));

        assertThatThrownBy(() -> strict.append(anonymous))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("requires an actor");
        assertThatThrownBy(() -> strict.appendChain(List.of(named, anonymous)))
                .isInstanceOf(IllegalStateException.class);
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            assertThatThrownBy(() -> strict.joining(connection).append(anonymous))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("requires an actor");
        }
        assertThat(strict.append(named)).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
    }

    @Test
    void the_size_of_an_event_is_stored_with_it() throws SQLException {
        String[] many = IntStream.range(0, 50)
                .mapToObj("a-long-prefix-that-all-tags-of-the-event-have-in-common:%s"::formatted)
                .toArray(String[]::new);
        List<Event> events = List.of(
                Event.of("Noted", "{}"),
                Event.of("Noted", "{\"text\": \"ü€𝄞\"}", "tag:ü", "t"),
                Event.of("Noted", "\"%s\"".formatted("x".repeat(10_000)), many));

        for (Event event : events) {
            store.append(List.of(event));
        }
        store.append(Append.of(events.getFirst(), Event.of("Noted", "[1]", many), Event.of("Noted", "[]", "t:1"))
                .by(Actor.of("issuer", "änn"))
                .under(new IdempotencyKey("key", "fingerprint")));

        // A new array, since the stored one may be compressed.
        assertThat(texts("""
                        select position::text
                        from registrar.events
                        where size = 256 + octet_length(payload) + octet_length(metadata) + coalesce(octet_length(actor), 0)
                            + pg_column_size(array(select unnest(tags)))""")).containsExactly("1", "2", "3", "4", "5", "6");
        assertThat(texts("select size::text from registrar.events where position = 1"))
                .containsExactly(Integer.toString(256 + 2 + 2 + 16));
    }

    private static List<String> texts(String query) throws SQLException {
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query)) {
            List<String> texts = new ArrayList<>();
            while (rows.next()) {
                texts.add(rows.getString(1));
            }
            return texts;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"no JSON", "{}", "{\"issuer\": 1}"})
    void an_actor_that_another_program_has_stored_is_unknown_to_readers(String text) {
        database.execute("""
                insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata, actor)
                values (1, now(), gen_random_uuid(), 300, 'Noted', '{}', '', '', '%s')""".formatted(text));

        assertThat(store.read(Query.all()).toList())
                .singleElement()
                .extracting(SequencedEvent::actor)
                .isNull();
    }

    @Test
    void an_append_inside_a_caller_s_transaction_is_refused() {
        TransactionTemplate transaction = new TransactionTemplate(
                new JdbcTransactionManager(database.database().dataSource()));

        assertThatThrownBy(() -> transaction.execute(status -> store.append(List.of(event()))))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("transaction");
        assertThat(store.head().position()).isEqualTo(Position.START);
    }

    @Test
    void a_key_is_kept_for_exactly_its_retention() {
        StoreOptions options = StoreDatabase.settings(Map.of("idempotency-retention", "36h"));
        PostgresEventStore keeping = database.newStore(InstantSource.system(), options);
        Append keyed = Append.of(event()).under(new IdempotencyKey("key", "same"));
        keeping.append(keyed);

        database.ageKeys(options.idempotencyRetention().minusMinutes(10));
        assertThat(keeping.append(keyed)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
        database.ageKeys(Duration.ofMinutes(20));
        assertThat(keeping.append(keyed)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @ParameterizedTest
    @ValueSource(ints = {Connection.TRANSACTION_REPEATABLE_READ, Connection.TRANSACTION_SERIALIZABLE})
    void an_append_at_a_higher_isolation_is_refused(int isolation) throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setTransactionIsolation(isolation);
            AppendFunction function =
                    new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS);

            assertThatThrownBy(() -> function.append(connection, List.of(AppendEntry.of(Append.of(event(), event())))))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("DCB01"));
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "update registrar.events set type = 'Other'",
                "delete from registrar.events",
                "truncate registrar.events",
                "update registrar.event_tags set tag = 'other'",
                "delete from registrar.event_tags",
                "truncate registrar.event_tags"
            })
    void stored_events_cannot_be_changed(String change) throws SQLException {
        store.append(List.of(event()));
        try (Connection connection = database.connect();
                Statement statement = connection.createStatement()) {
            assertThatThrownBy(() -> statement.execute(change))
                    .isInstanceOfSatisfying(
                            SQLException.class,
                            refused -> assertThat(refused.getSQLState()).isEqualTo("DCB02"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock-timeout", "statement-timeout"})
    void an_append_that_waits_too_long_for_the_store_times_out_and_appends_nothing(String setting) throws SQLException {
        EventStore shortWait =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of(setting, "100ms")));
        try (Connection holder = database.connect()) {
            holder.setAutoCommit(false);
            new AppendFunction("registrar", Duration.ofDays(7), InstantSource.system(), StoreDatabase.WARNINGS)
                    .append(holder, List.of(AppendEntry.of(Append.of(event()))));

            assertThatThrownBy(() -> shortWait.append(List.of(event()))).isInstanceOf(StoreTimeoutException.class);
            holder.rollback();
        }

        assertThat(store.head().position()).isEqualTo(Position.START);
    }

    @Test
    void a_wait_for_a_free_connection_times_out() throws SQLException {
        StoreOptions settings = StoreDatabase.settings(
                Map.of("read-connections", "1", "resource-lock-connections", "1", "connection-timeout", "250ms"));
        HikariDataSource pool = database.pool(settings);
        await().until(() -> pool.getHikariPoolMXBean() != null
                && pool.getHikariPoolMXBean().getIdleConnections() == settings.connections());
        EventStore crowded = new PostgresEventStore(
                pool, settings, StoreDatabase.context(InstantSource.system(), new CompositeMeterRegistry()));
        try (Connection first = pool.getConnection();
                Connection second = pool.getConnection();
                Connection third = pool.getConnection()) {
            assertThat(List.of(first, second, third)).doesNotHaveDuplicates();
            assertThatThrownBy(() -> crowded.append(List.of(event()))).isInstanceOf(StoreTimeoutException.class);
            assertThatThrownBy(crowded::head).isInstanceOf(StoreTimeoutException.class);
        }
    }

    @Test
    void the_limit_of_projections_does_not_apply_to_reads() {
        PostgresEventStore limited =
                database.newStore(InstantSource.system(), StoreDatabase.settings(Map.of("max-projections", 1)));

        limited.projections().within(Duration.ZERO, () -> {
            assertThatThrownBy(() -> limited.project(new Count()))
                    .isInstanceOf(OverloadedException.class)
                    .hasMessageContaining("limit 1");
            return limited.count(Query.all());
        });

        assertThat(limited.project(new Count()).state(new Count())).isZero();
    }

    /*
     * The tables are restored from an older copy, and appends continue until the head is beyond the one read before.
     * The copy has the same incarnation; only the event at the earlier head shows that it is another history.
     */
    @Test
    void a_store_set_back_to_an_older_copy_refuses_an_earlier_decision() {
        store.append(IntStream.range(0, 5).mapToObj(i -> event()).toList());
        Projected before = store.project(new Count());
        database.setBackTo(3);

        assertThat(store.append(List.of(event()), before.appendCondition())).isEqualTo(new StoreReplaced());
        store.append(List.of(event(), event(), event()));
        assertThat(store.append(List.of(event()), before.appendCondition())).isEqualTo(new StoreReplaced());
        assertThat(store.project(before.states()).state(new Count())).isEqualTo(6);
    }

    @Test
    void expired_idempotency_keys_are_deleted_in_batches() {
        for (int i = 0; i < 5; i++) {
            store.append(Append.of(event()).under(new IdempotencyKey("old" + i, "f")));
        }
        database.ageKeys(Duration.ofDays(30));
        store.append(Append.of(event()).under(new IdempotencyKey("new", "f")));

        assertThat(store.forgetExpiredKeys(3)).isEqualTo(3);
        assertThat(store.forgetExpiredKeys(3)).isEqualTo(2);
        assertThat(store.appendedUnder(new IdempotencyKey("new", "f"))).isPresent();
    }

    /* One instance's clock is 30 days ahead, the other's 30 days behind; keys are retained for 7 days. */
    @Test
    void an_instance_with_a_wrong_clock_deletes_no_idempotency_key() {
        PostgresEventStore ahead =
                database.newStore(() -> Instant.now().plus(Duration.ofDays(30)), StoreDatabase.defaultSettings());
        PostgresEventStore behind =
                database.newStore(() -> Instant.now().minus(Duration.ofDays(30)), StoreDatabase.defaultSettings());
        Append first = Append.of(event()).under(new IdempotencyKey("first", "f"));
        Append second = Append.of(event()).under(new IdempotencyKey("second", "f"));
        store.append(first);
        behind.append(second);

        for (PostgresEventStore instance : List.of(ahead, behind, store)) {
            assertThat(instance.forgetExpiredKeys(10)).isZero();
            assertThat(instance.appendedUnder(new IdempotencyKey("first", "f"))).isPresent();
            assertThat(instance.append(first)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
            assertThat(instance.append(second)).isEqualTo(new Appended(Position.of(2), Position.of(2), true));
        }
    }

    @Test
    void options_in_the_url_do_not_undo_the_protection_of_connections() throws SQLException {
        String url = database.database().url();
        try (HikariDataSource pool = StoreConnections.open(
                        new StoreAddress(
                                url + (url.contains("?") ? "&" : "?") + "options=-c%20search_path=public",
                                database.database().username(),
                                database.database().password()),
                        StoreDatabase.defaultSettings());
                Connection connection = pool.getConnection();
                Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery(
                        "select current_setting('lock_timeout'), current_setting('plan_cache_mode')")) {
            row.next();
            assertThat(row.getString(1)).isEqualTo("1min");
            assertThat(row.getString(2)).isEqualTo("force_generic_plan");
        }
    }

    @Test
    void connections_prepare_statements_at_the_first_use() throws SQLException {
        try (HikariDataSource pool = database.pool(StoreDatabase.defaultSettings());
                Connection connection = pool.getConnection()) {
            assertThat(connection.unwrap(PGConnection.class).getPrepareThreshold())
                    .isEqualTo(1);
        }
    }

    @Test
    void a_store_uses_the_configured_schema() {
        database.migrate("elsewhere");
        StoreOptions options = StoreDatabase.settings(Map.of("schema", "elsewhere"));
        EventStore elsewhere = database.newStore(InstantSource.system(), options);

        elsewhere.append(List.of(event()));

        assertThat(store.head().position()).isEqualTo(Position.START);
        assertThat(elsewhere.append(
                        List.of(event()),
                        AppendCondition.failIfEventsMatch(Query.all()).after(elsewhere.head())))
                .isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    private record Count() implements Projection<Integer> {
        @Override
        public Query query() {
            return Query.of(QueryItem.types("Noted"));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer state, SequencedEvent event) {
            return state + 1;
        }
    }
}
