package dev.registrar.benchmarks;

import dev.registrar.benchmarks.report.Measured;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.openjdk.jmh.results.ScalarResult;

/**
 * Reports the CPU time of the service and of PostgreSQL for a call, in microseconds, with what the views needed for the
 * events of the measurement; nothing if PostgreSQL runs elsewhere. The kernel counts in steps of 10 ms.
 */
public final class CpuTime extends IterationProfiler {
    static final String JAVA = "cpu of Java";
    static final String POSTGRES = "cpu of PostgreSQL";

    private static final double MICROSECONDS = 10_000;

    /* Fields of /proc/<pid>/stat behind the name: user and system time of the process, and of its ended children. */
    private static final int OWN = 11;
    private static final int CHILDREN = 13;

    private final ProcessHandle service = ServiceProcess.ofThisProcess();
    private final Optional<ProcessHandle> server =
            MeasuredDatabase.ofThisProcess().server();
    private Used before = new Used(0, 0);

    /** @param postgres of all processes of the server, those that have ended included */
    private record Used(double java, double postgres) {}

    @Override
    void begin(long microseconds) {
        before = used();
    }

    @Override
    List<ScalarResult> end(long calls, long microseconds) {
        if (server.isEmpty()) {
            return List.of();
        }
        Used now = used();
        double java = (now.java - before.java) / calls;
        double postgres = (now.postgres - before.postgres) / calls;
        return List.of(figure(Measured.CPU, java + postgres), figure(JAVA, java), figure(POSTGRES, postgres));
    }

    private Used used() {
        ServiceProcess.awaitViews();
        double sessions = server.stream()
                .flatMap(ProcessHandle::children)
                .mapToDouble(session -> used(session, OWN))
                .sum();
        double ended = server.stream()
                .mapToDouble(main -> used(main, OWN) + used(main, CHILDREN))
                .sum();
        return new Used(used(service, OWN), ended + sessions);
    }

    private static double used(ProcessHandle process, int field) {
        try {
            String stat = Files.readString(Path.of("/proc/%s/stat".formatted(process.pid())));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
            return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) * MICROSECONDS;
        } catch (NoSuchFileException ended) {
            return 0; // It counts with its parent now.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
