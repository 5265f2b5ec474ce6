package dev.registrar.benchmarks;

import java.io.FileNotFoundException;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/** The log file of JMH and the measuring processes. */
public final class RunLog {
    public static final Path FILE = Path.of("target", "benchmarks.log");

    private static final PrintStream STREAM = open();

    private RunLog() {}

    public static PrintStream stream() {
        return STREAM;
    }

    private static PrintStream open() {
        try {
            return new PrintStream(new FileOutputStream(FILE.toFile()), true, StandardCharsets.UTF_8);
        } catch (FileNotFoundException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
