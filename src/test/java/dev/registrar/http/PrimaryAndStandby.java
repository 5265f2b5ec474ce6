package dev.registrar.http;

import static org.awaitility.Awaitility.await;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.stream.Stream;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;

/** A PostgreSQL server and a standby that streams from it; the standby can be stopped and can fall behind. */
final class PrimaryAndStandby implements AutoCloseable {
    private final Path folder;
    private final EmbeddedPostgres primary;
    private final int standbyPort;
    private EmbeddedPostgres standby;

    private PrimaryAndStandby(Path folder, EmbeddedPostgres primary, EmbeddedPostgres standby) {
        this.folder = folder;
        this.primary = primary;
        this.standby = standby;
        this.standbyPort = standby.getPort();
    }

    /* The binaries have no pg_basebackup, so the standby begins as a copy of a server that is stopped. */
    static PrimaryAndStandby start() throws IOException {
        Path folder = Files.createTempDirectory(Files.createDirectories(Path.of("target")), "standby")
                .toAbsolutePath();
        server(folder.resolve("primary"), 0).close();
        copy(folder.resolve("primary"), folder.resolve("standby"));
        EmbeddedPostgres primary = server(folder.resolve("primary"), 0);
        Files.createFile(folder.resolve("standby/standby.signal"));
        Files.writeString(
                folder.resolve("standby/postgresql.auto.conf"),
                "primary_conninfo = 'host=127.0.0.1 port=%s user=postgres'%n".formatted(primary.getPort()),
                StandardOpenOption.APPEND);
        return new PrimaryAndStandby(folder, primary, server(folder.resolve("standby"), 0));
    }

    /** @param port 0 for any */
    private static EmbeddedPostgres server(Path data, int port) throws IOException {
        EmbeddedPostgres.Builder builder = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setServerConfig("wal_keep_size", "1GB")
                .setServerConfig("max_connections", "100")
                .setPGStartupWait(Duration.ofMinutes(2));
        return (port == 0 ? builder : builder.setPort(port)).start();
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            files.forEach(file -> {
                try {
                    Files.copy(file, to.resolve(from.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
                } catch (IOException failure) {
                    throw new UncheckedIOException(failure);
                }
            });
        }
    }

    String primaryUrl() {
        return url(primary.getPort());
    }

    String standbyUrl() {
        return url(standbyPort);
    }

    private static String url(int port) {
        return "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(port);
    }

    JdbcClient onPrimary() {
        return JdbcClient.create(primary.getPostgresDatabase());
    }

    void executeOnPrimary(String statements) {
        new JdbcTemplate(primary.getPostgresDatabase()).execute(statements);
    }

    JdbcClient onStandby() {
        return JdbcClient.create(standby.getPostgresDatabase());
    }

    /** Lets the standby stay behind from now on. */
    void pauseReplay() {
        onStandby().sql("select pg_wal_replay_pause()").query(row -> {});
        await().until(() -> onStandby()
                .sql("select pg_get_wal_replay_pause_state()")
                .query(String.class)
                .single()
                .equals("paused"));
    }

    void resumeReplay() {
        onStandby().sql("select pg_wal_replay_resume()").query(row -> {});
    }

    void stopStandby() throws IOException {
        standby.close();
    }

    void startStandby() throws IOException {
        standby = server(folder.resolve("standby"), standbyPort);
    }

    @Override
    public void close() throws IOException {
        standby.close();
        primary.close();
        FileSystemUtils.deleteRecursively(folder);
    }
}
