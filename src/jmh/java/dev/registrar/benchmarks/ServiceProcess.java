package dev.registrar.benchmarks;

import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.ServiceInProcess;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The service with the plain tables as a process of its own, which outlives the processes that measure it. */
public final class ServiceProcess implements AutoCloseable {
    /** The setting of the service that turns the plain tables on. */
    public static final String PLAIN_TABLES = "benchmarks.plain-tables";

    private static final Duration VIEWS_TIMEOUT = Duration.ofMinutes(10);
    private static final String PORT = "port";
    private static final String PID = "pid";

    private final ServiceInProcess service;

    /** Starts the service as the image does, but with a heap of 512 MB, and returns when its views have all events. */
    ServiceProcess(MeasuredDatabase database) throws IOException {
        List<String> arguments = new ArrayList<>(List.of(
                "--registrar.load-test.enabled=true",
                // Every student may take part in each of the courses that all want.
                "--registrar.enrollment.courses-per-student=1000",
                "--%s=true".formatted(PLAIN_TABLES)));
        arguments.addAll(database.serviceArguments());
        service = ServiceInProcess.start(
                pinned(database),
                Map.of(),
                List.of(
                        "-Xmx512m",
                        "-XX:+UseParallelGC",
                        "-XX:+IgnoreUnrecognizedVMOptions",
                        "--sun-misc-unsafe-memory-access=allow"),
                arguments);
        Runtime.getRuntime().addShutdownHook(new Thread(service::kill));
        await("readiness; its log is in target/services")
                .atMost(AwaitilityTimeouts.MAX_WAIT)
                .until(service::isReady);
        awaitViews(service.api());
    }

    /*
     * With -Dpinned=true the service gets the first processor and the server the second one, whose new sessions inherit
     * it. The load generator uses all processors.
     */
    private static List<String> pinned(MeasuredDatabase database) throws IOException {
        if (!Boolean.getBoolean("pinned")) {
            return List.of();
        }
        ProcessHandle postgres = database.server()
                .orElseThrow(() -> new IllegalStateException("-Dpinned=true needs PostgreSQL on this machine"));
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

    private static void awaitViews(Api api) {
        await("the views to have every event")
                .atMost(VIEWS_TIMEOUT)
                .until(() -> api.get("/api/admin/projections")
                        .expect(200)
                        .json()
                        .path("projections")
                        .valueStream()
                        .noneMatch(projection -> projection.path("lagEvents").asLong() > 0));
    }

    /** Waits until the views of the service that this process measures have every event. */
    public static void awaitViews() {
        awaitViews(new Api(portOfThisProcess()));
    }

    /** Returns the system properties that pass the service to a measuring process. */
    Map<String, String> asProperties() {
        return Map.of(
                MeasuredDatabase.PREFIX + PORT, Integer.toString(service.port()),
                MeasuredDatabase.PREFIX + PID, Long.toString(service.process().pid()));
    }

    /** Returns the port of the service that this process measures. */
    public static int portOfThisProcess() {
        return Integer.parseInt(MeasuredDatabase.property(PORT));
    }

    /** Returns the service that this process measures. */
    static ProcessHandle ofThisProcess() {
        return ProcessHandle.of(Long.parseLong(MeasuredDatabase.property(PID))).orElseThrow();
    }

    @Override
    public void close() {
        service.close();
    }
}
