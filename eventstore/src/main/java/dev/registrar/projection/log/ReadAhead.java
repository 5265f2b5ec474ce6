package dev.registrar.projection.log;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.subscription.LogBatch;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/** Reads the log ahead: while a follower handles a full batch, the next one is read. */
public final class ReadAhead {
    /*
     * A batch that was read ahead is what its follower would have read: it was read after the same head, with the same
     * query and the same maximum, and the events between two heads of a history never change. Only the end of the log
     * moves. So a batch that had reached the end is read again.
     *
     * Memory: one batch for each follower that is behind, besides the one that it handles.
     */
    private final Source source;
    private final Map<Object, Next> ahead = new ConcurrentHashMap<>();

    /** Reads of a store. */
    public interface Source {
        /**
         * Reads the events after a head that match a query.
         *
         * @throws dev.registrar.eventstore.StoreReplacedException if the store has lost the head
         */
        LogBatch read(Query query, Head from, int most);
    }

    private record Section(Query query, Head from, int most) {}

    private record Next(Section section, Future<LogBatch> batch) {}

    /** Reads a source ahead. */
    public ReadAhead(Source source) {
        this.source = source;
    }

    /**
     * Reads the events after a head, and begins to read those that follow.
     *
     * @param reader for which one batch is read ahead; any reader may take it
     * @throws dev.registrar.eventstore.StoreReplacedException if the store has lost the head
     */
    public LogBatch read(Object reader, Query query, Head from, int most) {
        LogBatch batch = take(new Section(query, from, most)).orElseGet(() -> source.read(query, from, most));
        if (!batch.isLast()) {
            Section next = new Section(query, batch.end(), most);
            FutureTask<LogBatch> read = new FutureTask<>(() -> source.read(query, next.from, most));
            ahead.put(reader, new Next(next, read));
            Thread.ofVirtual().name("read-ahead").start(read);
        }
        return batch;
    }

    /* Whatever has failed, the follower's own read finds out. */
    private Optional<LogBatch> take(Section section) {
        for (Map.Entry<Object, Next> entry : ahead.entrySet()) {
            Next next = entry.getValue();
            if (next.section.equals(section) && ahead.remove(entry.getKey(), next)) {
                try {
                    return Optional.of(next.batch.get()).filter(batch -> !batch.isLast());
                } catch (ExecutionException failure) {
                    return Optional.empty();
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                    return Optional.empty();
                }
            }
        }
        return Optional.empty();
    }

    /** Drops what was read ahead for a reader. */
    public void forget(Object reader) {
        ahead.remove(reader);
    }
}
