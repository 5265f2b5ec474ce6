package dev.registrar.eventstore;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * An in-memory event store for tests. It fulfils the whole contract except durability. Appends are serialized, so no
 * request waits for a resource lock.
 */
public final class InMemoryEventStore implements ChainingEventStore, AppendSource {
    /** The number of events between two reports of progress, as in the first chunk of a read from PostgreSQL. */
    private static final int FOLDED_BETWEEN_PROGRESS = 64;

    private final StoreLimits limits;
    private final InstantSource clock;
    private final Duration keyRetention;

    private final List<SequencedEvent> events = new ArrayList<>();
    private final Map<String, KeyEntry> keys = new HashMap<>();
    private final AppendListeners listeners = new AppendListeners();
    private UUID incarnation = UUID.randomUUID();

    private record KeyEntry(IdempotencyKey key, Appended appended, Instant recordedAt) {}

    public InMemoryEventStore() {
        this(InstantSource.system());
    }

    public InMemoryEventStore(InstantSource clock) {
        this(StoreLimits.DEFAULT, clock, Duration.ofDays(1));
    }

    /**
     * Creates a store with given limits.
     *
     * @param keyRetention how long the store keeps an idempotency key
     */
    public InMemoryEventStore(StoreLimits limits, InstantSource clock, Duration keyRetention) {
        this.limits = limits;
        this.clock = clock;
        this.keyRetention = keyRetention;
    }

    @Override
    public StoreLimits limits() {
        return limits;
    }

    @Override
    public InstantSource clock() {
        return clock;
    }

    @Override
    public synchronized AppendResult append(Append request) {
        limits.check(request);
        return judge(request, events.size());
    }

    @Override
    public synchronized List<AppendResult> appendChain(List<Append> requests) {
        limits.checkChain(requests);
        int before = events.size();
        List<AppendResult> results = new ArrayList<>();
        for (Append request : requests) {
            try {
                results.add(judge(request, before));
            } catch (IdempotencyKeyReusedException reused) {
                if (results.isEmpty()) {
                    throw reused;
                }
                break;
            }
            if (!(results.getLast() instanceof Appended appended) || appended.repeated()) {
                break;
            }
        }
        return List.copyOf(results);
    }

    private AppendResult judge(Append request, int lastJudged) {
        IdempotencyKey key = request.idempotencyKey();
        if (key != null) {
            Optional<Appended> earlier = appendedUnder(key);
            if (earlier.isPresent()) {
                return earlier.get();
            }
        }
        for (AppendCondition condition : request.conditions()) {
            if (condition.basis() != null && !holds(condition.basis())) {
                return new StoreReplaced();
            }
        }
        for (AppendCondition condition : request.conditions()) {
            Optional<Conflict> conflict = conflict(condition, lastJudged);
            if (conflict.isPresent()) {
                return conflict.get();
            }
        }
        Appended appended = store(request);
        if (key != null) {
            keys.put(key.value(), new KeyEntry(key, appended, clock.instant()));
        }
        listeners.appended(request);
        return appended;
    }

    @Override
    public synchronized Optional<Appended> appendedUnder(IdempotencyKey key) {
        limits.check(key);
        KeyEntry entry = keys.get(key.value());
        if (entry == null || !entry.recordedAt().isAfter(clock.instant().minus(keyRetention))) {
            return Optional.empty();
        }
        if (!entry.key().equals(key)) {
            throw new IdempotencyKeyReusedException(key);
        }
        Appended appended = entry.appended();
        return Optional.of(new Appended(appended.first(), appended.last(), true));
    }

    @Override
    public Runnable listen(AppendListener listener) {
        return listeners.add(listener);
    }

    @Override
    public synchronized EventStream read(Query query, ReadOptions options) {
        limits.check(query);
        Head head = head();
        for (Head known : options.basis()) {
            if (!holds(known)) {
                throw new StoreReplacedException(known, head);
            }
        }
        long above = options.above().value();
        long upTo = Math.min(options.upTo().value(), events.size());
        LongStream positions = options.direction() == ReadOptions.Direction.BACKWARDS
                ? LongStream.iterate(upTo, at -> at > above, at -> at - 1)
                : LongStream.rangeClosed(Math.min(above, upTo) + 1, upTo);
        Stream<SequencedEvent> matching = positions.mapToObj(this::at).filter(event -> query.matches(event.event()));
        Long limit = options.limit();
        return new InMemoryStream(head, (limit == null ? matching : matching.limit(limit)).toList());
    }

    @Override
    public Optional<SequencedEvent> last(Query query) {
        return read(query, ReadOptions.backwards().limit(1)).stream().findFirst();
    }

    @Override
    public boolean exists(Query query) {
        return last(query).isPresent();
    }

    @Override
    public long count(Query query) {
        return read(query).stream().count();
    }

    @Override
    public synchronized Head head() {
        return headAt(Position.of(events.size()));
    }

    private Head headAt(Position position) {
        return position.value() == 0
                ? new Head(position, incarnation, null)
                : new Head(position, incarnation, at(position.value()).event().id());
    }

    @Override
    public synchronized Projected project(List<? extends StateAt<?>> states, Consumer<List<StateAt<?>>> progress) {
        if (states.isEmpty()) {
            throw new RefusedInputException("At least one projection is needed, but there is none");
        }
        states.forEach(state -> limits.check(state.projection().query()));
        List<? extends StateAt<?>> known = states.stream()
                .<StateAt<?>>map(state ->
                        state.head() == null || holds(state.head()) ? state : StateAt.initial(state.projection()))
                .toList();
        int from = (int) known.stream()
                .mapToLong(state -> state.position().value())
                .min()
                .orElseThrow();
        Fold fold = new Fold(known);
        int sinceProgress = 0;
        for (SequencedEvent event : events.subList(from, events.size())) {
            if (fold.add(event) && ++sinceProgress == FOLDED_BETWEEN_PROGRESS) {
                progress.accept(fold.reached(head().at(event), head()));
                sinceProgress = 0;
            }
        }
        return fold.end(head());
    }

    /** Removes all events and idempotency keys, and starts a new incarnation. */
    public synchronized void clear() {
        events.clear();
        keys.clear();
        incarnation = UUID.randomUUID();
    }

    /**
     * Removes all events after a position and their idempotency keys, like a restore from an older copy: the
     * incarnation stays the same.
     */
    public synchronized void setBackTo(Position last) {
        events.subList((int) Math.min(last.value(), events.size()), events.size())
                .clear();
        keys.values().removeIf(entry -> entry.appended().last().isAfter(last));
    }

    private boolean holds(Head head) {
        long position = head.position().value();
        return head.incarnation().equals(incarnation)
                && position <= events.size()
                && (position == 0 || at(position).event().id().equals(head.lastEventId()));
    }

    private Optional<Conflict> conflict(AppendCondition condition, int last) {
        int ignored = (int) Math.min(condition.after().value(), last);
        for (QueryItem item : condition.failIfEventsMatch().items()) {
            for (SequencedEvent event : events.subList(ignored, last)) {
                if (item.matches(event.event())) {
                    return Optional.of(
                            new Conflict(item, event.position(), event.event().type()));
                }
            }
        }
        return Optional.empty();
    }

    private Appended store(Append request) {
        Instant now = clock.instant().truncatedTo(ChronoUnit.MICROS);
        if (!events.isEmpty() && events.getLast().recordedAt().isAfter(now)) {
            now = events.getLast().recordedAt();
        }
        Position first = Position.of(events.size() + 1L);
        for (Event event : request.events()) {
            events.add(new SequencedEvent(Position.of(events.size() + 1L), event, now, request.actor()));
        }
        return new Appended(first, Position.of(events.size()), false);
    }

    private SequencedEvent at(long position) {
        return events.get((int) position - 1);
    }

    private static final class InMemoryStream implements EventStream {
        private final Head head;
        private @Nullable Iterator<SequencedEvent> rest;

        private InMemoryStream(Head head, List<SequencedEvent> events) {
            this.head = head;
            this.rest = events.iterator();
        }

        @Override
        public Head head() {
            return head;
        }

        @Override
        public boolean hasNext() {
            return open().hasNext();
        }

        @Override
        public SequencedEvent next() {
            Iterator<SequencedEvent> events = open();
            if (!events.hasNext()) {
                throw new NoSuchElementException("The stream has ended");
            }
            return events.next();
        }

        @Override
        public void close() {
            rest = null;
        }

        private Iterator<SequencedEvent> open() {
            if (rest == null) {
                throw new IllegalStateException("The stream is closed");
            }
            return rest;
        }
    }
}
