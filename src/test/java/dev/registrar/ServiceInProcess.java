package dev.registrar;

import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** A service in a process of its own, which can be killed. Its log is in {@code target/services}. */
public final class ServiceInProcess implements AutoCloseable {
    private static final Path LOGS = Path.of("target", "services");

    private final Process process;
    private final int port;
    private final Api api;

    private ServiceInProcess(Process process, int port) {
        this.process = process;
        this.port = port;
        this.api = new Api(port);
    }

    /**
     * Starts a service on a database.
     *
     * @param jvmOptions such as the maximum heap size
     */
    public static ServiceInProcess start(TestDatabase database, String... jvmOptions) throws IOException {
        return start(database, database.url(), Map.of(), jvmOptions);
    }

    /**
     * Starts a service on a database.
     *
     * @param url leads to the database, such as through a proxy
     * @param environment of the process, beside that of this one
     * @param jvmOptions such as the maximum heap size
     */
    public static ServiceInProcess start(
            TestDatabase database, String url, Map<String, String> environment, String... jvmOptions)
            throws IOException {
        List<String> options = new ArrayList<>(List.of("-XX:TieredStopAtLevel=1"));
        options.addAll(List.of(jvmOptions));
        return start(
                List.of(),
                environment,
                options,
                List.of(
                        "--registrar.warm-up.enabled=false",
                        "--spring.datasource.url=" + url,
                        "--spring.datasource.username=" + database.username(),
                        "--spring.datasource.password=" + database.password()));
    }

    /**
     * Starts a service with these arguments.
     *
     * @param launcher the command that runs the JVM, such as {@code taskset}; empty if there is none
     * @param environment of the process, beside that of this one
     */
    public static ServiceInProcess start(
            List<String> launcher, Map<String, String> environment, List<String> jvmOptions, List<String> arguments)
            throws IOException {
        int port = freePort();
        List<String> command = new ArrayList<>(launcher);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.add("--enable-native-access=ALL-UNNAMED");
        command.addAll(jvmOptions);
        command.addAll(List.of(
                "-cp",
                System.getProperty("java.class.path"),
                RegistrarApplication.class.getName(),
                "--server.port=" + port));
        command.addAll(arguments);
        Path log = Files.createDirectories(LOGS).resolve("service-%s.log".formatted(port));
        ProcessBuilder builder =
                new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile());
        builder.environment().putAll(environment);
        return new ServiceInProcess(builder.start(), port);
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    public int port() {
        return port;
    }

    public Api api() {
        return api;
    }

    public boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("The service has ended with " + process.exitValue());
        }
        try {
            return api.get("/actuator/health/readiness").status() == 200;
        } catch (UncheckedIOException notYet) {
            return false;
        }
    }

    /** The process, for signals. */
    public ProcessHandle process() {
        return process.toHandle();
    }

    /** As by kill -9. */
    public void kill() {
        process.destroyForcibly();
    }

    @Override
    public void close() {
        kill();
    }
}
