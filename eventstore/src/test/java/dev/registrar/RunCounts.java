package dev.registrar;

import dev.registrar.testdatabase.StartedApplications;
import dev.registrar.testdatabase.TestDatabase;
import dev.registrar.testdatabase.TestServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Prints what a process of tests has cost, at its end: tests and time, applications and database servers started,
 * databases created, and the heap that remains. Each of them is shared as far as possible. Registered for all tests by
 * a service file.
 */
public final class RunCounts implements BeforeEachCallback {
    private static final long MEGABYTE = 1 << 20;
    private static final AtomicInteger TESTS = new AtomicInteger();

    static {
        // Not after the last test of a run: with two processes for tests, each class of tests is a run.
        Runtime.getRuntime().addShutdownHook(new Thread(RunCounts::print));
    }

    /** Instantiated by JUnit. */
    public RunCounts() {}

    @Override
    public void beforeEach(ExtensionContext context) {
        TESTS.incrementAndGet();
    }

    @SuppressWarnings("resource") // the process's own output: System.out belongs to the tests, and goes to files
    private static void print() {
        var heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage();
        var running = Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime());
        new PrintStream(new FileOutputStream(FileDescriptor.out), true, StandardCharsets.UTF_8)
                .printf(
                        "%s: %s tests ran in %s s; their process started %s applications and %s database servers, created %s"
                                + " databases, and has a heap of %s MB%n",
                        Path.of(System.getProperty("basedir", "")).getFileName(),
                        TESTS.get(),
                        running.toSeconds(),
                        StartedApplications.count(),
                        TestServer.startedServers(),
                        TestDatabase.createdDatabases(),
                        heap.getCommitted() / MEGABYTE);
    }
}
