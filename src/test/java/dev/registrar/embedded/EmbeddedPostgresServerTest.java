package dev.registrar.embedded;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.unit.DataSize;

@Tag("thorough")
class EmbeddedPostgresServerTest {
    private final EmbeddedPostgresSettings settings;
    private final Path binaries;

    EmbeddedPostgresServerTest(@TempDir Path parent) throws IOException {
        settings = settings(parent.resolve("postgres"), 0);
        binaries = Files.createSymbolicLink(parent.resolve("postgres-binaries"), unpackedBinaries());
    }

    /* Unpacked once for all tests and runs, not beside each data folder. */
    static Path unpackedBinaries() throws IOException {
        return Files.createDirectories(Path.of("target", "postgres-binaries").toAbsolutePath());
    }

    @AfterEach
    void keep_the_binaries() throws IOException {
        Files.delete(binaries);
    }

    @Test
    void data_survives_a_restart() throws Exception {
        EmbeddedTagSecret secret;
        try (var server = EmbeddedPostgresServer.start(settings)) {
            execute(server, "create table note (content text)");
            execute(server, "insert into note values ('kept')");
            secret = server.tagSecret();
        }

        try (var server = EmbeddedPostgresServer.start(settings)) {
            assertThat(server.tagSecret().text()).hasSize(43).isEqualTo(secret.text());
            assertThat(answer(server, "select content from note")).isEqualTo("kept");
        }
    }

    /** A setting of the server. */
    @Nested
    class Settings {
        private static Path binaries;
        private static EmbeddedPostgresServer server;
        private static Path dataFolder;

        @BeforeAll
        static void start(@TempDir Path parent) throws IOException {
            dataFolder = parent.resolve("postgres");
            binaries = Files.createSymbolicLink(parent.resolve("postgres-binaries"), unpackedBinaries());
            server = EmbeddedPostgresServer.start(settings(parent.resolve("postgres"), 0));
        }

        @AfterAll
        static void stop() throws IOException {
            server.close();
            Files.delete(binaries);
        }

        @Test
        void an_acknowledged_commit_is_on_disk() throws Exception {
            assertThat(answer(server, "show fsync")).isEqualTo("on");
            assertThat(answer(server, "show synchronous_commit")).isEqualTo("on");
            assertThat(answer(server, "show full_page_writes")).isEqualTo("on");
        }

        @Test
        void the_wal_has_small_segments_that_are_kept_and_buffered() throws Exception {
            assertThat(answer(server, "show wal_segment_size")).isEqualTo("1MB");
            assertThat(answer(server, "show min_wal_size")).isEqualTo("512MB");
            assertThat(answer(server, "show wal_buffers")).isEqualTo("16MB");
        }

        @Test
        void the_server_uses_a_quarter_of_the_memory_and_at_most_a_gigabyte() throws Exception {
            assertThat(EmbeddedPostgresServer.sharedBuffers(DataSize.ofGigabytes(2)))
                    .isEqualTo(DataSize.ofMegabytes(512));
            assertThat(EmbeddedPostgresServer.sharedBuffers(DataSize.ofGigabytes(24)))
                    .isEqualTo(DataSize.ofGigabytes(1));
            // PostgreSQL's own choice would be 128 MB.
            assertThat(answer(server, "select pg_size_bytes(current_setting('shared_buffers')) > 134217728"))
                    .isEqualTo("t");
        }

        @Test
        void only_this_machine_can_reach_the_server() throws Exception {
            assertThat(answer(server, "show listen_addresses")).isEqualTo("127.0.0.1");
            // The fifth line is the folder of the socket. Only a superuser may see the setting.
            assertThat(Files.readAllLines(dataFolder.resolve("postmaster.pid")).get(4))
                    .isEmpty();
        }
    }

    @Test
    void the_server_has_stopped_when_close_returns() throws Exception {
        var server = EmbeddedPostgresServer.start(settings);
        var process = ServerProcess.of(settings.dataDirectory()).orElseThrow();

        server.close();

        assertThat(process.isAlive()).isFalse();
        assertThat(settings.dataDirectory().resolve("postmaster.pid")).doesNotExist();
    }

    /*
     * The service is killed as by kill -9; its PostgreSQL keeps running. The next start must stop that server first,
     * and finds the committed data.
     */
    @Test
    void a_server_left_running_by_a_killed_service_is_replaced() throws Exception {
        assertThat(runServiceThatDies().waitFor(300, SECONDS)).isTrue();
        var leftBehind = ServerProcess.of(settings.dataDirectory()).orElseThrow();
        assertThat(leftBehind.isAlive()).isTrue();

        try (var server = EmbeddedPostgresServer.start(settings)) {
            assertThat(leftBehind.isAlive()).isFalse();
            assertThat(answer(server, "select content from note")).isEqualTo("committed before the kill");
        }
    }

    @Test
    void another_process_with_the_id_of_a_dead_server_is_left_alone() throws Exception {
        EmbeddedPostgresServer.start(settings).close();
        var bystander = new ProcessBuilder("sleep", "600").start();
        try {
            Files.writeString(settings.dataDirectory().resolve("postmaster.pid"), bystander.pid() + "\n");

            EmbeddedPostgresServer.start(settings).close();

            assertThat(bystander.isAlive()).isTrue();
        } finally {
            bystander.destroyForcibly();
        }
    }

    @Test
    void a_second_service_on_the_same_folder_is_refused() throws Exception {
        try (var first = EmbeddedPostgresServer.start(settings)) {
            assertThatThrownBy(() -> EmbeddedPostgresServer.start(settings))
                    .isInstanceOf(EmbeddedPostgresFailure.class)
                    .hasMessage(
                            "Another Registrar already uses %s (process %s). Stop it, or set"
                                    + " registrar.embedded.data-directory to another folder, or spring.datasource.url"
                                    + " to another database.",
                            settings.dataDirectory(), ProcessHandle.current().pid());
            assertThat(answer(first, "select 'unharmed'")).isEqualTo("unharmed");
        }
    }

    @Test
    void a_taken_port_is_refused_at_once() throws Exception {
        try (var other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatThrownBy(() ->
                            EmbeddedPostgresServer.start(settings(settings.dataDirectory(), other.getLocalPort())))
                    .hasMessageStartingWith(
                            "Port %s, set by registrar.embedded.port, is taken by another program.",
                            other.getLocalPort());
        }
    }

    @Test
    void data_of_another_major_version_is_refused() throws Exception {
        Files.createDirectories(settings.dataDirectory());
        Files.writeString(settings.dataDirectory().resolve("PG_VERSION"), "17\n");

        assertThatThrownBy(() -> EmbeddedPostgresServer.start(settings))
                .hasMessageContaining("contains data of PostgreSQL 17, but the embedded PostgreSQL is 18.");
    }

    @Test
    void a_folder_of_other_files_is_refused_and_left_alone() throws Exception {
        Files.createDirectories(settings.dataDirectory());
        var foreign = Files.writeString(settings.dataDirectory().resolve("thesis.txt"), "years of work");

        assertThatThrownBy(() -> EmbeddedPostgresServer.start(settings))
                .hasMessageContaining("is not empty and contains no PostgreSQL data.");
        assertThat(foreign).hasContent("years of work");
    }

    @Test
    void an_interrupted_first_start_starts_over() throws Exception {
        Files.createDirectories(settings.dataDirectory());
        Files.writeString(settings.dataDirectory().resolve("postgresql.conf"), "half of a cluster");
        Files.createFile(settings.dataDirectory().resolveSibling("postgres.unfinished"));

        try (var server = EmbeddedPostgresServer.start(settings)) {
            assertThat(answer(server, "select 'up'")).isEqualTo("up");
        }
    }

    private Process runServiceThatDies() throws IOException {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        ServiceThatDies.class.getName(),
                        settings.dataDirectory().toString())
                .redirectOutput(Redirect.DISCARD)
                .redirectError(Redirect.DISCARD)
                .start();
    }

    static EmbeddedPostgresSettings settings(Path dataFolder, int port) {
        return new EmbeddedPostgresSettings(dataFolder, port, Duration.ofMinutes(2));
    }

    static void execute(EmbeddedPostgresServer server, String sql) throws SQLException {
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.username(), server.password());
                var statement = connection.createStatement()) {
            statement.execute(sql);
        }
    }

    static String answer(EmbeddedPostgresServer server, String query) throws SQLException {
        try (var connection = DriverManager.getConnection(server.jdbcUrl(), server.username(), server.password());
                var statement = connection.createStatement();
                var rows = statement.executeQuery(query)) {
            assertThat(rows.next()).isTrue();
            return rows.getString(1);
        }
    }
}
