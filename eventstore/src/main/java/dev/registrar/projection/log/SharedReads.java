package dev.registrar.projection.log;

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
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future.State;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Shares reads of the log between the views of an instance: views that lag behind, at nearby positions, share one read.
 * The first view reads for all of them; the others take their events from what it has read.
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
     * No view waits for another one's work. A slow view finds its chunk dropped when two later ones have been read, and
     * reads alone until it is near the others again. A view waits for a read in progress, up to a bound, and reads
     * alone if that read fails. Memory: two chunks, each with at most the events and characters of a batch.
     */
    private static final int MOST_CHUNKS = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    /** A view that would use a smaller part of a chunk's events reads alone, because that is faster for it. */
    private static final double LEAST_USE = 0.1;

    private final int mostItems;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Participant> participants = new LinkedHashSet<>();
    private final Deque<Chunk> chunks = new ArrayDeque<>();

    /**
     * Shares the reads of a store.
     *
     * @param mostItems maximum number of items that the store allows in a query
     */
    public SharedReads(int mostItems) {
        this.mostItems = mostItems;
    }

    /** Lets a view share reads with others. The view wants to read from now on; close the participant when it ends. */
    public Participant join(Query query) {
        Participant participant = new Participant(query);
        lock.lock();
        try {
            participants.add(participant);
        } finally {
            lock.unlock();
        }
        return participant;
    }

    /** The events that were read, or are being read, for several views. */
    private static final class Chunk {
        private final Head from;
        private final Query query;
        /** Views that have not taken their part; guarded by the lock. */
        private final Set<Participant> readers;

        private final CompletableFuture<LogBatch> read = new CompletableFuture<>();

        Chunk(Head from, Query query, Set<Participant> readers) {
            this.from = from;
            this.query = query;
            this.readers = readers;
        }

        /** Whether the chunk has the events after a checkpoint, or will have them. */
        boolean follows(Head checkpoint) {
            return from.equals(checkpoint) || (read.state() == State.SUCCESS && has(checkpoint));
        }

        private boolean has(Head checkpoint) {
            LogBatch batch = read.resultNow();
            int index = firstAfter(batch.events(), checkpoint.position()) - 1;
            return index >= 0
                    && (index < batch.events().size() - 1 || batch.isLast())
                    && batch.end().at(batch.events().get(index)).equals(checkpoint);
        }
    }

    /** The index of the first event after a position. */
    private static int firstAfter(List<SequencedEvent> events, Position position) {
        int least = 0;
        int most = events.size();
        while (least < most) {
            int middle = (least + most) >>> 1;
            if (events.get(middle).position().isAfter(position)) {
                most = middle;
            } else {
                least = middle + 1;
            }
        }
        return least;
    }

    /** A view that shares reads with others; for one thread. */
    public final class Participant implements AutoCloseable {
        private final Query query;

        /* Guarded by the lock. */
        private boolean wants = true;
        private boolean alone;
        private @Nullable Position at;

        private Participant(Query query) {
            this.query = query;
        }

        /** Declares that the view wants to read; called before it reads. */
        public void wakes() {
            lock.lock();
            try {
                wants = true;
            } finally {
                lock.unlock();
            }
        }

        /** Declares that the view does not want to read for a while: others need not read for it. */
        public void rests() {
            lock.lock();
            try {
                wants = false;
                alone = false;
                leave();
            } finally {
                lock.unlock();
            }
        }

        /**
         * Reads the events after a checkpoint.
         *
         * @param from the checkpoint, which names its event
         * @param most maximum number of events
         * @param open reads the events after the checkpoint that match a query, with the same maximum, if the store
         *     still has the checkpoint's history
         */
        public LogBatch read(Head from, int most, Function<Query, LogBatch> open) {
            Optional<Chunk> present;
            Optional<Chunk> own = Optional.empty();
            lock.lock();
            try {
                at = from.position();
                present = find(from);
                if (present.isEmpty()) {
                    own = begin(from, most);
                }
            } finally {
                lock.unlock();
            }
            own.ifPresent(chunk -> fill(chunk, open));
            return own.or(() -> present)
                    .flatMap(chunk -> take(chunk, from, most))
                    .orElseGet(() -> readAlone(open));
        }

        private Optional<Chunk> find(Head from) {
            return chunks.stream()
                    .filter(chunk -> chunk.readers.contains(this) && chunk.follows(from))
                    .findFirst();
        }

        private Optional<Chunk> begin(Head from, int most) {
            Set<Participant> near = new HashSet<>(Set.of(this));
            Query all = query;
            for (Participant other : alone ? Set.<Participant>of() : participants) {
                if (other != this && other.isNear(from.position(), most)) {
                    Query both = either(all, other.query);
                    if (both.items().size() <= mostItems) {
                        near.add(other);
                        all = both;
                    }
                }
            }
            if (near.size() == 1) {
                return Optional.empty();
            }
            Chunk chunk = new Chunk(from, all, near);
            chunks.addLast(chunk);
            if (chunks.size() > MOST_CHUNKS) {
                chunks.removeFirst();
            }
            return Optional.of(chunk);
        }

        /* A query for all events is one range of the log. With other items beside it, it would be several ranges. */
        private static Query either(Query some, Query others) {
            Query either = some.or(others);
            return either.items().contains(QueryItem.any()) ? Query.all() : either;
        }

        /* Positions have no gaps, so a chunk spans at least as many positions as it has events. */
        private boolean isNear(Position from, int most) {
            return wants && !alone && (at == null || (!from.isAfter(at) && at.value() - from.value() < most));
        }

        /* A failure concerns this view alone; the others then read alone. */
        private void fill(Chunk chunk, Function<Query, LogBatch> open) {
            try {
                chunk.read.complete(open.apply(chunk.query));
            } catch (RuntimeException | Error failure) {
                chunk.read.completeExceptionally(failure);
                lock.lock();
                try {
                    chunks.remove(chunk);
                } finally {
                    lock.unlock();
                }
                throw failure;
            }
        }

        private Optional<LogBatch> take(Chunk chunk, Head from, int most) {
            LogBatch read;
            try {
                read = chunk.read.get(LONGEST_WAIT.toNanos(), TimeUnit.NANOSECONDS);
            } catch (ExecutionException | TimeoutException failure) {
                return Optional.empty();
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                return Optional.empty();
            }
            List<SequencedEvent> own = new ArrayList<>();
            int next = firstAfter(read.events(), from.position());
            while (next < read.events().size() && own.size() < most) {
                SequencedEvent event = read.events().get(next);
                if (query.matches(event.event())) {
                    own.add(event);
                }
                next++;
            }
            return Optional.of(
                    next < read.events().size()
                            ? new LogBatch(reached(read, next), own, false)
                            : taken(chunk, read, own));
        }

        /* The rest of the chunk is left for the next batch. */
        private Head reached(LogBatch read, int next) {
            Head end = read.end().at(read.events().get(next - 1));
            noteAt(end);
            return end;
        }

        private LogBatch taken(Chunk chunk, LogBatch read, List<SequencedEvent> own) {
            lock.lock();
            try {
                chunk.readers.remove(this);
                forgetTaken();
                at = read.end().position();
                alone = !read.isLast() && own.size() < LEAST_USE * read.events().size();
                return new LogBatch(read.end(), own, read.isLast());
            } finally {
                lock.unlock();
            }
        }

        private LogBatch readAlone(Function<Query, LogBatch> open) {
            LogBatch batch = open.apply(query);
            noteAt(batch.end());
            return batch;
        }

        private void noteAt(Head reached) {
            lock.lock();
            try {
                at = reached.position();
            } finally {
                lock.unlock();
            }
        }

        private void leave() {
            chunks.forEach(chunk -> chunk.readers.remove(this));
            forgetTaken();
        }

        private void forgetTaken() {
            chunks.removeIf(chunk -> chunk.readers.isEmpty());
        }

        /** Leaves the shared reads. */
        @Override
        public void close() {
            lock.lock();
            try {
                participants.remove(this);
                leave();
            } finally {
                lock.unlock();
            }
        }
    }
}
