package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Fold;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.ReadOptions.Direction;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads, look-ups and projections of the store in PostgreSQL. Does not check the limits of queries. */
public final class StoreReader {
    private static final Position UNBOUNDED = Position.of(Long.MAX_VALUE);
    private static final Duration LONGEST_WAIT_FOR_CLIENTS = Duration.ofMinutes(1);

    private static final List<Probe> NOTHING = List.of(new Probe(QueryItem.any(), Position.START, Position.START));

    private final Database database;
    private final Reader reader;
    private final TagAdditions additions;
    private final StreamsLeftOpen leftOpen = new StreamsLeftOpen();

    public StoreReader(Database database, StoreOptions options, MeterRegistry metrics) {
        this.database = database;
        this.reader = new Reader(database, options, metrics);
        this.additions = new TagAdditions(database, options.schema());
    }

    /**
     * Reads events, chunk by chunk.
     *
     * @throws StoreReplacedException if the store no longer has a head in the basis of the options, or tags were added
     *     since, if the options say so
     */
    public EventStream read(Query query, ReadOptions options) {
        Direction direction = options.direction();
        List<Probe> probes = Probe.all(query.items(), options.above(), options.upTo());
        long limit = Objects.requireNonNullElse(options.limit(), Long.MAX_VALUE);
        ReadMemory memory = options.forClient() ? reader.clientMemory() : reader.memory();
        ReadMemory.Held held = memory.nothing();
        ChunkedEventStream events = new ChunkedEventStream(
                reader,
                direction,
                probes,
                limit,
                options.basis(),
                held,
                options.forClient() ? LONGEST_WAIT_FOR_CLIENTS : Duration.ZERO);
        try {
            Set<Head> lost = lost(options.basis(), events);
            if (!lost.isEmpty()) {
                throw new StoreReplacedException(
                        Collections.max(lost, Comparator.comparing(Head::position)), events.head());
            }
            if (options.sameTags()) {
                requireSameTags(query, options, events);
            }
            leftOpen.watch(events, held);
            return events;
        } catch (RuntimeException | Error failure) {
            events.close();
            throw failure;
        }
    }

    private void requireSameTags(Query query, ReadOptions options, ChunkedEventStream events) {
        Position upTo = options.direction() == Direction.FORWARDS ? options.above() : UNBOUNDED;
        List<Head> earlier = options.basis().stream()
                .filter(head -> events.tagged().isAfter(head.position()))
                .toList();
        if (!earlier.isEmpty()) {
            Set<Integer> lacking = additions.lacking(earlier.stream()
                    .map(head -> new TagAdditions.WasRead(query, head.position(), upTo))
                    .toList());
            if (!lacking.isEmpty()) {
                throw StoreReplacedException.retagged(
                        earlier.get(lacking.iterator().next()), events.head());
            }
        }
    }

    /* A read tells that the store has lost one of the heads, but not which one. */
    private Set<Head> lost(Set<Head> heads, ChunkedEventStream events) {
        UUID incarnation = events.head().incarnation();
        if (!events.lostHeads()
                && heads.stream().allMatch(head -> head.incarnation().equals(incarnation))) {
            return Set.of();
        }
        Set<Head> lost = lost(heads);
        return lost.isEmpty() ? heads : lost;
    }

    /** The last event that matches a query. */
    public Optional<SequencedEvent> last(Query query) {
        ReadMemory.Held held = reader.memory().nothing();
        try {
            held.take(reader.largestChunk());
            return lookUp(
                    reader.statement(Direction.BACKWARDS)::last,
                    query,
                    1,
                    row -> row.next() ? Optional.ofNullable(ReadStatement.event(row)) : Optional.empty());
        } finally {
            held.release();
        }
    }

    /** Whether an event matches a query. */
    public boolean exists(Query query) {
        return lookUp(reader.statement(Direction.BACKWARDS)::exists, query, 1, row -> row.next() && row.getBoolean(1));
    }

    /** The number of events that match a query. */
    public long count(Query query) {
        return lookUp(
                reader.statement(Direction.FORWARDS)::count,
                query,
                Long.MAX_VALUE,
                row -> row.next() ? row.getLong(1) : 0);
    }

    private interface Answer<T> {
        T of(ResultSet row) throws SQLException;
    }

    private <T> T lookUp(Function<List<Probe>, String> text, Query query, long most, Answer<T> answer) {
        List<Probe> probes = Probe.all(query.items(), Position.START, UNBOUNDED);
        return database.run(text.apply(probes), statement -> {
            PositionSearch.of(probes).bind(statement, 0, probes, most);
            try (ResultSet row = statement.executeQuery()) {
                return answer.of(row);
            }
        });
    }

    /** The given heads that the store no longer has, checked in one statement. */
    public Set<Head> lost(Collection<Head> heads) {
        List<Head> asked = List.copyOf(heads);
        List<Chunk> answers = reader.together(asked.stream()
                .map(head -> new ChunkRequest(List.of(), 0, List.of(head), true))
                .toList());
        Set<Head> lost = new HashSet<>();
        for (int i = 0; i < asked.size(); i++) {
            Head head = asked.get(i);
            Chunk answer = answers.get(i);
            if (answer.lostHeads() || !answer.head().incarnation().equals(head.incarnation())) {
                lost.add(head);
            }
        }
        return lost;
    }

    /** The store's head. */
    public Head head() {
        return reader.alone(Direction.FORWARDS, new ChunkRequest(NOTHING, 0, List.of(), true))
                .head();
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
                reader.memory().nothing(),
                Duration.ZERO)) {
            lost = lost(heads, events);
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
            additions.lacking(asked).forEach(number -> lacking.add(earlier.get(number)));
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
                probes.add(new Probe(item, state.position(), UNBOUNDED));
            }
        }
        return probes;
    }
}
