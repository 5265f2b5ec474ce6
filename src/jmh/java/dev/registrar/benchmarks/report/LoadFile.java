package dev.registrar.benchmarks.report;

import static java.util.stream.Collectors.joining;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/**
 * The published run of each simulation under each profile, with a line for each run.
 *
 * @param runs at most one of each simulation and profile, by name
 */
record LoadFile(List<LoadRun> runs) {
    static final String FILE = "load.json";

    private static final JsonMapper JSON = JsonMapper.shared();

    LoadFile {
        runs = runs.stream()
                .sorted(Comparator.comparing(LoadRun::simulation).thenComparing(LoadRun::profile))
                .toList();
    }

    /** Reads the file; no runs if there is none. */
    static LoadFile read(Path file) {
        return Files.exists(file) ? JSON.readValue(file, LoadFile.class) : new LoadFile(List.of());
    }

    /** Returns these runs, with others in the place of those of the same simulation and profile. */
    LoadFile with(List<LoadRun> newer) {
        List<LoadRun> all = new ArrayList<>(newer);
        runs.stream()
                .filter(run -> newer.stream().noneMatch(other -> other.isOfSame(run)))
                .forEach(all::add);
        return new LoadFile(all);
    }

    void write(Path file) {
        String text = runs.stream().map(JSON::writeValueAsString).collect(joining(",\n", "{\"runs\": [\n", "\n]}\n"));
        try {
            Path written = file.resolveSibling(file.getFileName() + ".new");
            Files.writeString(written, text);
            Files.move(written, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException failure) {
            throw new UncheckedIOException("Cannot write " + file, failure);
        }
    }
}
