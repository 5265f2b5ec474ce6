package dev.registrar.judges;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * A history as the program in {@code src/test/porcupine} reads it. An append whose outcome is unknown has the positions
 * that the log shows.
 *
 * @param planted the fault that must be found; null if the history must be right
 */
record PorcupineFile(String name, @Nullable String planted, long start, List<History.Stored> log, List<Call> calls) {

    static void write(Path folder, String name, @Nullable String planted, History history) throws IOException {
        Timeline timeline = new Timeline(history);
        List<Call> calls = history.calls().stream()
                .filter(call -> !hasFailed(call))
                .map(call -> settled(call, timeline))
                .toList();
        PorcupineFile file = new PorcupineFile(name, planted, history.start(), history.log(), calls);
        Files.writeString(folder.resolve(name + ".json"), JsonMapper.shared().writeValueAsString(file));
    }

    /** Whether the answer says that nothing was tried. */
    private static boolean hasFailed(Call call) {
        return call.append() != null && call.append().parts().getFirst().outcome() == Outcome.FAILED;
    }

    private static Call settled(Call call, Timeline timeline) {
        Appending append = call.append();
        if (append == null) {
            return call;
        }
        List<Part> parts = append.parts().stream()
                .map(part ->
                        settled(part, timeline.position(part.events().getFirst().id())))
                .toList();
        return call.with(new Appending(append.key(), append.decidedOn(), parts));
    }

    private static Part settled(Part part, @Nullable Long position) {
        return part.outcome() != Outcome.UNKNOWN || position == null
                ? part
                : new Part(
                        part.events(),
                        part.conditions(),
                        Outcome.UNKNOWN,
                        position,
                        position + part.events().size() - 1,
                        null);
    }
}
