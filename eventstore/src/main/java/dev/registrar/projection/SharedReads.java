package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Future.State;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads of the log for the views of an instance. Views that lag behind, at nearby positions, share one read: the first
 * view reads for all of them, and the others take their events from what it has read. While views handle a full batch,
 * the next one is read.
 */
public final class SharedReads {
    /*
     * A view takes from a chunk exactly what it would have read alone. A chunk begins at the checkpoint of the view
     * that read it, and the store has checked the history of that checkpoint. Another view may take from the chunk if
     * it has the same checkpoint, or if its checkpoint names an event of the chunk by position and id and thus belongs
     * to the same history. It takes the events after its checkpoint that match its own query, and moves its checkpoint
     * to the chunk's end, also if no event matches.
     *
     * A chunk is for views that wanted to read before it was read and have not rested since: the event that woke such a
     * view was committed by then, so the chunk's end may count as the end of the log.
     *
     * A batch that was read ahead is what would be read now: it follows the same head, with the same query and the same
     * maximum, and the events between two heads of a history do not change: of erasures and added tags, the reader learns from its
     * checkpoint. Only the end of the log moves. So a batch
     * that had reached the end is read again.
     *
     * No view waits for another one's work. A slow view finds its chunk dropped when two later ones have been read, and
     * reads alone until it is near the others again. A view waits for a read in progress, up to a bound, and reads
     * alone if that read fails. Memory: two chunks, and one batch ahead for each view that is behind, each with at most
     * the events and characters of a batch. A view has one read ahead in progress: while one that was dropped still
     * runs, no other begins.
     */
    private static final int MOST_CHUNKS = 2;

    /*
     * A reader waits while the row of its checkpoint is locked and its transaction is idle. Both this wait and a read of
     * its own must end before the server ends the transaction.
     */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    /** A view that would use a smaller part of a chunk's events reads alone, because that is faster for it. */
    private static final double LEAST_USE = 0.1;

    private final Source source;
    private final int mostItems;
    private final Duration longestWait;

    /* Guarded by this object, as the state of each reader is. */
    private final Set<Reader> readers = new LinkedHashSet<>();
    private final Deque<Chunk> chunks = new ArrayDeque<>();
    private final Map<Reader, Ahead> ahead = new HashMap<>();

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

    /** A section that is read before a view asks for it. */
    private record Ahead(Section section, Future<LogBatch> batch) {}

    /**
     * A section that was read, or is being read, for several views.
     *
     * @param readers that have not taken their part
     */
    private record Chunk(Section section, Set<Reader> readers, CompletableFuture<LogBatch> read) {

        /** Whether the chunk has the events after a checkpoint, or will have them. */
        boolean follows(Head checkpoint) {
            return section.from.equals(checkpoint) || (read.state() == State.SUCCESS && has(checkpoint));
        }

        private boolean has(Head checkpoint) {
            LogBatch batch = read.resultNow();
            int index = firstAfter(batch.events(), checkpoint.position()) - 1;
            return index >= 0
                    && (index < batch.events().size() - 1 || batch.isLast())
                    && batch.end().at(batch.events().get(index)).equals(checkpoint);
        }
    }

    /**
     * Shares the reads of a store.
     *
     * @param mostItems maximum number of items that the store allows in a query; views with more items together do not
     *     share a read
     */
    public SharedReads(Source source, int mostItems) {
        this(source, mostItems, LONGEST_WAIT);
    }

    SharedReads(Source source, int mostItems, Duration longestWait) {
        this.source = source;
        this.mostItems = mostItems;
        this.longestWait = longestWait;
    }

    /** Lets a view share reads with others; close the reader when the view ends. */
    public synchronized Reader join(Query query) {
        Reader reader = new Reader(query);
        readers.add(reader);
        return reader;
    }

    /** The index of the first event after a position. */
    private static int firstAfter(List<SequencedEvent> events, Position position) {
        int index = 0;
        while (index < events.size() && !events.get(index).position().isAfter(position)) {
            index++;
        }
        return index;
    }

    /* A query for all events is one range of the log. With other items beside it, it would be several ranges. */
    private static Query united(Set<Reader> readers) {
        List<QueryItem> items = readers.stream()
                .flatMap(reader -> reader.query.items().stream())
                .distinct()
                .toList();
        return items.contains(QueryItem.any()) ? Query.all() : new Query(items);
    }

    /* Whatever has failed, a read of the view's own finds out. */
    private Optional<LogBatch> awaited(Future<LogBatch> read) {
        try {
            return Optional.of(read.get(longestWait.toNanos(), TimeUnit.NANOSECONDS));
        } catch (ExecutionException | CancellationException | TimeoutException failure) {
            return Optional.empty();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        }
    }

    private synchronized Optional<Ahead> takeAhead(Section section) {
        Optional<Ahead> present = ahead.values().stream()
                .filter(each -> each.section.equals(section))
                .findFirst();
        present.ifPresent(ahead.values()::remove);
        return present;
    }

    private synchronized void remove(Chunk failed) {
        chunks.remove(failed);
    }

    /** The reads of one view, which rests at first; for one thread. */
    public final class Reader implements AutoCloseable {
        private final Query query;
        private boolean wants;
        private boolean alone;
        private @Nullable Position at;
        private @Nullable Future<LogBatch> lastAhead;

        private Reader(Query query) {
            this.query = query;
        }

        /** Declares that the view wants to read; called before it reads. */
        public void wakes() {
            synchronized (SharedReads.this) {
                wants = true;
            }
        }

        /** Declares that the view does not want to read for a while: others need not read for it. */
        public void rests() {
            synchronized (SharedReads.this) {
                wants = false;
                alone = false;
                chunks.forEach(chunk -> chunk.readers.remove(this));
                forgetTaken();
                ahead.remove(this);
            }
        }

        private void forgetTaken() {
            chunks.removeIf(chunk -> chunk.readers.isEmpty());
        }

        /**
         * Reads the events after a checkpoint.
         *
         * @param from the checkpoint, which names its event
         * @param most maximum number of events
         * @throws dev.registrar.eventstore.StoreReplacedException if the store has lost the checkpoint's history
         */
        public LogBatch read(Head from, int most) {
            Section section = new Section(query, from, most);
            LogBatch batch =
                    chunk(section).flatMap(chunk -> take(chunk, section)).orElseGet(() -> read(section));
            synchronized (SharedReads.this) {
                at = batch.end().position();
            }
            return batch;
        }

        /* Empty if the view reads alone. A failure concerns this view; the others then read alone. */
        private Optional<Chunk> chunk(Section own) {
            Chunk begun;
            synchronized (SharedReads.this) {
                at = own.from.position();
                Optional<Chunk> present = chunks.stream()
                        .filter(chunk -> chunk.readers.contains(this) && chunk.follows(own.from))
                        .findFirst();
                if (present.isPresent()) {
                    return present;
                }
                Set<Reader> near = readers.stream()
                        .filter(each -> each == this || (!alone && each.isNear(own)))
                        .collect(Collectors.toCollection(LinkedHashSet::new));
                if (near.size() < 2 || united(near).items().size() > mostItems) {
                    return Optional.empty();
                }
                begun = new Chunk(new Section(united(near), own.from, own.most), near, new CompletableFuture<>());
                chunks.addLast(begun);
                if (chunks.size() > MOST_CHUNKS) {
                    chunks.removeFirst();
                }
            }
            try {
                begun.read.complete(read(begun.section));
            } catch (RuntimeException | Error failure) {
                begun.read.completeExceptionally(failure);
                remove(begun);
                throw failure;
            }
            return Optional.of(begun);
        }

        /* Positions have no gaps, so a chunk spans at least as many positions as it has events. */
        private boolean isNear(Section section) {
            Position from = section.from.position();
            return wants && !alone && (at == null || (!from.isAfter(at) && at.value() - from.value() < section.most));
        }

        private Optional<LogBatch> take(Chunk chunk, Section section) {
            return awaited(chunk.read).map(read -> take(chunk, read, section));
        }

        private LogBatch take(Chunk chunk, LogBatch read, Section section) {
            List<SequencedEvent> events = read.events();
            List<SequencedEvent> own = new ArrayList<>();
            int next = firstAfter(events, section.from.position());
            while (next < events.size() && own.size() < section.most) {
                SequencedEvent event = events.get(next);
                if (query.matches(event.event())) {
                    own.add(event);
                }
                next++;
            }
            if (next < events.size()) {
                // The rest of the chunk is left for the next batch.
                return new LogBatch(read.end().at(events.get(next - 1)), own, false, read.readAt());
            }
            synchronized (SharedReads.this) {
                chunk.readers.remove(this);
                forgetTaken();
                alone = !read.isLast() && own.size() < LEAST_USE * events.size();
            }
            return new LogBatch(read.end(), own, read.isLast(), read.readAt());
        }

        /* Reads a section, and begins to read the one after it. */
        private LogBatch read(Section section) {
            LogBatch batch = takeAhead(section)
                    .flatMap(present -> awaited(present.batch))
                    .filter(present -> !present.isLast())
                    .orElseGet(() -> source.read(section.query, section.from, section.most));
            if (!batch.isLast()) {
                readAhead(new Section(section.query, batch.end(), section.most));
            }
            return batch;
        }

        private void readAhead(Section next) {
            FutureTask<LogBatch> read = new FutureTask<>(() -> source.read(next.query, next.from, next.most));
            synchronized (SharedReads.this) {
                if (lastAhead != null && !lastAhead.isDone()) {
                    return;
                }
                lastAhead = read;
                ahead.put(this, new Ahead(next, read));
            }
            Thread.ofVirtual().name("read-ahead").start(read);
        }

        /** Ends the reads of the view. Waits for a read ahead in progress; after a bound, interrupts it. */
        @Override
        public void close() {
            Future<LogBatch> last;
            synchronized (SharedReads.this) {
                rests();
                readers.remove(this);
                last = lastAhead;
            }
            if (last != null && awaited(last).isEmpty()) {
                last.cancel(true);
            }
        }
    }
}
