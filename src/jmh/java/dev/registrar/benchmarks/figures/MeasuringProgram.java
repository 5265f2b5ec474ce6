package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.util.Optional;

/** The protocol between a measuring program and the process that started it, on standard input and output. */
final class MeasuringProgram {
    static final String READY = "ready";

    private static final String READING = "reading ";

    private MeasuringProgram() {}

    /** A named number. */
    record Reading(String name, double value) {}

    /** Reports that everything is prepared, and waits for the start of the measurement. */
    static void awaitStart() throws IOException {
        System.out.println(READY);
        int line = System.in.read();
        if (line < 0) {
            throw new IllegalStateException("The process that started the measurement has closed its output");
        }
    }

    static void report(String name, double value) {
        System.out.println(READING + value + " " + name);
    }

    static Optional<Reading> reading(String line) {
        if (!line.startsWith(READING)) {
            return Optional.empty();
        }
        String[] parts = line.substring(READING.length()).split(" ", 2);
        return Optional.of(new Reading(parts[1], Double.parseDouble(parts[0])));
    }
}
