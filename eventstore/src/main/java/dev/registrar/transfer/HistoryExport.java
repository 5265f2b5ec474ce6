package dev.registrar.transfer;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoredKey;
import dev.registrar.transfer.HistoryLine.End;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes all events of a store, and its idempotency keys if wanted, as lines of JSON. The history ends at the store's
 * head when the export begins. Other callers may use the store meanwhile: the export reads in chunks, and holds no
 * connection between them. It needs Jackson ({@code tools.jackson.core:jackson-databind}) on the class path.
 */
public final class HistoryExport {
    private static final int BUFFER = 1 << 18;
    private static final int REPORTED = 5_000;
    private static final int KEYS = 1_000;

    private final PostgresEventStore store;
    private final boolean withKeys;
    private final HistoryProgress progress;

    /** What a file that is continued has already: the digest of its events, and their length. */
    private record Written(HistoryDigest digest, long bytes) {}

    /** @param withKeys whether the idempotency keys are written, too */
    public HistoryExport(PostgresEventStore store, boolean withKeys, HistoryProgress progress) {
        this.store = store;
        this.withKeys = withKeys;
        this.progress = progress;
    }

    /**
     * Writes the history. Does not close the stream.
     *
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public HistorySummary writeTo(OutputStream out) throws IOException {
        return write(out, new Written(new HistoryDigest(), 0));
    }

    /**
     * Writes the history to a file. A file that an interrupted export has left is continued.
     *
     * @throws HistoryException if the file has a whole history, or one that the store does not have
     * @throws dev.registrar.eventstore.EventStoreException if the database failed
     */
    public HistorySummary writeTo(Path file) throws IOException {
        Written written = Files.exists(file) ? written(file) : new Written(new HistoryDigest(), 0);
        if (written.digest().events() > 0) {
            requireSame(written.digest());
        }
        try (FileChannel channel =
                FileChannel.open(file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE))) {
            channel.truncate(written.bytes());
            channel.position(written.bytes());
            HistorySummary summary = write(Channels.newOutputStream(channel), written);
            channel.force(true);
            return summary;
        }
    }

    private Written written(Path file) throws IOException {
        HistoryDigest digest = new HistoryDigest();
        long bytes = 0;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
            HistoryLines lines = new HistoryLines(in, HistoryImport.longestLine(store.limits()));
            HistoryLine line = next(lines);
            while (line != null && line.key() == null) {
                if (line.end() != null) {
                    throw new HistoryException("The file %s has a whole history of %s events; name another file"
                            .formatted(file, line.end().events()));
                }
                var event = line.event(lines.number());
                digest.add(
                        event.event(),
                        event.originalTime() == null ? event.recordedAt() : event.originalTime(),
                        event.actor());
                bytes = lines.offset();
                line = next(lines);
            }
        }
        return new Written(digest, bytes);
    }

    /* Of a line without its end, the writer was interrupted. */
    private static @Nullable HistoryLine next(HistoryLines lines) throws IOException {
        try {
            HistoryLine line = lines.next();
            return lines.isWhole() ? line : null;
        } catch (HistoryException wrong) {
            if (lines.isWhole()) {
                throw wrong;
            }
            return null;
        }
    }

    private HistorySummary write(OutputStream target, Written written) throws IOException {
        OutputStream out = new BufferedOutputStream(target, BUFFER);
        HistoryDigest digest = written.digest();
        long before = digest.events();
        Position head;
        try (EventStream events = store.read(
                Query.all(), ReadOptions.forwards().after(Position.of(before)).forClient(true))) {
            head = events.head().position();
            while (events.hasNext()) {
                SequencedEvent event = events.next();
                digest.add(event);
                out.write(HistoryLine.of(event).bytes());
                if (digest.events() % REPORTED == 0 && digest.events() < head.value()) {
                    progress.moved(digest.events(), head.value());
                }
            }
        }
        if (digest.events() != head.value()) {
            throw new IllegalStateException("The store has %s events up to position %s; there must be one for each"
                    .formatted(digest.events(), head));
        }
        long keys = withKeys ? writeKeys(head, out) : 0;
        out.write(HistoryLine.of(new End(
                        digest.events(), keys, digest.value(), store.tagSecret().orElse(null)))
                .bytes());
        out.flush();
        if (digest.events() > 0) {
            progress.moved(digest.events(), head.value());
        }
        return new HistorySummary(digest.events(), digest.events() - before, digest.value());
    }

    /* An erasure changes events: a file from before it would bring back what was erased. */
    private void requireSame(HistoryDigest written) {
        HistoryDigest stored = new HistoryDigest();
        try (EventStream events = store.read(
                Query.all(),
                ReadOptions.forwards().to(Position.of(written.events())).forClient(true))) {
            events.forEachRemaining(stored::add);
        }
        if (!stored.value().equals(written.value())) {
            throw new HistoryException(
                    "The file has %s events of another history, or of before an erasure: they are not the first ones of the store; name another file"
                            .formatted(written.events()));
        }
    }

    private long writeKeys(Position upTo, OutputStream out) throws IOException {
        long written = 0;
        String last = "";
        List<StoredKey> keys;
        do {
            keys = store.keys(last, upTo, KEYS);
            for (StoredKey key : keys) {
                out.write(HistoryLine.of(key).bytes());
                last = key.key();
            }
            written += keys.size();
        } while (keys.size() == KEYS);
        return written;
    }
}
