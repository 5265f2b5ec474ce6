package dev.registrar.judges;

import dev.registrar.judges.History.Call;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** Records calls, and writes each as a line of JSON to the history's file. */
final class Recorder implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final List<Call> calls = new ArrayList<>();
    private final BufferedWriter file;

    Recorder(Path path) throws IOException {
        file = Files.newBufferedWriter(path);
    }

    void add(Call call) {
        write(call, JSON.writeValueAsString(call));
    }

    private synchronized void write(Call call, String line) {
        calls.add(call);
        try {
            file.write(line);
            file.newLine();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /** The calls so far, from the given one on. */
    synchronized List<Call> calls(int from) {
        return List.copyOf(calls.subList(from, calls.size()));
    }

    synchronized int size() {
        return calls.size();
    }

    @Override
    public synchronized void close() throws IOException {
        file.close();
    }
}
