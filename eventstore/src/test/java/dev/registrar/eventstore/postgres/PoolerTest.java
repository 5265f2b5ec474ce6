package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.schema.StoreStartFailure;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** PgBouncer between a store and its database, where it is installed: apt-get install pgbouncer. */
@Tag("thorough")
class PoolerTest {
    private final List<Process> started = new ArrayList<>();
    private TestDatabase database;

    @TempDir
    private Path folder;

    @BeforeEach
    void create() {
        database = TestDatabase.create();
    }

    @AfterEach
    void stop() throws InterruptedException {
        for (Process pooler : started) {
            pooler.destroy();
            pooler.waitFor();
        }
        database.close();
    }

    /* The roles and passwords of clients are ignored, and every client becomes the superuser. */
    private StoreAddress pooled(String mode) throws IOException {
        URI server = URI.create(database.url().substring("jdbc:".length()));
        int port = freePort();
        Path settings = Files.writeString(folder.resolve("pgbouncer.ini"), """
                [databases]
                * = host=%s port=%s user=%s%s
                [pgbouncer]
                listen_addr = 127.0.0.1
                listen_port = %s
                unix_socket_dir =
                ignore_startup_parameters = extra_float_digits
                auth_type = any
                pool_mode = %s
                default_pool_size = 30
                """.formatted(
                        server.getHost(), server.getPort(), database.username(), password(), port, mode));
        List<String> command = new ArrayList<>(List.of("pgbouncer"));
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("-u", "nobody"));
        }
        command.add(settings.toString());
        try {
            started.add(new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(folder.resolve("pgbouncer.log").toFile())
                    .start());
        } catch (IOException missing) {
            System.out.println("Skipped the test with PgBouncer, which is not installed");
            abort("pgbouncer is not installed");
        }
        await().ignoreExceptionsInstanceOf(IOException.class).until(() -> {
            if (!started.getLast().isAlive()) {
                throw new IllegalStateException(Files.readString(folder.resolve("pgbouncer.log")));
            }
            new Socket(InetAddress.getLoopbackAddress(), port).close();
            return true;
        });
        return new StoreAddress("jdbc:postgresql://127.0.0.1:%s/%s".formatted(port, database.name()), "someone", "");
    }

    /* PgBouncer does not accept an empty one. */
    private String password() {
        return database.password().isEmpty() ? "" : " password='%s'".formatted(database.password());
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    @Test
    void transaction_mode_is_refused_before_a_session_of_others_is_changed() throws Exception {
        StoreAddress pooled = pooled("transaction");
        String before = settings(pooled);

        assertRefused(
                () -> PostgresEventStore.migrate(pooled, StoreDatabase.defaultSettings(), 0, Duration.ofSeconds(1)));
        assertRefused(
                () -> PostgresEventStore.open(pooled, StoreDatabase.defaultSettings(), StoreContext.standalone()));

        assertThat(settings(pooled)).isEqualTo(before);
    }

    private static void assertRefused(Runnable start) {
        assertThatThrownBy(start::run).isInstanceOfSatisfying(StoreStartFailure.class, failure -> {
            assertThat(failure.description()).startsWith("A pooler in transaction mode");
            assertThat(failure.action()).contains("pool_mode = session");
        });
    }

    /* The settings of some sessions behind the pooler, without the driver's own. */
    private static String settings(StoreAddress pooled) throws SQLException {
        List<Connection> clients = new ArrayList<>();
        try {
            List<String> found = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                Connection client = DriverManager.getConnection(
                        pooled.url() + "?prepareThreshold=0", pooled.username(), pooled.password());
                clients.add(client);
                // A transaction keeps its session, so each client has another one.
                client.setAutoCommit(false);
                try (Statement statement = client.createStatement();
                        ResultSet row = statement.executeQuery("""
                                select string_agg(name || '=' || setting, ' ' order by name)
                                from pg_settings
                                where source = 'session'
                                and name not in ('application_name', 'extra_float_digits', 'client_encoding', 'DateStyle',
                                    'TimeZone', 'transaction_isolation', 'transaction_read_only',
                                    'transaction_deferrable')""")) {
                    row.next();
                    found.add(String.valueOf(row.getString(1)));
                }
            }
            return found.toString();
        } finally {
            for (Connection client : clients) {
                client.close();
            }
        }
    }

    @Test
    void session_mode_works() throws Exception {
        StoreAddress pooled = pooled("session");
        PostgresEventStore.migrate(pooled, StoreDatabase.defaultSettings(), 0, Duration.ofSeconds(1));

        try (PostgresEventStore store =
                PostgresEventStore.open(pooled, StoreDatabase.defaultSettings(), StoreContext.standalone())) {
            assertThat(store.append(Append.of(Event.of("Happened", "{}", "thing:1"))))
                    .isInstanceOf(Appended.class);
            assertThat(store.count(Query.all())).isEqualTo(1);
        }
    }
}
