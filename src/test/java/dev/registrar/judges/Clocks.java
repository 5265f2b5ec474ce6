package dev.registrar.judges;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** A clock of processes that can be moved, by Debian's package {@code faketime}. */
final class Clocks {
    private final Path file;
    private final Path library;

    private Clocks(Path file, Path library) {
        this.file = file;
        this.library = library;
    }

    /** A clock whose file is in this folder; empty where the package is missing. */
    static Optional<Clocks> in(Path folder) throws IOException {
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of("/usr/lib"), "*-linux-*")) {
            for (Path each : folders) {
                Path library = each.resolve("faketime/libfaketimeMT.so.1");
                if (Files.exists(library)) {
                    return Optional.of(new Clocks(folder.resolve("clock"), library));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * Of processes that have this clock. What measures durations is left as it is, and so are the times of files. With
     * its correction of monotonic waits, each timed wait of a JVM would end at once, and the process be busy with
     * waiting.
     */
    Map<String, String> environment() {
        return Map.of(
                "LD_PRELOAD", library.toString(),
                "FAKETIME_TIMESTAMP_FILE", file.toString(),
                "FAKETIME_CACHE_DURATION", "1",
                "FAKETIME_FORCE_MONOTONIC_FIX", "0",
                "NO_FAKE_STAT", "1",
                "FAKETIME_DONT_FAKE_MONOTONIC", "1",
                "DONT_FAKE_MONOTONIC", "1");
    }

    /**
     * Moves the clock; processes notice it within a second.
     *
     * @param by such as {@code -1h}, from the machine's clock
     */
    void move(String by) throws IOException {
        Files.writeString(file, by + "\n");
    }
}
