package dev.registrar.eventstore.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** A migration creates the tables once, and the functions again whenever they differ from their files. */
class StoreSchemaTest {
    private static final Path FILES = Path.of("src/main/resources", StoreSchema.LOCATION);

    private static TestDatabase database;
    private static StoreDatabase tables;

    @BeforeAll
    static void open() {
        database = TestDatabase.create();
        tables = StoreDatabase.of(database);
    }

    @AfterAll
    static void close() {
        tables.close();
    }

    @BeforeEach
    void empty() {
        execute("drop schema if exists registrar cascade; drop table if exists rooms, flyway_schema_history");
    }

    private void migrate() {
        StoreSchema.migrate(database.dataSource(), "registrar");
    }

    private void check() {
        StoreSchema.check(database.dataSource(), "registrar");
    }

    private void execute(String sql) {
        try (Connection connection = database.dataSource().getConnection();
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
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

    /** Each function with its parameters and its text. */
    private List<String> functions() {
        return texts("""
                select pg_get_functiondef(oid)
                from pg_proc
                where pronamespace = 'registrar'::regnamespace
                order by 1""");
    }

    private List<String> files() {
        try (Stream<Path> files = Files.list(FILES)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Another version: its files are those of this version in a folder that a test may change. */
    private Flyway otherVersion(Path folder) {
        return Flyway.configure()
                .dataSource(database.dataSource())
                .schemas("registrar")
                .defaultSchema("registrar")
                .table("registrar_schema_history")
                .locations("filesystem:" + folder)
                .group(true)
                .load();
    }

    private void copyTo(Path folder) throws IOException {
        for (String file : files()) {
            Files.copy(FILES.resolve(file), folder.resolve(file));
        }
    }

    private static void replace(Path file, String text, String by) throws IOException {
        String sql = Files.readString(file);
        assertThat(sql).contains(text);
        Files.writeString(file, sql.replace(text, by));
    }

    private static Append ifNone(String tag) {
        return Append.of(Event.of("New", "{}", tag))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(tag))));
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    @Test
    void the_functions_are_those_of_the_files_and_a_second_migration_changes_nothing() {
        migrate();

        assertThat(texts("select proname from pg_proc where pronamespace = 'registrar'::regnamespace"))
                .containsExactlyInAnyOrderElementsOf(Stream.concat(
                                // The functions of triggers are created with the tables.
                                Stream.of("refuse_change", "refuse_change_without_record"),
                                files().stream()
                                        .filter(file -> file.startsWith("R__"))
                                        .map(file -> file.substring("R__".length(), file.indexOf(".sql"))))
                        .toList());
        List<String> history = texts("select h::text from registrar.registrar_schema_history h order by 1");

        migrate();

        assertThat(texts("select h::text from registrar.registrar_schema_history h order by 1"))
                .isEqualTo(history);
    }

    /* A function of the owner's rights that others may call, or that finds names of others, would be a way around them. */
    @Test
    void only_the_owner_may_change_events_until_it_is_granted_and_by_names_of_the_system_alone() {
        migrate();

        assertThat(texts("""
                        select proname || ' ' || array_to_string(proconfig, ' ') || ' ' || array_to_string(proacl, ' ')
                        from pg_proc
                        where pronamespace = 'registrar'::regnamespace
                        and prosecdef
                        order by 1"""))
                .satisfiesExactly(
                        erase -> assertThat(erase)
                                .startsWith("erase_events search_path=pg_catalog, pg_temp ")
                                .doesNotContain(" =X"),
                        retag -> assertThat(retag)
                                .startsWith("retag_events search_path=pg_catalog, pg_temp ")
                                .doesNotContain(" =X"));
    }

    @Test
    void a_changed_signature_leaves_no_old_function(@TempDir Path other) throws IOException {
        migrate();
        List<String> functions = functions();
        execute("drop schema registrar cascade");
        copyTo(other);
        replace(other.resolve("R__verdicts.sql"), "event_counts int[],", "another integer, event_counts int[],");
        replace(other.resolve("R__lost_heads.sql"), "(head bigint)", "(head integer)");
        otherVersion(other).migrate();
        execute("create function registrar.of_the_application() returns int language sql as 'select 1'");
        assertThat(functions()).doesNotContainSequence(functions).hasSize(functions.size() + 1);

        migrate();

        execute("drop function registrar.of_the_application()");
        assertThat(functions()).isEqualTo(functions);
        migrate();
        assertThat(functions()).isEqualTo(functions);
    }

    @Test
    void a_function_whose_file_is_gone_is_no_obstacle(@TempDir Path other) throws IOException {
        copyTo(other);
        Files.writeString(
                other.resolve("R__deleted.sql"),
                "create function ${flyway:defaultSchema}.deleted() returns int language sql as 'select 1';");
        otherVersion(other).migrate();

        migrate();

        check();
    }

    /*
     * Callers append while migrations drop and create the functions. An append meets a function that is
     * gone, or waits for the store's lock in the text of the old one. It then fails, and its caller repeats it with its
     * idempotency key. Each append is stored exactly once.
     */
    @Test
    void a_migration_beside_running_appends_loses_none(@TempDir Path other) throws Exception {
        copyTo(other);
        for (String file : files()) {
            if (file.startsWith("R__")) {
                Files.writeString(other.resolve(file), "\n-- another version", StandardOpenOption.APPEND);
            }
        }
        migrate();
        AtomicBoolean migrated = new AtomicBoolean();
        try (ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            PostgresEventStore store = tables.newStore();
            List<Future<Integer>> appending = IntStream.range(0, 4)
                    .mapToObj(caller -> callers.submit(() -> appendUntil(migrated, store, caller)))
                    .toList();
            try {
                await().until(() -> store.head().position().value() >= 4);
                otherVersion(other).migrate();
                migrate();
            } finally {
                migrated.set(true);
            }

            int appended = 0;
            for (Future<Integer> ofCaller : appending) {
                appended += ofCaller.get();
            }
            assertThat(store.read(Query.all()).stream()
                            .map(event -> event.event().payload()))
                    .hasSize(appended)
                    .doesNotHaveDuplicates();
        }
    }

    private static int appendUntil(AtomicBoolean end, PostgresEventStore store, int caller) {
        int appended = 0;
        while (!end.get()) {
            String name = caller + "-" + appended;
            Append append = Append.of(Event.of("New", "{\"name\": \"%s\"}".formatted(name), "name:" + name))
                    .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags("name:" + name))))
                    .under(new IdempotencyKey(name, name));
            await().until(() -> isStored(store, append));
            appended++;
        }
        return appended;
    }

    private static boolean isStored(PostgresEventStore store, Append append) {
        try {
            assertThat(store.append(append)).isInstanceOf(Appended.class);
            return true;
        } catch (EventStoreException unavailable) {
            return false;
        }
    }

    private static <T> Callable<T> after(CyclicBarrier start, Callable<T> work) {
        return () -> {
            start.await();
            return work.call();
        };
    }

    @Test
    void instances_that_start_at_once_migrate_once() throws Exception {
        int instances = 4;
        CyclicBarrier start = new CyclicBarrier(instances);
        try (ExecutorService starters = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Object>> migrations = Stream.generate(() -> starters.submit(after(start, () -> {
                        migrate();
                        return new Object();
                    })))
                    .limit(instances)
                    .toList();
            for (Future<Object> migration : migrations) {
                migration.get();
            }
        }

        check();
        assertThat(texts("select version from registrar.registrar_schema_history where version is not null"))
                .doesNotHaveDuplicates()
                .contains("1");
    }

    @Test
    void a_connection_that_is_lost_before_the_first_migration_is_made_again() {
        AtomicInteger made = new AtomicInteger();
        DataSource losing = new DelegatingDataSource(database.dataSource()) {
            @Override
            public Connection getConnection() throws SQLException {
                Connection connection = super.getConnection();
                if (made.getAndIncrement() == 0) {
                    end(connection);
                }
                return connection;
            }
        };

        StoreSchema.migrate(losing, losing, "registrar", 1, Duration.ofMillis(10));

        check();
        assertThat(made).hasValueGreaterThan(1);
    }

    /* Ended by the server: the client learns it from its next statement. */
    private void end(Connection connection) throws SQLException {
        int process = connection.unwrap(PGConnection.class).getBackendPID();
        execute("select pg_terminate_backend(%s, 60000)".formatted(process));
        assertThat(texts("select pid::text from pg_stat_activity")).doesNotContain(Integer.toString(process));
    }

    @ParameterizedTest
    @ValueSource(strings = {"public", "registrar"})
    void an_application_can_have_its_own_migrations_beside_the_store(String schemaOfApplication) {
        Flyway application = Flyway.configure()
                .dataSource(database.dataSource())
                .schemas(schemaOfApplication)
                .locations("classpath:schemas/application")
                .load();
        application.migrate();

        migrate();

        assertThat(application.migrate().migrationsExecuted).isZero();
        check();
        assertThat(texts("select count(*) from %s.rooms".formatted(schemaOfApplication)))
                .containsExactly("0");
        assertThat(texts("select script from %s.flyway_schema_history where version = '1'"
                        .formatted(schemaOfApplication)))
                .containsExactly("V1__rooms.sql");
    }

    @Test
    void the_files_can_be_run_in_any_order_after_the_tables_without_flyway() throws IOException {
        execute("create schema registrar");
        String files = "";
        for (String file : files().reversed()) {
            files += Files.readString(FILES.resolve(file)).replace("${flyway:defaultSchema}", "registrar") + "\n";
        }
        execute("begin; set local search_path = registrar;" + files + "commit");

        check();
        assertThat(tables.newStore().append(ifNone("course:1"))).isEqualTo(at(1));
    }

    @Test
    void the_store_of_another_development_version_is_refused_with_one_message() {
        migrate();
        execute("drop function registrar.append_event");
        assertThatThrownBy(this::check)
                .isInstanceOf(StoreStartFailure.class)
                .hasMessageContaining("of another development version");

        String history = "registrar.registrar_schema_history";
        for (String difference : List.of(
                "insert into %s select 99, '2', 'more', 'SQL', 'V2__more.sql', 2, 'a', now(), 1, true",
                "delete from %1$s where version = '2'; update %1$s set checksum = 1 where version = '1'",
                // Before the history had the store's own name, and where files were run without Flyway.
                "drop table %s")) {
            execute(difference.formatted(history));

            assertThatThrownBy(this::migrate).isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
                assertThat(failure.description())
                        .isEqualTo("The schema 'registrar' has the event store of another development version, and"
                                + " before version 0.1.0 there is no upgrade from one version to another.");
                assertThat(failure.action()).contains("drop the schema").contains("append them");
            });
        }
    }

    @Test
    void a_schema_that_was_never_migrated_is_reported() {
        assertThatThrownBy(this::check).isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
            assertThat(failure.description()).contains("The schema 'registrar' has no event store");
            assertThat(failure.action()).contains("StoreSchema.migrate");
        });
    }

    @Test
    void the_name_of_a_schema_is_checked_before_it_is_used_in_a_statement() {
        assertThatThrownBy(() -> StoreSchema.migrate(database.dataSource(), "a; drop schema b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a; drop schema b'");
    }
}
