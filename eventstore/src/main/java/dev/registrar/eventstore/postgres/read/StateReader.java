package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Fold;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Folds the events of the store in PostgreSQL into states. Does not check the limits of queries. */
public final class StateReader {
    private final StoreReader reader;

    public StateReader(StoreReader reader) {
        this.reader = reader;
    }

    /**
     * Brings states up to date in one read. If the store no longer has the head of a state, or a tag that its query
     * names was added later to an event up to there, that state is folded again from the first event.
     *
     * @param progress receives the intermediate states at the end of each chunk except for the last
     */
    public Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
        Set<Head> heads = states.stream()
                .flatMap(state -> Stream.of(state.head(), state.read()))
                .filter(Objects::nonNull)
                .collect(Collectors.toSet());
        Set<Head> lost;
        Set<StateAt<?>> lacking;
        try (ChunkedEventStream events = new ChunkedEventStream(
                reader,
                Direction.FORWARDS,
                probes(states),
                Long.MAX_VALUE,
                heads,
                reader.nothingHeld(),
                Duration.ZERO)) {
            lost = reader.lost(heads, events);
            lacking = lacking(states, events.tagged());
            if (lost.isEmpty() && lacking.isEmpty()) {
                return fold(states, events, progress);
            }
        }
        // The other states keep what they have folded.
        return project(
                states.stream()
                        .<StateAt<?>>map(state ->
                                lost.contains(state.head()) || lost.contains(state.read()) || lacking.contains(state)
                                        ? StateAt.initial(state.projection())
                                        : state)
                        .toList(),
                progress);
    }

    /* By identity: a state may be large. */
    private Set<StateAt<?>> lacking(List<? extends StateAt<?>> states, Position tagged) {
        List<StateAt<?>> earlier = new ArrayList<>();
        List<TagAdditions.WasRead> asked = new ArrayList<>();
        for (StateAt<?> state : states) {
            Head read = state.read();
            if (read != null && tagged.isAfter(read.position())) {
                earlier.add(state);
                asked.add(new TagAdditions.WasRead(state.projection().query(), read.position(), state.position()));
            }
        }
        Set<StateAt<?>> lacking = Collections.newSetFromMap(new IdentityHashMap<>());
        if (!asked.isEmpty()) {
            reader.additions().lacking(asked).forEach(number -> lacking.add(earlier.get(number)));
        }
        return lacking;
    }

    private static Projected fold(
            List<? extends StateAt<?>> states, ChunkedEventStream events, Consumer<List<StateAt<?>>> progress) {
        Fold fold = new Fold(states);
        while (events.hasNext()) {
            SequencedEvent event = events.next();
            fold.add(event);
            if (events.isAtEndOfChunk()) {
                progress.accept(fold.reached(events.head().at(event), events.head()));
            }
        }
        return fold.end(events.head());
    }

    private static List<Probe> probes(List<? extends StateAt<?>> states) {
        List<Probe> probes = new ArrayList<>();
        for (StateAt<?> state : states) {
            for (QueryItem item : state.projection().query().items()) {
                probes.add(new Probe(item, state.position(), StoreReader.UNBOUNDED));
            }
        }
        return probes;
    }
}
