package dev.registrar.projection.log;

import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
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
 * Reads of the log for the views of an instance: views that are behind, and stand near each other, share one read. The
 * view that comes first reads for all of them; the others take their events from what it has read.
 */
public final class SharedReads {
    /*
     * What a view takes is what it would have read by itself. A chunk begins at the checkpoint of the view that read it, and
     * the store has checked the history of that checkpoint. Another view may take from the chunk if its own checkpoint is
     * the same one, or names an event of the chunk by position and id, so it is of the same history. It takes the events
     * after its checkpoint that match its own query, and moves its checkpoint to the chunk's end, also if none matches.
     *
     * A chunk is for views that wanted to read before it was read and have not rested since: what woke such a view had been
     * committed by then, so the chunk's end may count as the end of the log.
     *
     * No view waits for another one's work. A slow view finds its chunk gone when two later ones have been read, and reads
     * alone until it stands near the others again. A view waits for a read that is on its way, up to a bound, and reads by
     * itself if that fails. Memory: two chunks, of as many events and characters as a batch may have.
     */
    private static final int MOST_CHUNKS = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(1);
    /** A view that would use less than this part of a chunk's events reads alone, since that is faster for it. */
    private static final double LEAST_USE = 0.1;

    private final int mostItems;
    private final ReentrantLock lock = new ReentrantLock();
    private final Set<Participant> participants = new LinkedHashSet<>();
    private final Deque<Chunk> chunks = new ArrayDeque<>();

    /**
     * Shared reads of a store.
     *
     * @param mostItems that the store allows in a query
     */
    public SharedReads(int mostItems) {
        this.mostItems = mostItems;
    }

    /** Lets a view read together with others. It wants to read, and is closed when it does not any more. */
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

    /** What was read, or is being read, for several views. */
    private static final class Chunk {
        private final Head from;
        private final Query query;
        /** Those that have not taken it; guarded by the lock. */
        private final Set<Participant> readers;

        private final CompletableFuture<LogBatch> read = new CompletableFuture<>();

        Chunk(Head from, Query query, Set<Participant> readers) {
            this.from = from;
            this.query = query;
            this.readers = readers;
        }

        /** Whether it has the events after a checkpoint, or will have them. */
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

    /** A view that reads together with others; for one thread. */
    public final class Participant implements AutoCloseable {
        private final Query query;

        /* Guarded by the lock. */
        private boolean wants = true;
        private boolean alone;
        private @Nullable Position at;

        private Participant(Query query) {
            this.query = query;
        }

        /** Says that the view wants to read, before it reads. */
        public void wakes() {
            lock.lock();
            try {
                wants = true;
            } finally {
                lock.unlock();
            }
        }

        /** Says that the view does not want to read for a while: others need not read for it. */
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
         * @param most events
         * @param open reads the events after the checkpoint that match a query, at most as many, if the store still has
         *     the checkpoint's history
         */
        public LogBatch read(Head from, int most, Function<Query, EventStream> open) {
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
            own.ifPresent(chunk -> fill(chunk, most, open));
            return own.or(() -> present)
                    .flatMap(chunk -> take(chunk, from, most))
                    .orElseGet(() -> readAlone(most, open));
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

        /* All events alone are read in one walk along the log, and all events or others in several. */
        private static Query either(Query some, Query others) {
            Query either = some.or(others);
            return either.items().contains(QueryItem.any()) ? Query.all() : either;
        }

        /* Positions have no gaps, so a chunk spans as many of them as it has events, or more. */
        private boolean isNear(Position from, int most) {
            return wants && !alone && (at == null || (!from.isAfter(at) && at.value() - from.value() < most));
        }

        /* A failure is this view's own; the others then read by themselves. */
        private void fill(Chunk chunk, int most, Function<Query, EventStream> open) {
            try {
                chunk.read.complete(LogBatch.of(open.apply(chunk.query), most));
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

        /* The rest of the chunk is for the next batch. */
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

        private LogBatch readAlone(int most, Function<Query, EventStream> open) {
            LogBatch batch = LogBatch.of(open.apply(query), most);
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

        /** Leaves the others. */
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
