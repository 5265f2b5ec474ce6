package dev.registrar.transfer;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.ImportConnection;
import dev.registrar.eventstore.postgres.ImportConnection.ImportedEvent;
import dev.registrar.eventstore.postgres.ImportConnection.ImportedRange;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoredKey;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.transfer.HistoryLine.End;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Imports a history that {@link HistoryExport} or another program has written. The whole file is checked before its
 * first event is stored. Then each batch of up to {@value #BATCH} events is a transaction: an import that was
 * interrupted continues after its last batch when it is repeated, and one that had ended adds nothing. At the end the
 * stored events are read, and must be those of the file by number and digest.
 *
 * <p>A history that has grown in the other store is continued in the same way. It needs Jackson
 * ({@code tools.jackson.core:jackson-databind}) on the class path.
 */
public final class HistoryImport {
    private static final int BATCH = 5_000;
    private static final int BATCH_BYTES = 8 << 20;

    private final PostgresEventStore store;
    private final StoreAddress owner;
    private final StoreOptions options;
    private final boolean behindOthers;
    private final HistoryProgress progress;

    /** Opens the file from its beginning; called twice. */
    @FunctionalInterface
    public interface Source {
        InputStream open() throws IOException;
    }

    /** A file that was read to its end without an error. */
    private record Checked(
            UUID history,
            long events,
            String digest,
            @Nullable String tagSecret) {}

    /**
     * Creates an import.
     *
     * @param owner the address for the owner of the store's schema
     * @param behindOthers whether the events are appended behind those that the store has, with new positions and
     *     times; otherwise the store must be empty, and they keep their positions and times
     */
    public HistoryImport(
            PostgresEventStore store,
            StoreAddress owner,
            StoreOptions options,
            boolean behindOthers,
            HistoryProgress progress) {
        this.store = store;
        this.owner = owner;
        this.options = options;
        this.behindOthers = behindOthers;
        this.progress = progress;
    }

    /**
     * Imports the events that the store does not have yet.
     *
     * @throws HistoryException if the file is wrong, or cannot be imported into this store
     * @throws dev.registrar.eventstore.EventStoreException if the database failed; a repetition continues
     */
    public HistorySummary run(Source source) throws IOException {
        Checked checked = check(source);
        if (checked == null) {
            return new HistorySummary(0, 0, new HistoryDigest().value());
        }
        try (ImportConnection connection = ImportConnection.open(owner, options)) {
            List<ImportedRange> before = connection.ranges(checked.history());
            requireRoom(connection, checked, before);
            requireSecret(connection, checked.tagSecret());
            long imported = before.isEmpty() ? 0 : before.getLast().events();
            try (InputStream in = source.open()) {
                new Batches(connection, checked, before).append(lines(in));
            }
            requireStored(connection.ranges(checked.history()), checked);
            return new HistorySummary(checked.events(), checked.events() - imported, checked.digest());
        }
    }

    /** The maximum length of a line in bytes: that of an event of the largest size, with each character escaped. */
    static int longestLine(StoreLimits limits) {
        return (int) Math.min(Integer.MAX_VALUE - 8, 12L * limits.maxPayloadBytes() + (16 << 20));
    }

    private HistoryLines lines(InputStream in) {
        return new HistoryLines(in, longestLine(store.limits()));
    }

    /* Null: the history has no event. */
    private @Nullable Checked check(Source source) throws IOException {
        HistoryDigest digest = new HistoryDigest();
        UUID history = null;
        boolean hasPositions = false;
        Instant last = Instant.MIN;
        long keys = 0;
        End end = null;
        try (InputStream in = source.open()) {
            HistoryLines lines = lines(in);
            for (HistoryLine line = lines.next(); line != null; line = lines.next()) {
                if (end != null) {
                    throw new HistoryException(lines.number(), "it follows the line that ends the history");
                }
                if (line.end() != null) {
                    end = line.end();
                } else if (line.key() != null) {
                    StoredKey key = key(line.key(), lines.number());
                    if (key.last().value() > digest.events()) {
                        throw new HistoryException(
                                lines.number(),
                                "the key is of position %s, but only %s events are before it"
                                        .formatted(key.last(), digest.events()));
                    }
                    keys++;
                } else {
                    ImportedEvent event = event(line, lines.number());
                    if (keys > 0) {
                        throw new HistoryException(lines.number(), "an event must not follow a key");
                    }
                    add(event, digest);
                    if (history == null) {
                        history = event.event().id();
                        hasPositions = line.position() != null;
                    }
                    if (!behindOthers) {
                        requireOrder(line, event, digest.events(), last, lines.number());
                        last = event.recordedAt();
                    }
                }
            }
            requireEnd(end, digest, keys, hasPositions, lines.number());
        }
        return history == null
                ? null
                : new Checked(history, digest.events(), digest.value(), end == null ? null : end.tagSecret());
    }

    private ImportedEvent event(HistoryLine line, long number) {
        ImportedEvent event = line.event(number);
        try {
            Append append = Append.of(List.of(event.event()));
            store.limits().check(event.actor() == null ? append : append.by(event.actor()));
            return event;
        } catch (RefusedInputException refused) {
            throw new HistoryException(number, String.valueOf(refused.getMessage()));
        }
    }

    private StoredKey key(HistoryLine.Key text, long number) {
        StoredKey key = HistoryLine.storedKey(text, number);
        try {
            store.limits().check(new IdempotencyKey(key.key(), key.fingerprint()));
            return key;
        } catch (RefusedInputException refused) {
            throw new HistoryException(number, String.valueOf(refused.getMessage()));
        }
    }

    private static void add(ImportedEvent event, HistoryDigest digest) {
        Instant original = event.originalTime();
        digest.add(event.event(), original == null ? event.recordedAt() : original, event.actor());
    }

    private static void requireOrder(
            HistoryLine line, ImportedEvent event, long expected, Instant before, long number) {
        if (line.position() == null || line.position() != expected) {
            throw new HistoryException(
                    number,
                    "the position must be %s but is %s; positions are kept only for a whole history"
                            .formatted(expected, line.position() == null ? "absent" : line.position()));
        }
        if (event.recordedAt().isBefore(before)) {
            throw new HistoryException(
                    number,
                    "'recordedAt' must not be before that of the event before, %s, but is %s"
                            .formatted(before, event.recordedAt()));
        }
    }

    /* A file of another program has no positions, and may have no end. */
    private static void requireEnd(
            @Nullable End end, HistoryDigest digest, long keys, boolean hasPositions, long number) {
        if (end == null) {
            if (hasPositions || digest.events() == 0) {
                throw new HistoryException(
                        "The file has %s events and no line that ends the history: it is not whole. Export it again"
                                .formatted(digest.events()));
            }
        } else if (end.events() != digest.events()
                || end.keys() != keys
                || !digest.value().equals(end.digest())) {
            throw new HistoryException(
                    number - 1,
                    "the history must have %s events, %s keys and the digest %s, but the lines before have %s, %s and %s"
                            .formatted(end.events(), end.keys(), end.digest(), digest.events(), keys, digest.value()));
        }
    }

    private void requireRoom(ImportConnection connection, Checked checked, List<ImportedRange> before) {
        if (before.isEmpty()) {
            UUID first = connection.firstEvent();
            if (checked.history().equals(first)) {
                throw new HistoryException(
                        "The store has this history already, and not by an import: its first event is %s"
                                .formatted(first));
            }
            if (first != null && !behindOthers) {
                throw new HistoryException(
                        "The store has other events, up to position %s: import into an empty store, or append the history behind these events"
                                .formatted(store.head().position()));
            }
        } else if (before.getLast().keepsPositions() == behindOthers) {
            throw new HistoryException(
                    behindOthers
                            ? "The import of this history has begun with the same positions; continue it so"
                            : "The import of this history has begun behind other events; continue it so");
        } else if (before.getLast().events() > checked.events()) {
            throw new HistoryException(
                    "The store has %s events of this history, but the file has only %s: it is an older export"
                            .formatted(before.getLast().events(), checked.events()));
        }
    }

    /* Under another secret, decisions would not find the imported events by such tags. */
    private void requireSecret(ImportConnection connection, @Nullable String checkValue) {
        if (checkValue != null) {
            connection.addTagSecret(checkValue);
            if (!store.tagSecret().equals(Optional.of(checkValue))) {
                throw new HistoryException(
                        "The tags of the history and those of the store were made under different secrets: import into a store that was not started under another secret");
            }
        }
    }

    /** The batches of one import. */
    private final class Batches {
        private final ImportConnection connection;
        private final Checked checked;
        private final List<ImportedRange> before;
        private final HistoryDigest digest = new HistoryDigest();
        private final List<ImportedEvent> events = new ArrayList<>();
        private final List<StoredKey> keys = new ArrayList<>();

        Batches(ImportConnection connection, Checked checked, List<ImportedRange> before) {
            this.connection = connection;
            this.checked = checked;
            this.before = before;
        }

        void append(HistoryLines lines) throws IOException {
            long imported = before.isEmpty() ? 0 : before.getLast().events();
            long bytes = 0;
            for (HistoryLine line = lines.next(); line != null; line = lines.next()) {
                if (line.key() != null) {
                    addKey(HistoryLine.storedKey(line.key(), lines.number()));
                } else if (line.end() == null) {
                    ImportedEvent event = line.event(lines.number());
                    add(event, digest);
                    if (digest.events() > imported) {
                        events.add(event);
                        bytes += lines.length();
                    } else if (digest.events() == imported) {
                        requirePrefix(before.getLast());
                    }
                    if (events.size() == BATCH || bytes >= BATCH_BYTES) {
                        send();
                        bytes = 0;
                    }
                }
            }
            send();
            sendKeys();
            if (!digest.value().equals(checked.digest())) {
                throw new HistoryException(
                        "The file changed while it was imported; the import has stored %s events of it"
                                .formatted(digest.events()));
            }
        }

        private void requirePrefix(ImportedRange last) {
            if (!last.isErased() && !digest.value().equals(last.digest())) {
                throw new HistoryException(
                        "The first %s events are not those that were imported before under the same first event"
                                .formatted(last.events()));
            }
            progress.moved(digest.events(), checked.events());
        }

        private void send() {
            if (events.isEmpty()) {
                return;
            }
            connection.append(
                    checked.history(), digest.events() - events.size(), digest.value(), !behindOthers, events);
            events.clear();
            progress.moved(digest.events(), checked.events());
        }

        /* A key names positions, so it is of use only where they are kept. An erasure has deleted some. */
        private void addKey(StoredKey key) {
            if (behindOthers || (!before.isEmpty() && before.getLast().isErased())) {
                return;
            }
            send();
            keys.add(key);
            if (keys.size() == BATCH) {
                sendKeys();
            }
        }

        private void sendKeys() {
            if (!keys.isEmpty()) {
                connection.addKeys(keys);
                keys.clear();
            }
        }
    }

    private void requireStored(List<ImportedRange> ranges, Checked checked) {
        HistoryDigest digest = new HistoryDigest();
        for (ImportedRange range : ranges) {
            try (EventStream events = store.read(
                    Query.all(),
                    ReadOptions.forwards().from(range.first()).to(range.last()).forClient(true))) {
                events.forEachRemaining(digest::add);
            }
        }
        boolean isSame = ranges.getLast().isErased() || digest.value().equals(checked.digest());
        if (digest.events() != checked.events() || !isSame) {
            throw new IllegalStateException(
                    "The store must have %s events of the history, with the digest %s, but has %s, with the digest %s"
                            .formatted(checked.events(), checked.digest(), digest.events(), digest.value()));
        }
    }
}
