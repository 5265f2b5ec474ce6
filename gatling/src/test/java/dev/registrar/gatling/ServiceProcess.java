package dev.registrar.gatling;

import dev.registrar.testdatabase.TestContainer;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The packaged service as a child process, on a PostgreSQL that is, in this order: the one of
 * {@code registrar.test.database.url}, a container if Docker can start one quickly, the service's own embedded one in a
 * new folder. Its store has a schema of its own, since load tests empty it.
 */
final class ServiceProcess {
    /** The folder of the load tests. */
    static final Path GATLING = folder();

    private static final Path PROJECT = GATLING.resolve("..").normalize();
    private static final Path RUNS_IN = GATLING.resolve("target/service");
    private static final Path EMBEDDED = RUNS_IN.resolve("postgres");
    private static final Duration STARTS = Duration.ofMinutes(10);
    private static final Duration STOPS = Duration.ofSeconds(40);
    private static final String DATABASE = "registrar.test.database.";

    private final Process process;
    private final String baseUrl;
    private final String server;

    private ServiceProcess(Process process, String baseUrl, String server) {
        this.process = process;
        this.baseUrl = baseUrl;
        this.server = server;
    }

    /** The kind of its database server: embedded, container or external. */
    String server() {
        return server;
    }

    String baseUrl() {
        return baseUrl;
    }

    long pid() {
        return process.pid();
    }

    /* Relative to target/test-classes, in any working directory. */
    private static Path folder() {
        URI classes = URI.create(ServiceProcess.class
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toString());
        return Path.of(classes).resolve("../..").normalize();
    }

    /**
     * Starts the service, which Maven has packaged. It is ready when this method returns, and is stopped when this
     * process ends.
     */
    static ServiceProcess start() throws IOException, InterruptedException {
        long begun = System.nanoTime();
        Path jar = jar();
        deleteRecursively(RUNS_IN);
        Files.createDirectories(RUNS_IN);
        int port = freePort();
        String heap = heap();
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xms" + heap,
                "-Xmx" + heap,
                "-XX:+UseParallelGC",
                "-XX:+ExitOnOutOfMemoryError",
                "--enable-native-access=ALL-UNNAMED"));
        Settings.text("service.options")
                .ifPresent(options -> command.addAll(List.of(options.trim().split(" +"))));
        command.addAll(List.of(
                "-jar",
                jar.toString(),
                "--server.port=" + port,
                "--registrar.load-test.enabled=true",
                "--registrar.live.max-streams-per-client=1000000",
                "--registrar.dcb.max-long-reads-per-client=1000000",
                "--registrar.store.schema=load_test"));
        System.out.println("Starting the service and its database");
        Database database = database();
        command.addAll(database.options());
        Process process = new ProcessBuilder(command)
                .directory(RUNS_IN.toFile())
                .redirectErrorStream(true)
                .redirectOutput(RUNS_IN.resolve("service.log").toFile())
                .start();
        ServiceProcess service = new ServiceProcess(process, "http://127.0.0.1:" + port, database.kind());
        Runtime.getRuntime().addShutdownHook(new Thread(service::stop));
        service.awaitReadiness();
        System.out.printf(
                "The service is ready at %s after %s s, with a heap of %s and %s PostgreSQL%n",
                service.baseUrl(), (System.nanoTime() - begun) / 1_000_000_000, heap, service.server());
        return service;
    }

    /** The size of the service's heap, in the JVM's notation. */
    static String heap() {
        return Settings.text("service.heap").orElse("512m");
    }

    /** A kind of server, and the settings of the service for it. */
    private record Database(String kind, List<String> options) {}

    private static Database database() {
        Optional<String> given = Settings.text(DATABASE + "url");
        if (given.isPresent()) {
            return datasource(
                    "external",
                    given.get(),
                    Settings.text(DATABASE + "username").orElse("postgres"),
                    Settings.text(DATABASE + "password").orElse(""));
        }
        return TestContainer.start(stop -> Runtime.getRuntime().addShutdownHook(new Thread(stop)))
                .map(container -> datasource(
                        "container", container.getJdbcUrl(), container.getUsername(), container.getPassword()))
                .orElse(new Database(
                        "embedded",
                        List.of(
                                "--registrar.embedded.data-directory=" + EMBEDDED,
                                "--registrar.embedded.startup-timeout=" + STARTS.toMinutes() + "m")));
    }

    private static Database datasource(String kind, String url, String username, String password) {
        return new Database(
                kind,
                List.of(
                        "--spring.datasource.url=" + url,
                        "--spring.datasource.username=" + username,
                        "--spring.datasource.password=" + password,
                        "--registrar.enrollment.tag-secret=of-the-load-tests-and-of-no-other-service"));
    }

    private static Path jar() throws IOException {
        try (Stream<Path> files = Files.list(PROJECT.resolve("target"))) {
            return files.filter(file -> file.getFileName().toString().matches("registrar-.*-exec\\.jar"))
                    .findAny()
                    .orElseThrow(() -> new IllegalStateException("There is no target/registrar-*-exec.jar"));
        }
    }

    private static void deleteRecursively(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }

    private static int freePort() throws IOException {
        try (ServerSocket probe = new ServerSocket(0)) {
            return probe.getLocalPort();
        }
    }

    private void awaitReadiness() throws IOException, InterruptedException {
        HttpRequest readiness = HttpRequest.newBuilder(URI.create(baseUrl + "/actuator/health/readiness"))
                .build();
        long end = System.nanoTime() + STARTS.toNanos();
        try (HttpClient client = HttpClient.newHttpClient()) {
            while (process.isAlive() && System.nanoTime() < end) {
                try {
                    if (client.send(readiness, BodyHandlers.discarding()).statusCode() == 200) {
                        return;
                    }
                } catch (IOException notYet) {
                    // The service does not accept connections yet.
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
        }
        throw new IllegalStateException(
                "The service did not become ready:\n" + Files.readString(RUNS_IN.resolve("service.log")));
    }

    /* Terminates the process, and kills it if it does not end. */
    private void stop() {
        process.destroy();
        try {
            if (!process.waitFor(STOPS.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
        stopDatabase();
    }

    /* A service that was killed leaves its database server running. */
    private static void stopDatabase() {
        try {
            String pid = Files.readAllLines(EMBEDDED.resolve("postmaster.pid")).getFirst();
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroy);
        } catch (NoSuchFileException stopped) {
            // The server has ended, as expected.
        } catch (IOException failure) {
            System.out.println("It is unknown whether a database server is left running: " + failure);
        }
    }
}
