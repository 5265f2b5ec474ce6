package dev.registrar.judges;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import dev.registrar.judges.History.Stored;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** A short history of a correct store, for tests of the judges themselves. */
final class RecordedRound {
    private static final int STEPS = 300;

    private RecordedRound() {}

    /** @param folder for the history's file */
    static History in(Path folder) throws IOException {
        InMemoryEventStore store = new InMemoryEventStore();
        LibraryInstance instance = new LibraryInstance("memory", store);
        try (Recorder recorder = new Recorder(folder.resolve("history.ndjson"))) {
            Workload work = Workload.of("round", recorder, new AtomicLong());
            List<Client> clients = List.of(
                    new Client(0, instance, instance, work, 1),
                    new Client(1, instance, instance, work, 1),
                    new Client(2, instance, instance, work, 1));
            for (int step = 0; step < STEPS; step++) {
                clients.get(step % clients.size()).step();
            }
            return new History(0, recorder.calls(0), log(store));
        }
    }

    private static List<Stored> log(InMemoryEventStore store) {
        try (EventStream events = store.read(Query.all())) {
            return events.stream()
                    .map(event -> new Stored(
                            event.position().value(),
                            event.event().id(),
                            event.event().type(),
                            event.event().tags().stream().map(Tag::value).toList(),
                            null))
                    .toList();
        }
    }
}
