package dev.registrar.testdatabase;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Deque;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.testcontainers.postgresql.PostgreSQLContainer;

/**
 * The one PostgreSQL server of a test JVM: chosen, started and announced at its first use. It stops when the JVM exits,
 * after the services that the tests left running.
 *
 * @param kind embedded, container or external
 */
public record TestServer(String kind, String url, String username, String password) {
    private static final String PROPERTY = "registrar.test.database.";
    private static final Duration EMBEDDED_STARTS = Duration.ofMinutes(10);
    /** The resources to close at the end, in reverse order. */
    private static final Deque<AutoCloseable> RUNNING = new ConcurrentLinkedDeque<>();

    private static final boolean WITH_SPRING =
            TestServer.class.getResource("/org/springframework/boot/SpringApplication.class") != null;
    private static final AtomicInteger STARTED = new AtomicInteger();

    private static final class Shared {
        static final TestServer SERVER = announced(choose());
    }

    /** The server; the first call starts it. */
    public static TestServer shared() {
        return Shared.SERVER;
    }

    /** The number of servers that this JVM has started for tests. */
    public static int startedServers() {
        return STARTED.get();
    }

    /** A connection to the server's initial database. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, username, password);
    }

    /** The URL with another database name and the same parameters. */
    public String urlOf(String database) {
        return url.replaceFirst("^(jdbc:postgresql:(?://[^/?]*/)?)[^?]*", "$1" + database);
    }

    private static TestServer choose() {
        return configured("url")
                .map(TestServer::given)
                .orElseGet(() -> TestContainer.start(stop -> stopAtExit(stop::run))
                        .map(TestServer::container)
                        .orElseGet(TestServer::embedded));
    }

    private static TestServer given(String url) {
        return new TestServer(
                "external",
                url,
                configured("username").orElse("postgres"),
                configured("password").orElse(""));
    }

    private static Optional<String> configured(String name) {
        var variable = (PROPERTY + name).replace('.', '_').toUpperCase(Locale.ROOT);
        return Stream.of(
                        System.getProperty(PROPERTY + name, ""), System.getenv().getOrDefault(variable, ""))
                .filter(value -> !value.isBlank())
                .findFirst();
    }

    private static TestServer container(PostgreSQLContainer container) {
        STARTED.incrementAndGet();
        return new TestServer("container", container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    private static TestServer embedded() {
        try {
            var builder = EmbeddedPostgres.builder()
                    .setRegisterShutdownHook(false)
                    .setServerConfig("fsync", configured("fsync").orElse("on"))
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("shared_buffers", "256MB")
                    .setServerConfig("max_wal_size", "2GB")
                    .setServerConfig("jit", "off")
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("locale-provider", "builtin")
                    .setLocaleConfig("builtin-locale", "C.UTF-8")
                    .setPGStartupWait(EMBEDDED_STARTS);
            configured("folder").ifPresent(builder::setDataDirectory);
            var postgres = builder.start();
            stopAtExit(postgres);
            STARTED.incrementAndGet();
            return new TestServer(
                    "embedded",
                    "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(postgres.getPort()),
                    "postgres",
                    "");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** Stops a server when the JVM exits; with Spring Boot, after all application contexts are closed. */
    static void stopAtExit(AutoCloseable server) {
        RUNNING.add(server);
        if (WITH_SPRING) {
            StartedApplications.atExit(TestServer::stop);
        } else {
            Runtime.getRuntime().addShutdownHook(new Thread(TestServer::stop));
        }
    }

    /** Stops the server if this JVM started it. One shutdown hook at a time: the last that started stops first. */
    public static synchronized void stop() {
        for (AutoCloseable server = RUNNING.pollLast(); server != null; server = RUNNING.pollLast()) {
            try {
                server.close();
            } catch (Exception failure) {
                throw new IllegalStateException(failure);
            }
        }
    }

    private static TestServer announced(TestServer server) {
        try (var connection = server.connect();
                var statement = connection.createStatement();
                var row = statement.executeQuery("select current_setting('server_version'), current_setting('fsync'),"
                        + " current_setting('synchronous_commit')")) {
            row.next();
            System.out.printf(
                    "Test database: %s PostgreSQL %s, fsync=%s, synchronous_commit=%s%n",
                    server.kind(), row.getString(1), row.getString(2), row.getString(3));
            return server;
        } catch (SQLException failure) {
            throw new IllegalStateException("The test database does not answer", failure);
        }
    }
}
