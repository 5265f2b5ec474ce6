package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.projection.SharedReads.Reader;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which batches are read ahead, and that each has the events that a read of its own would have. */
class ReadAheadTest {
    private static final int MOST = 10;
    private static final Query ALL = Query.all();

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final Head start = store.head().start();
    /** The positions after which the store was read. */
    private final List<Long> reads = new CopyOnWriteArrayList<>();

    private volatile long failsAt = -1;
    private final AtomicInteger inProgress = new AtomicInteger();
    /** A read ahead, but no other read, waits for it. */
    private volatile CountDownLatch gate = new CountDownLatch(0);

    private final SharedReads shared = new SharedReads(this::read, 10);
    private final SharedReads impatient = new SharedReads(this::read, 10, Duration.ofMillis(10));
    private final Reader reader = shared.join(ALL);
    private final Reader impatientReader = impatient.join(ALL);

    private LogBatch read(Query query, Head from, int most) {
        inProgress.incrementAndGet();
        try {
            reads.add(from.position().value());
            if (Thread.currentThread().getName().equals("read-ahead")) {
                gate.await();
            }
            if (failsAt == from.position().value()) {
                throw new IllegalStateException("gone");
            }
            return LogBatch.of(
                    store.read(
                            query, ReadOptions.forwards().after(from.position()).limit(most)),
                    most);
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        } finally {
            inProgress.decrementAndGet();
        }
    }

    private void append(int events) {
        for (int i = 0; i < events; i++) {
            store.append(List.of(Event.of("Any", "{}")));
        }
    }

    private LogBatch readFirst() {
        return readFirst(reader);
    }

    private LogBatch readFirst(Reader reading) {
        LogBatch first = reading.read(start, MOST);
        await().until(() -> reads.size() == 2);
        return first;
    }

    private static List<Long> positions(LogBatch batch) {
        return batch.events().stream().map(event -> event.position().value()).toList();
    }

    @Test
    void the_batch_after_a_full_one_is_read_before_it_is_asked_for() {
        append(25);

        LogBatch first = readFirst();
        LogBatch second = reader.read(first.end(), MOST);

        assertThat(positions(second)).containsExactly(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
        await().until(() -> reads.size() == 3);
        assertThat(reads).containsExactly(0L, 10L, 20L);
    }

    @Test
    void another_reader_takes_the_batch_too() {
        append(25);

        LogBatch first = readFirst();
        LogBatch second = shared.join(ALL).read(first.end(), MOST);

        assertThat(positions(second)).hasSize(MOST);
        assertThat(reads).containsOnlyOnce(10L);
    }

    /* An event that was appended after the read may have woken its reader. */
    @Test
    void a_batch_that_had_reached_the_end_of_the_log_is_read_again() {
        append(11);

        LogBatch first = readFirst();
        append(1);
        LogBatch second = reader.read(first.end(), MOST);

        assertThat(positions(second)).containsExactly(11L, 12L);
        assertThat(second.isLast()).isTrue();
        assertThat(reads).containsExactly(0L, 10L, 10L);
    }

    @Test
    void a_batch_of_another_query_history_or_size_is_not_taken() {
        append(25);
        LogBatch first = readFirst();
        Head lost = new Head(first.end().position(), first.end().incarnation(), null);

        shared.join(Query.of(QueryItem.types("Any"))).read(first.end(), MOST);
        shared.join(ALL).read(lost, MOST);
        shared.join(ALL).read(first.end(), 5);

        assertThat(reads.stream().filter(position -> position == 10)).hasSize(4);
    }

    @Test
    void a_failed_read_ahead_is_repeated_by_the_reader() {
        append(25);
        failsAt = 10;

        LogBatch first = readFirst();

        assertThatThrownBy(() -> reader.read(first.end(), MOST)).hasMessage("gone");
        failsAt = -1;
        assertThat(positions(reader.read(first.end(), MOST))).hasSize(MOST);
    }

    @Test
    void a_forgotten_batch_is_read_again() {
        append(25);

        LogBatch first = readFirst();
        reader.rests();
        reader.read(first.end(), MOST);

        assertThat(reads.stream().filter(position -> position == 10)).hasSize(2);
    }

    /* The united query of the two is the same, whichever of them begins. */
    @Test
    void two_views_that_take_turns_in_beginning_read_each_batch_once() {
        Query odd = Query.of(QueryItem.types("Odd"));
        Query even = Query.of(QueryItem.types("Even"));
        for (int i = 1; i <= 45; i++) {
            store.append(List.of(Event.of(i % 2 == 0 ? "Even" : "Odd", "{}")));
        }
        Reader next = shared.join(odd);
        Reader other = shared.join(even);
        next.wakes();
        other.wakes();
        Head from = start;

        for (int batch = 1; batch <= 4; batch++) {
            Head end = next.read(from, MOST).end();
            assertThat(other.read(from, MOST).end()).isEqualTo(end);
            from = end;
            Reader before = next;
            next = other;
            other = before;
        }

        await().until(() -> reads.size() >= 5);
        assertThat(reads).containsExactly(0L, 10L, 20L, 30L, 40L);
    }

    @Test
    void no_read_ahead_begins_beside_a_forgotten_one_of_the_same_reader() {
        append(45);
        gate = new CountDownLatch(1);
        LogBatch first = readFirst();
        reader.rests();

        LogBatch second = reader.read(first.end(), MOST);
        gate.countDown();
        reader.close();

        assertThat(reads).containsExactly(0L, 10L, 10L);
        reader.read(second.end(), MOST);
        await().until(() -> reads.size() == 5);
        assertThat(reads).endsWith(20L, 30L);
    }

    @Test
    void a_read_ahead_that_takes_too_long_is_not_waited_for() {
        append(25);
        gate = new CountDownLatch(1);
        LogBatch first = readFirst(impatientReader);

        LogBatch second = impatientReader.read(first.end(), MOST);

        assertThat(positions(second)).hasSize(MOST);
        assertThat(reads).containsExactly(0L, 10L, 10L);
        gate.countDown();
    }

    @Test
    void a_reader_that_ends_waits_for_its_read() throws InterruptedException {
        append(25);
        gate = new CountDownLatch(1);
        readFirst();

        Thread closing = Thread.ofPlatform().start(() -> reader.close());
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);
        gate.countDown();
        closing.join();

        assertThat(inProgress).hasValue(0);
    }

    @Test
    void a_read_that_a_reader_has_waited_for_in_vain_is_interrupted() {
        append(25);
        gate = new CountDownLatch(1);
        readFirst(impatientReader);

        impatientReader.close();

        await().until(() -> inProgress.get() == 0);
    }
}
