package dev.registrar;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.testcontainers.postgresql.PostgreSQLContainer;
import org.testcontainers.utility.DockerImageName;

/** The one PostgreSQL server of a test JVM: chosen, started and announced at its first use, stopped at exit. */
public record TestServer(String kind, String url, String username, String password) {
    private static final String IMAGE = "postgres:18";
    private static final String PROPERTY = "registrar.test.database.";
    private static final Duration DOCKER_ANSWERS = Duration.ofSeconds(3);
    private static final Duration DOCKER_PULLS = Duration.ofSeconds(60);
    private static final Duration EMBEDDED_STARTS = Duration.ofSeconds(60);

    private static final class Shared {
        static final TestServer SERVER = announced(choose());
    }

    /** The server, started if it was not yet. */
    public static TestServer shared() {
        return Shared.SERVER;
    }

    /** A connection to the database that the server was given or made with. */
    public Connection connect() throws SQLException {
        return DriverManager.getConnection(url, username, password);
    }

    /** The URL with another database in it and the same parameters. */
    public String urlOf(String database) {
        return url.replaceFirst("^(jdbc:postgresql:(?://[^/?]*/)?)[^?]*", "$1" + database);
    }

    private static TestServer choose() {
        return configured("url").map(TestServer::given).orElseGet(() -> hasContainers() ? container() : embedded());
    }

    private static TestServer given(String url) {
        return new TestServer(
                "given",
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

    /*
     * Testcontainers' own check waits minutes for an image that no registry delivers, so Docker is asked directly and
     * with a bound.
     */
    private static boolean hasContainers() {
        return docker(DOCKER_ANSWERS, "version")
                && (docker(DOCKER_ANSWERS, "image", "inspect", IMAGE)
                        || docker(DOCKER_PULLS, "pull", "--quiet", IMAGE));
    }

    private static boolean docker(Duration bound, String... arguments) {
        try {
            var command = new ArrayList<String>();
            command.add("docker");
            command.addAll(List.of(arguments));
            var process = new ProcessBuilder(command)
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.DISCARD)
                    .start();
            if (process.waitFor(bound.toMillis(), TimeUnit.MILLISECONDS)) {
                return process.exitValue() == 0;
            }
            process.destroyForcibly();
            return false;
        } catch (IOException notInstalled) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    // Both servers run until the JVM ends and are stopped by a shutdown hook.
    @SuppressWarnings("resource")
    private static TestServer container() {
        var container = new PostgreSQLContainer(DockerImageName.parse(IMAGE))
                .withCommand("postgres", "-c", "fsync=on", "-c", "synchronous_commit=on", "-c", "max_connections=300");
        container.start();
        Runtime.getRuntime().addShutdownHook(new Thread(container::stop));
        return new TestServer("container", container.getJdbcUrl(), container.getUsername(), container.getPassword());
    }

    @SuppressWarnings("resource")
    private static TestServer embedded() {
        try {
            var postgres = EmbeddedPostgres.builder()
                    .setServerConfig("fsync", "on")
                    .setServerConfig("synchronous_commit", "on")
                    .setServerConfig("max_connections", "300")
                    .setServerConfig("shared_buffers", "256MB")
                    .setServerConfig("max_wal_size", "2GB")
                    .setServerConfig("jit", "off")
                    .setLocaleConfig("locale", "C")
                    .setLocaleConfig("locale-provider", "builtin")
                    .setLocaleConfig("builtin-locale", "C.UTF-8")
                    .setPGStartupWait(EMBEDDED_STARTS)
                    .start();
            return new TestServer(
                    "embedded",
                    "jdbc:postgresql://127.0.0.1:%d/postgres".formatted(postgres.getPort()),
                    "postgres",
                    "");
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
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
