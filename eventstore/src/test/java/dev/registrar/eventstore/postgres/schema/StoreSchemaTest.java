package dev.registrar.eventstore.postgres.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.TestDatabase;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.configuration.FluentConfiguration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.postgresql.PGConnection;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/** Schemas that earlier versions left are upgraded in place. */
class StoreSchemaTest {
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

    private void check() {
        StoreSchema.check(database.dataSource(), "registrar");
    }

    /* As Spring Boot ran the migrations of the versions whose SQL files are recorded, and the store from contract 2 on. */
    private Flyway migrationsOf(String version) {
        FluentConfiguration migrations = Flyway.configure()
                .dataSource(database.dataSource())
                .schemas("registrar")
                .defaultSchema("registrar")
                .locations(locations(version));
        if (version.equals("contract-2") || version.equals("contract-3")) {
            migrations.table(AdoptingDataSource.HISTORY).baselineOnMigrate(true).baselineVersion("0");
        }
        return migrations.load();
    }

    /* Contract 3 has the files of contract 2 and its own. */
    private static String[] locations(String version) {
        return version.equals("contract-3")
                ? new String[] {"classpath:schemas/contract-2", "classpath:schemas/contract-3"}
                : new String[] {"classpath:schemas/" + version};
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

    private List<String> functions() {
        return texts("""
                select proname || ' ' || md5(pg_get_functiondef(oid))
                from pg_proc
                where pronamespace = 'registrar'::regnamespace
                order by 1""");
    }

    private void append(String version, String type, String tag) {
        execute("""
                select registrar.%s(
                    null, null, null, null, null, null, gen_random_uuid(), '%s', array['%s'], '{}', '{}', now()
                )""".formatted(version.matches("contract-[23]") ? "append_event_2" : "append_event", type, tag));
    }

    private static Append ifNone(String tag) {
        return Append.of(Event.of("New", "{}", tag))
                .onCondition(AppendCondition.failIfEventsMatch(Query.of(QueryItem.tags(tag))));
    }

    private static Appended at(long position) {
        return new Appended(Position.of(position), Position.of(position), false);
    }

    @ParameterizedTest
    @ValueSource(strings = {"9e848cb", "contract-1", "contract-2", "contract-3"})
    void a_store_of_an_earlier_version_is_upgraded_in_place(String version) {
        migrationsOf(version).migrate();
        append(version, "Old", "course:1");
        append(version, "Old", "course:2");
        execute("""
                insert into registrar.projections (name, build, version, incarnation, position)
                select 'courses', 'live', 1, incarnation, 2 from registrar.store""");

        migrate();

        check();
        try (StoreDatabase upgraded = StoreDatabase.of(database)) {
            PostgresEventStore store = upgraded.newStore();
            assertThat(store.append(ifNone("course:1"))).isInstanceOf(Conflict.class);
            assertThat(store.append(ifNone("course:3"))).isEqualTo(at(3));
            assertThat(store.read(Query.all()).stream()
                            .map(event -> event.event().type()))
                    .containsExactly("Old", "Old", "New");
            assertThat(texts("select position from registrar.projections")).containsExactly("2");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"9e848cb", "contract-1"})
    void versions_before_contract_2_leave_no_functions(String version) {
        migrationsOf(version).migrate();
        migrate();
        List<String> upgraded = functions();

        execute("drop schema registrar cascade");
        migrate();

        assertThat(upgraded).isEqualTo(functions());
    }

    private static <T> Callable<T> after(CyclicBarrier start, Callable<T> work) {
        return () -> {
            start.await();
            return work.call();
        };
    }

    @Test
    void an_instance_of_contract_1_that_starts_again_changes_no_function() {
        migrationsOf("contract-1").migrate();
        migrate();
        List<String> functions = functions();

        assertThatThrownBy(() -> migrationsOf("contract-1").migrate()).isInstanceOf(FlywayException.class);

        assertThat(functions()).isEqualTo(functions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"contract-2", "contract-3"})
    void an_older_instance_that_starts_again_changes_no_function(String version) {
        migrationsOf(version).migrate();
        migrate();
        List<String> functions = functions();

        migrationsOf(version).migrate();

        assertThat(functions()).isEqualTo(functions);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "9e848cb", "contract-1", "contract-2", "contract-3"})
    void instances_that_start_at_once_migrate_once(String earlier) throws Exception {
        if (!earlier.isEmpty()) {
            migrationsOf(earlier).migrate();
        }
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
                .contains("1", "44");
    }

    @Test
    void a_second_migration_changes_nothing() {
        migrate();
        List<String> history = texts("select h::text from registrar.registrar_schema_history h order by 1");

        migrate();

        assertThat(texts("select h::text from registrar.registrar_schema_history h order by 1"))
                .isEqualTo(history);
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

        StoreSchema.migrate(losing, "registrar", 1, Duration.ofSeconds(1));

        check();
        assertThat(made).hasValueGreaterThan(1);
    }

    /* Ended by the server: the client learns it from its next statement. */
    private void end(Connection connection) throws SQLException {
        int process = connection.unwrap(PGConnection.class).getBackendPID();
        execute("select pg_terminate_backend(%d, 60000)".formatted(process));
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
    void the_files_can_be_run_in_their_order_without_flyway() throws IOException {
        execute("create schema registrar");
        String files = "";
        for (Path file : inOrder()) {
            files += Files.readString(file).replace("${flyway:defaultSchema}", "registrar") + "\n";
        }
        execute("set search_path = registrar;" + files);

        check();
        try (StoreDatabase tables = StoreDatabase.of(database)) {
            assertThat(tables.newStore().append(ifNone("course:1"))).isEqualTo(at(1));
        }
    }

    @Test
    void a_store_without_a_migration_history_is_not_migrated_but_reported() {
        execute("create schema registrar; create table registrar.store (); create table registrar.events ()");

        assertThatThrownBy(this::migrate)
                .isInstanceOfSatisfying(
                        StoreStartFailure.class,
                        failure -> assertThat(failure.description() + " " + failure.action())
                                .contains("it has an event store, but no history of migrations")
                                .contains("Run the new SQL files"));
    }

    private static List<Path> inOrder() throws IOException {
        try (Stream<Path> files = Files.list(Path.of("src/main/resources", StoreSchema.LOCATION))) {
            return files.sorted(Comparator.comparingInt(StoreSchemaTest::version))
                    .toList();
        }
    }

    private static int version(Path file) {
        String name = file.getFileName().toString();
        return Integer.parseInt(name.substring(1, name.indexOf("__")));
    }

    @Test
    void a_schema_that_was_never_migrated_is_reported() {
        assertThatThrownBy(this::check).isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
            assertThat(failure.description()).contains("The schema 'registrar' has no event store");
            assertThat(failure.action()).contains("StoreSchema.migrate");
        });
    }

    @Test
    void a_schema_of_an_earlier_version_is_reported_to_need_a_migration() {
        migrationsOf("contract-1").migrate();

        assertThatThrownBy(this::check).isInstanceOf(StoreStartFailure.class).hasMessageContaining("too old");
    }

    @Test
    void a_version_too_old_for_the_schema_is_reported() {
        migrate();
        execute("update registrar.store set oldest_contract = 5, newest_contract = 6");

        assertThatThrownBy(this::check)
                .isInstanceOf(StoreStartFailure.class)
                .hasMessage("This version is too old for the schema 'registrar': it requires contract 4 of the stored"
                        + " functions, but the oldest contract of the schema is 5.");
    }

    @Test
    void a_version_between_the_oldest_and_the_newest_contract_starts() {
        migrate();
        execute("update registrar.store set oldest_contract = 4, newest_contract = 5");

        migrate();
        check();

        assertThat(texts("select newest_contract from registrar.store")).containsExactly("5");
    }

    @Test
    void without_flyway_the_error_names_the_missing_library() throws Exception {
        URL[] classes = {Path.of("target/classes").toUri().toURL()};
        try (URLClassLoader withoutFlyway = new URLClassLoader(classes, new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                if (name.startsWith("org.flywaydb.") || name.startsWith("dev.registrar.")) {
                    throw new ClassNotFoundException(name);
                }
                return StoreSchemaTest.class.getClassLoader().loadClass(name);
            }
        })) {
            Class<?> schema = withoutFlyway.loadClass(StoreSchema.class.getName());

            assertThatThrownBy(() -> schema.getMethod("migrate", DataSource.class, String.class)
                            .invoke(null, database.dataSource(), "registrar"))
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("requires org.flywaydb:flyway-core");
        }
    }

    @Test
    void the_name_of_a_schema_is_checked_before_it_is_used_in_a_statement() {
        assertThatThrownBy(() -> StoreSchema.migrate(database.dataSource(), "a; drop schema b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'a; drop schema b'");
    }
}
