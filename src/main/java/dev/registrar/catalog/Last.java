package dev.registrar.catalog;

import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.Optional;

/** The last event of a query that the codec can decode, in its stored and its decoded form. */
record Last(SequencedEvent stored, EnrollmentEvent event) {

    /**
     * Finds the event in one look-up, unless other clients of the store have appended events that cannot be decoded.
     */
    static Optional<Last> of(EventStore store, EnrollmentEventCodec codec, Query query) {
        Optional<SequencedEvent> last = store.last(query);
        Optional<Last> readable = last.flatMap(event -> read(event, codec));
        if (last.isEmpty() || readable.isPresent()) {
            return readable;
        }
        try (EventStream earlier =
                store.read(query, ReadOptions.backwards().after(last.get().position()))) {
            while (earlier.hasNext()) {
                readable = read(earlier.next(), codec);
                if (readable.isPresent()) {
                    return readable;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<Last> read(SequencedEvent event, EnrollmentEventCodec codec) {
        return codec.readable(event.event()).map(readable -> new Last(event, readable));
    }
}
