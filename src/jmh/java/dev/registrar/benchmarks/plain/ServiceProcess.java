package dev.registrar.benchmarks.plain;

import dev.registrar.RegistrarApplication;
import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The service with the plain tables as a process of its own, whose CPU time and memory are its own too. */
final class ServiceProcess implements AutoCloseable {
    private static final Path LOG = Path.of("target/plain-service.log");
    private static final long STARTS = TimeUnit.MINUTES.toNanos(2);
    private static final long CATCHES_UP = TimeUnit.MINUTES.toNanos(10);
    private static final Pattern BEHIND = Pattern.compile("\"lagEvents\":[1-9]");
    private static final Pattern RESIDENT = Pattern.compile("VmRSS:\\s+(\\d+) kB");

    private final Process process;
    private final ProcessHandle postgres;
    private final HttpClient client = HttpClient.newHttpClient();
    final int port;
    final Connection database;

    /**
     * Starts the service as the image does, but with a heap of 512 MB, and returns when it is ready.
     *
     * @param url of a database on a server of this machine
     */
    ServiceProcess(String url, String username, String password) throws IOException, SQLException {
        database = DriverManager.getConnection(url, username, password);
        postgres = server(database);
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Files.createDirectories(LOG.toAbsolutePath().getParent());
        List<String> command = new ArrayList<>(pinned(postgres));
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseParallelGC",
                "-XX:+IgnoreUnrecognizedVMOptions",
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-classpath",
                System.getProperty("java.class.path"),
                RegistrarApplication.class.getName(),
                "--server.port=" + port,
                "--logging.level.root=warn",
                "--spring.datasource.url=" + url,
                "--spring.datasource.username=" + username,
                "--spring.datasource.password=" + password,
                "--registrar.load-test.enabled=true",
                // Every student may take part in each of the courses that all want.
                "--registrar.enrollment.courses-per-student=1000",
                "--%s=true".formatted(PlainTables.ENABLED)));
        process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(LOG.toFile())
                .redirectInput(new File("/dev/null"))
                .start();
        Runtime.getRuntime().addShutdownHook(new Thread(process::destroy));
        awaitReadiness();
    }

    /*
     * With -Dpinned=true the service gets the first processor and the server the second one, whose new sessions inherit
     * it. The load generator uses all processors.
     */
    private static List<String> pinned(ProcessHandle postgres) throws IOException {
        if (!Boolean.getBoolean("pinned")) {
            return List.of();
        }
        List<Long> pids = Stream.concat(Stream.of(postgres), postgres.children())
                .map(ProcessHandle::pid)
                .toList();
        for (long pid : pids) {
            int status = new ProcessBuilder("taskset", "-acp", "1", Long.toString(pid))
                    .redirectOutput(Redirect.DISCARD)
                    .redirectError(Redirect.INHERIT)
                    .start()
                    .onExit()
                    .join()
                    .exitValue();
            if (status != 0) {
                throw new IllegalStateException(
                        "-Dpinned=true needs a second processor and PostgreSQL's own user or root: taskset ended with %s"
                                .formatted(status));
            }
        }
        return List.of("taskset", "-c", "0");
    }

    /* Each session is a process whose parent is the server. */
    private static ProcessHandle server(Connection database) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery("select pg_backend_pid()")) {
            row.next();
            return ProcessHandle.of(row.getLong(1))
                    .flatMap(ProcessHandle::parent)
                    .orElseThrow(() -> new IllegalStateException(
                            "PostgreSQL must run on this machine, since its CPU time is measured"));
        }
    }

    private void awaitReadiness() throws IOException {
        long end = System.nanoTime() + STARTS;
        while (process.isAlive() && System.nanoTime() < end) {
            try {
                if (answer("GET", "/actuator/health/readiness", "").statusCode() == 200) {
                    return;
                }
            } catch (IOException notYet) {
                // The service does not accept connections yet.
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(50));
        }
        close();
        throw new IllegalStateException("The service did not become ready: see " + LOG);
    }

    private HttpResponse<String> answer(String method, String path, String body, String... headers) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .method(method, body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body))
                .header("Content-Type", "application/json");
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }

    /**
     * Sends a request that is not measured, and returns the body of the answer.
     *
     * @param headers names and values in turns
     * @throws IllegalStateException if the answer has another status
     */
    String send(int expected, String method, String path, String body, String... headers) throws IOException {
        HttpResponse<String> answer = answer(method, path, body, headers);
        if (answer.statusCode() != expected) {
            throw new IllegalStateException("%s %s was answered with status %s instead of %s: %s"
                    .formatted(method, path, answer.statusCode(), expected, answer.body()));
        }
        return answer.body();
    }

    /** Waits until the views have every event. */
    void awaitViews() throws IOException {
        long end = System.nanoTime() + CATCHES_UP;
        while (BEHIND.matcher(send(200, "GET", "/api/admin/projections", "")).find()) {
            if (System.nanoTime() > end) {
                throw new IllegalStateException("The views did not catch up");
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    CpuTime cpuTime() {
        return CpuTime.of(process.toHandle(), postgres);
    }

    /** The service's resident memory, in MB. */
    long residentMemory() throws IOException {
        Matcher found = RESIDENT.matcher(Files.readString(Path.of("/proc/%s/status".formatted(process.pid()))));
        if (!found.find()) {
            throw new IllegalStateException("The service has ended: see " + LOG);
        }
        return Long.parseLong(found.group(1)) / 1024;
    }

    /** A number that a query finds. */
    long count(String sql) throws SQLException {
        try (Statement statement = database.createStatement();
                ResultSet row = statement.executeQuery(sql)) {
            row.next();
            return row.getLong(1);
        }
    }

    @Override
    public void close() {
        process.destroy();
        try {
            if (!process.waitFor(40, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
            database.close();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
