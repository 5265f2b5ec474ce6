package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.ErasingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Masking;
import dev.registrar.eventstore.Masking.Masked;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.connection.ArrayText;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.read.StoreReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The erasures of a store: carries them out, and notices those of other instances. */
final class Erasures implements AutoCloseable {
    /*
     * Why a masking that was computed outside the lock is right: the function changes nothing if another erasure has
     * committed since the events were read, or tags were added. Nothing else changes events. An erasure has a number,
     * and added tags the position of an event. Then the batch is read and masked again.
     */
    private static final Logger LOG = LoggerFactory.getLogger(Erasures.class);

    private static final Duration EVERY = Duration.ofSeconds(5);
    private static final Duration STOP_TIME = Duration.ofSeconds(5);
    private static final int MAX_ATTEMPTS = 100;
    /** The maximum number of characters that one transaction stores; a single event may have more. */
    private static final long MAX_CHARACTERS = 8L << 20;

    private final Database database;
    private final StoreLimits limits;
    private final StoreReader reader;
    private final String erasure;
    private final String lastNumber;
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final ServiceThread thread = new ServiceThread("erasures", STOP_TIME, this::watch);
    private volatile long last;

    Erasures(Database database, String schema, StoreLimits limits, StoreReader reader) {
        this.database = database;
        this.limits = limits;
        this.reader = reader;
        this.erasure = "select %s.erase_events(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)".formatted(schema);
        this.lastNumber = """
                select coalesce(max(erasure.number), 0)
                from %s.erasures erasure""".formatted(schema);
    }

    /** Reads the number of the last erasure now, and then every five seconds until this object is closed. */
    void start() {
        refresh();
        thread.start();
    }

    private void watch() throws InterruptedException {
        thread.pause(EVERY);
        if (!thread.isClosing()) {
            try {
                refresh();
            } catch (EventStoreException unreachable) {
                LOG.debug("The number of the last erasure was not read", unreachable);
            }
        }
    }

    private void refresh() {
        note(number());
    }

    /** The number of the last erasure, read now. */
    long number() {
        return database.run(lastNumber, statement -> new Parameters(statement).only(row -> row.getLong(1)));
    }

    private synchronized void note(long number) {
        if (number != last) {
            last = number;
            listeners.forEach(Runnable::run);
        }
    }

    long last() {
        return last;
    }

    void listen(Runnable listener) {
        listeners.add(listener);
    }

    long erase(Query query, Masking masking, Actor actor, String reason) {
        limits.check(query);
        limits.check(Append.of(Event.of("Erased", "{}")).by(actor));
        checkReason("an erasure", reason);
        Position end = reader.head().position();
        Position done = Position.of(0);
        long erased = 0;
        try {
            for (int attempt = 1; attempt <= MAX_ATTEMPTS; ) {
                long known = number();
                Batch batch = nextBatch(query, masking, done, end);
                if (batch.events.isEmpty()) {
                    return erased;
                }
                Optional<Integer> changed = change(batch, known, actor, reason, query);
                if (changed.isEmpty()) {
                    attempt++;
                } else {
                    erased += changed.get();
                    done = batch.events.getLast().position();
                    attempt = 1;
                }
            }
            throw new OverloadedException(
                    "Other erasures, or added tags, have changed the events %s times while they were masked; %s events are erased; repeat the call"
                            .formatted(MAX_ATTEMPTS, erased));
        } finally {
            refresh();
        }
    }

    /* Empty if there was another erasure, or tags were added, so that nothing was changed. */
    private Optional<Integer> change(Batch batch, long known, Actor actor, String reason, Query query) {
        return database.run(
                erasure,
                statement -> new Parameters(statement)
                        .add(known)
                        .add(batch.readAt.value())
                        .add(batch.events.stream()
                                .mapToLong(event -> event.position().value())
                                .toArray())
                        .add(batch.events.stream()
                                .map(event -> event.event().id())
                                .toArray(UUID[]::new))
                        .add(batch.texts(Masked::payload))
                        .add(batch.texts(Masked::metadata))
                        .add(batch.texts(each ->
                                each.actor() == null ? null : each.actor().json()))
                        .add(batch.texts(each -> ArrayText.ofTags(each.personalTags())))
                        .add(actor.json())
                        .add(reason)
                        .add(query.digest())
                        .only(row -> Optional.ofNullable(row.getObject(1, Integer.class))));
    }

    static void checkReason(String what, String reason) {
        if (reason.isBlank() || reason.length() > ErasingEventStore.MAX_REASON_LENGTH || reason.indexOf(0) >= 0) {
            throw new RefusedInputException("The reason of %s has 1 to %s characters, without U+0000, but has %s"
                    .formatted(what, ErasingEventStore.MAX_REASON_LENGTH, reason.length()));
        }
    }

    /** Events to change, in the order of their positions, and their masked content. */
    private static final class Batch {
        private final List<SequencedEvent> events = new ArrayList<>();
        private final List<Masked> masked = new ArrayList<>();
        private long characters;
        private Position readAt = Position.START;

        private boolean isFull() {
            return events.size() == ErasingEventStore.MAX_EVENTS || characters >= MAX_CHARACTERS;
        }

        private @Nullable String[] texts(Function<Masked, @Nullable String> text) {
            return masked.stream().map(text).toArray(String[]::new);
        }
    }

    private Batch nextBatch(Query query, Masking masking, Position after, Position end) {
        Batch batch = new Batch();
        try (EventStream events =
                reader.read(query, ReadOptions.forwards().after(after).to(end))) {
            batch.readAt = events.head().position();
            while (!batch.isFull() && events.hasNext()) {
                SequencedEvent stored = events.next();
                Masked masked = masking.mask(stored);
                if (changes(stored, masked)) {
                    limits.check(Append.of(Event.of("Erased", masked.payload()).withMetadata(masked.metadata()))
                            .by(masked.actor()));
                    batch.events.add(stored);
                    batch.masked.add(masked);
                    batch.characters +=
                            masked.payload().length() + masked.metadata().length();
                }
            }
        }
        return batch;
    }

    private static boolean changes(SequencedEvent stored, Masked masked) {
        return !Masked.nothingOf(stored)
                        .equals(new Masked(masked.payload(), masked.metadata(), masked.actor(), Set.of()))
                || stored.event().tags().stream().anyMatch(masked.personalTags()::contains);
    }

    @Override
    public void close() {
        thread.close();
    }
}
