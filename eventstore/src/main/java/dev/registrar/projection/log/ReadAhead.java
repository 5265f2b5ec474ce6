package dev.registrar.projection.log;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the log ahead: while a follower handles a full batch, the next one is read. */
public final class ReadAhead {
    /*
     * A batch that was read ahead is what its follower would have read: it was read after the same head, with the same
     * query and the same maximum, and the events between two heads of a history never change. Only the end of the log
     * moves. So a batch that had reached the end is read again.
     *
     * Memory: one batch for each follower that is behind, besides the one that it handles. A follower has one read in
     * progress: while a batch that was forgotten is still read, no other is read ahead.
     */

    /*
     * A reader waits while the row of its checkpoint is locked and its transaction is idle. Both this wait and a read of
     * its own must end before the server ends the transaction.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final Source source;
    private final Duration longestWait;
    private final Map<Object, Next> ahead = new ConcurrentHashMap<>();
    private final Map<Object, Future<LogBatch>> running = new ConcurrentHashMap<>();

    /** Reads of a store. */
    public interface Source {
        /**
         * Reads the events after a head that match a query.
         *
         * @throws dev.registrar.eventstore.StoreReplacedException if the store has lost the head
         */
        LogBatch read(Query query, Head from, int most);
    }

    /* Views that share reads unite their items in an order that depends on which of them begins. */
    private record Section(Set<QueryItem> items, Head from, int most) {
        Section(Query query, Head from, int most) {
            this(Set.copyOf(query.items()), from, most);
        }
    }

    private record Next(Section section, Future<LogBatch> batch) {}

    /** Reads a source ahead. */
    public ReadAhead(Source source) {
        this(source, LONGEST_WAIT);
    }

    ReadAhead(Source source, Duration longestWait) {
        this.source = source;
        this.longestWait = longestWait;
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
            begin(reader, query, batch.end(), most);
        }
        return batch;
    }

    private void begin(Object reader, Query query, Head from, int most) {
        FutureTask<LogBatch> read = new FutureTask<>(() -> {
            try {
                return source.read(query, from, most);
            } finally {
                running.remove(reader);
            }
        });
        if (running.putIfAbsent(reader, read) == null) {
            ahead.put(reader, new Next(new Section(query, from, most), read));
            Thread.ofVirtual().name("read-ahead").start(read);
        }
    }

    /* Whatever has failed, the follower's own read finds out. */
    private Optional<LogBatch> take(Section section) {
        for (Map.Entry<Object, Next> entry : List.copyOf(ahead.entrySet())) {
            Next next = entry.getValue();
            if (next.section.equals(section) && ahead.remove(entry.getKey(), next)) {
                try {
                    return Optional.of(next.batch.get(longestWait.toNanos(), TimeUnit.NANOSECONDS))
                            .filter(batch -> !batch.isLast());
                } catch (ExecutionException | CancellationException | TimeoutException failure) {
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

    /** Drops what was read ahead for a reader, and waits for a read in progress; after a bound, interrupts it. */
    public void close(Object reader) {
        forget(reader);
        Future<LogBatch> read = running.get(reader);
        if (read == null) {
            return;
        }
        try {
            read.get(longestWait.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException failure) {
            // It concerns no reader any more.
        } catch (TimeoutException late) {
            read.cancel(true);
        } catch (InterruptedException interrupted) {
            read.cancel(true);
            Thread.currentThread().interrupt();
        }
    }
}
