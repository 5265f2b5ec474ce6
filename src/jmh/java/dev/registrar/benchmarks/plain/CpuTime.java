package dev.registrar.benchmarks.plain;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * CPU time used so far, in microseconds. The kernel counts in steps of 10 ms.
 *
 * @param postgres of all processes of the server, those that have ended included
 */
record CpuTime(long java, long postgres) {
    private static final long MICROSECONDS = 10_000;

    /* Fields of /proc/<pid>/stat behind the name: user and system time of the process, and of its ended children. */
    private static final int OWN = 11;
    private static final int CHILDREN = 13;

    static CpuTime of(ProcessHandle java, ProcessHandle postgres) {
        long children = postgres.children().mapToLong(child -> used(child, OWN)).sum();
        return new CpuTime(used(java, OWN), used(postgres, OWN) + used(postgres, CHILDREN) + children);
    }

    private static long used(ProcessHandle process, int field) {
        try {
            String stat = Files.readString(Path.of("/proc/%s/stat".formatted(process.pid())));
            List<String> fields = Stream.of(
                            stat.substring(stat.lastIndexOf(')') + 2).split(" "))
                    .toList();
            return (Long.parseLong(fields.get(field)) + Long.parseLong(fields.get(field + 1))) * MICROSECONDS;
        } catch (NoSuchFileException ended) {
            return 0; // It counts with its parent now.
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    CpuTime minus(CpuTime before) {
        return new CpuTime(java - before.java, postgres - before.postgres);
    }
}
