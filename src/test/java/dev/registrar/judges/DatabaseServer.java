package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.testdatabase.TestServer;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.util.FileSystemUtils;

/**
 * A PostgreSQL server of one test, whose processes can be killed, frozen and started again. Its settings are those of
 * the server that tests share: without {@code fsync}, what PostgreSQL has written survives its processes, but not its
 * machine.
 */
final class DatabaseServer implements AutoCloseable {
    private final Path data;
    private final Path log;
    private final String program;
    private final int port;
    private final List<String> settings = new ArrayList<>();
    private Process process;

    private DatabaseServer(Path data, Path log, String program, int port, Map<String, String> some) throws IOException {
        this.data = data;
        this.log = log;
        this.program = program;
        this.port = port;
        Map.of(
                        "listen_addresses", "127.0.0.1",
                        "unix_socket_directories", "",
                        "fsync", "off",
                        "max_connections", "300",
                        "shared_buffers", "128MB",
                        "wal_buffers", "16MB",
                        "jit", "off")
                .forEach(this::set);
        some.forEach(this::set);
        this.process = launch(Map.of());
    }

    private void set(String name, String value) {
        settings.add("-c");
        settings.add(name + "=" + value);
    }

    /**
     * Creates a server and starts it.
     *
     * @param disk the folder in which a folder has its data
     * @param walDisk the folder in which a folder has its write-ahead log
     * @param log the file of its messages
     * @param some settings beside those of all tests
     */
    static DatabaseServer create(Path disk, Path walDisk, Path log, Map<String, String> some) throws IOException {
        Path data = disk.resolve("data");
        Path wal = walDisk.resolve("wal");
        // The library unpacks the binaries and runs initdb; its own server cannot be started twice.
        int port;
        String program;
        try (EmbeddedPostgres first = EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setLocaleConfig("locale", "C")
                .setLocaleConfig("locale-provider", "builtin")
                .setLocaleConfig("builtin-locale", "C.UTF-8")
                .setLocaleConfig("wal-segsize", "1")
                .start()) {
            port = first.getPort();
            program = processIn(data).info().command().orElseThrow();
        }
        Path inData = data.resolve("pg_wal");
        FileSystemUtils.copyRecursively(inData, wal);
        FileSystemUtils.deleteRecursively(inData);
        Files.createSymbolicLink(inData, wal);
        return new DatabaseServer(data, log, program, port, some);
    }

    private static ProcessHandle processIn(Path data) throws IOException {
        String pid = Files.readAllLines(data.resolve("postmaster.pid")).getFirst();
        return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
    }

    /** The server, as tests create their databases on it. */
    TestServer asTestServer() {
        return new TestServer("own", "jdbc:postgresql://127.0.0.1:%s/postgres".formatted(port), "postgres", "");
    }

    /**
     * Starts the server again, and waits until it answers.
     *
     * @param environment of its processes, beside that of this one
     */
    void start(Map<String, String> environment) throws IOException {
        process = launch(environment);
    }

    private Process launch(Map<String, String> environment) throws IOException {
        List<String> command = new ArrayList<>();
        // PostgreSQL refuses to run as root, but not as root of another user namespace.
        if ("root".equals(System.getProperty("user.name"))) {
            command.addAll(List.of("unshare", "-U"));
        }
        command.addAll(List.of(program, "-D", data.toString(), "-p", String.valueOf(port)));
        command.addAll(settings);
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        Process launched = builder.start();
        await().until(() -> {
            assertThat(launched.isAlive())
                    .as("the server runs; its messages are in %s", log)
                    .isTrue();
            return answers();
        });
        return launched;
    }

    private boolean answers() {
        try (Connection connection = asTestServer().connect()) {
            return connection.isValid(1);
        } catch (SQLException notYet) {
            return false;
        }
    }

    /** Waits until the server answers, and starts it again if it has ended by itself. */
    void awaitAnswer() {
        await().until(() -> {
            if (!process.isAlive()) {
                process = launch(Map.of());
            }
            return answers();
        });
    }

    /** Kills all of its processes, as by {@code kill -9}. */
    void kill() throws IOException {
        freeze();
        List<ProcessHandle> all = processes().toList();
        all.forEach(ProcessHandle::destroyForcibly);
        await().until(() -> all.stream().noneMatch(ProcessHandle::isAlive));
    }

    /** Stops it as its administrator does: sessions are ended. */
    void stop() throws IOException {
        Signals.send("INT", Stream.of(process.toHandle()));
        await().until(() -> !process.isAlive());
    }

    /**
     * Stops the time of all of its processes. The first one is stopped before its children, so that it has no further.
     */
    void freeze() throws IOException {
        Signals.send("STOP", Stream.of(process.toHandle()));
        Signals.send("STOP", process.children());
    }

    void thaw() throws IOException {
        Signals.send("CONT", processes());
    }

    private Stream<ProcessHandle> processes() {
        return Stream.concat(Stream.of(process.toHandle()), process.children());
    }

    @Override
    public void close() throws IOException {
        if (process.isAlive()) {
            thaw();
            stop();
        }
    }
}
