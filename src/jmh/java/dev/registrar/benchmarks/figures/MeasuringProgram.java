package dev.registrar.benchmarks.figures;

import java.io.IOException;
import java.util.Optional;

/** What a program that measures says to the process that started it. */
final class MeasuringProgram {
    static final String READY = "ready";

    private static final String READING = "reading ";

    private MeasuringProgram() {}

    /** One number, by name. */
    record Reading(String name, double value) {}

    /** Says that everything is prepared, and waits until the measurement is to begin. */
    static void awaitStart() throws IOException {
        System.out.println(READY);
        int line = System.in.read();
        if (line < 0) {
            throw new IllegalStateException("Nobody waits for the measurement any more");
        }
    }

    static void tell(String name, double value) {
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
