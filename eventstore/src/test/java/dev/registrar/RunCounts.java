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
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Prints what a run has cost, at its end: tests and time, applications and database servers started, databases created,
 * and the heap that remains. Each of them is shared as far as possible. Registered for all tests by a service file.
 */
public final class RunCounts implements BeforeAllCallback, BeforeEachCallback, AutoCloseable {
    private static final long MEGABYTE = 1 << 20;
    private static final AtomicInteger TESTS = new AtomicInteger();

    /** Instantiated by JUnit. */
    public RunCounts() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        context.getRoot()
                .getStore(ExtensionContext.Namespace.GLOBAL)
                .computeIfAbsent(RunCounts.class, key -> new RunCounts());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        TESTS.incrementAndGet();
    }

    /** Called by JUnit after the last test. */
    @Override
    @SuppressWarnings("resource") // the process's own output: System.out belongs to the tests, and goes to files
    public void close() {
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
