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
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which views share a read, and that each gets the same events as from a read of its own. */
class SharedReadsTest {
    private static final int MOST = 10;
    private static final Query ODD = Query.of(QueryItem.types("Odd"));
    private static final Query EVEN = Query.of(QueryItem.types("Even"));
    private static final Query BOTH = ODD.or(EVEN);

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final SharedReads shared = new SharedReads(this::readStore, 100);
    /** The queries of all reads. */
    private final List<Query> reads = new ArrayList<>();
    /** What the thread of a read does before it. */
    private Runnable beforeRead = () -> {};

    private final Head start = store.head().start();

    private void append(int events) {
        for (int i = 0; i < events; i++) {
            long next = store.head().position().value() + 1;
            store.append(List.of(Event.of(next % 2 == 0 ? "Even" : "Odd", "{}", "number:" + next)));
        }
    }

    /* Reads ahead fail, so that each batch is read when a view asks for it. */
    private LogBatch readStore(Query query, Head from, int most) {
        if (Thread.currentThread().getName().equals("read-ahead")) {
            throw new IllegalStateException("No reads ahead");
        }
        beforeRead.run();
        reads.add(query);
        return LogBatch.of(
                store.read(query, ReadOptions.forwards().after(from.position()).limit(most)), most);
    }

    private Reader join(Query query) {
        return awake(shared.join(query));
    }

    private static Reader awake(Reader view) {
        view.wakes();
        return view;
    }

    private static LogBatch read(Reader view, Head from) {
        return view.read(from, MOST);
    }

    private static List<Long> positions(LogBatch batch) {
        return batch.events().stream().map(event -> event.position().value()).toList();
    }

    /* Reads until the last batch, and returns the positions. */
    private List<Long> readAll(Reader view) {
        List<Long> all = new ArrayList<>();
        LogBatch batch = new LogBatch(start, List.of(), false, start.position());
        while (!batch.isLast()) {
            batch = read(view, batch.end());
            all.addAll(positions(batch));
        }
        view.rests();
        return all;
    }

    @Test
    void views_that_are_behind_together_share_each_read() {
        append(25);
        Reader odd = join(ODD);
        Reader even = join(EVEN);
        Reader both = join(BOTH);
        Head from = start;
        List<Long> seen = new ArrayList<>();

        for (int batches = 1; batches <= 3; batches++) {
            LogBatch ofBoth = read(both, from);
            LogBatch ofOdd = read(odd, from);
            LogBatch ofEven = read(even, from);

            assertThat(reads).hasSize(batches);
            assertThat(List.of(ofOdd.end(), ofEven.end())).containsOnly(ofBoth.end());
            assertThat(List.of(ofOdd.isLast(), ofEven.isLast())).containsOnly(batches == 3);
            assertThat(positions(ofOdd)).allMatch(position -> position % 2 == 1);
            assertThat(positions(ofEven)).allMatch(position -> position % 2 == 0);
            seen.addAll(positions(ofBoth));
            from = ofBoth.end();
        }

        assertThat(seen).hasSize(25);
        assertThat(from).isEqualTo(store.head());
    }

    @Test
    void a_read_does_not_include_a_resting_view() {
        append(5);
        Reader odd = join(ODD);
        Reader even = join(EVEN);
        even.rests();

        read(odd, start);
        odd.rests();
        even.wakes();
        read(even, start);

        assertThat(reads).containsExactly(ODD, EVEN);
    }

    @Test
    void a_view_ahead_takes_the_rest_of_a_chunk_if_it_has_seen_the_same_event() {
        append(9);
        Reader odd = join(ODD);
        Reader both = join(BOTH);
        Head third = store.head().at(store.read(BOTH).toList().get(2));

        read(both, start);
        LogBatch rest = read(odd, third);

        assertThat(positions(rest)).containsExactly(5L, 7L, 9L);
        assertThat(reads).hasSize(1);
    }

    @Test
    void a_view_whose_checkpoint_is_of_another_history_reads_by_itself() {
        append(9);
        Reader odd = join(ODD);
        Reader both = join(BOTH);
        Head third = store.head().at(store.read(BOTH).toList().get(2));
        Head lost = new Head(
                third.position(),
                third.incarnation(),
                store.read(BOTH).toList().getFirst().event().id());

        read(both, start);
        both.rests();
        read(odd, lost);

        assertThat(reads).hasSize(2).last().isEqualTo(ODD);
    }

    @Test
    void a_chunk_read_before_a_wake_up_is_not_used() {
        append(4);
        Reader odd = join(ODD);
        Reader even = join(EVEN);
        read(odd, start);
        even.rests();
        append(2);
        even.wakes();

        LogBatch late = read(even, start);

        assertThat(late.isLast()).isTrue();
        assertThat(positions(late)).containsExactly(2L, 4L, 6L);
    }

    @Test
    void a_view_far_ahead_or_behind_reads_by_itself() {
        append(40);
        Reader odd = join(ODD);
        Reader even = join(EVEN);
        Head end = store.head();
        read(even, end);
        reads.clear();

        read(odd, start);

        assertThat(reads).containsExactly(ODD);
    }

    @Test
    void a_slow_view_delays_no_other_and_joins_again() {
        append(60);
        Reader fast = join(ODD);
        Reader slow = join(BOTH);
        LogBatch first = read(slow, start);

        List<Long> all = readAll(fast);

        assertThat(all).hasSize(30);
        int before = reads.size();
        LogBatch kept = read(slow, first.end());
        assertThat(positions(kept)).containsExactly(11L, 12L, 13L, 14L, 15L, 16L, 17L, 18L, 19L, 20L);
        assertThat(reads).hasSize(before);
        LogBatch alone = read(slow, kept.end());
        assertThat(positions(alone)).containsExactly(21L, 22L, 23L, 24L, 25L, 26L, 27L, 28L, 29L, 30L);
        assertThat(reads).hasSize(before + 1).last().isEqualTo(BOTH);
    }

    @Test
    void a_view_that_uses_few_of_the_events_reads_alone_until_it_catches_up() {
        append(60);
        Reader rare = join(Query.of(QueryItem.types("Even").tagged("number:60")));
        Reader both = join(BOTH);

        LogBatch first = read(both, start);
        LogBatch ofRare = read(rare, start);
        LogBatch second = read(rare, ofRare.end());

        assertThat(ofRare.events()).isEmpty();
        assertThat(ofRare.end()).isEqualTo(first.end());
        assertThat(positions(second)).containsExactly(60L);
        assertThat(second.isLast()).isTrue();
        assertThat(reads).hasSize(2);
    }

    @Test
    void a_batch_smaller_than_a_chunk_takes_part_of_the_chunk() {
        append(9);
        Reader odd = join(ODD);
        Reader both = join(BOTH);
        read(both, start);

        LogBatch one = odd.read(start, 1);
        LogBatch two = odd.read(one.end(), 1);

        assertThat(positions(one)).containsExactly(1L);
        assertThat(positions(two)).containsExactly(3L);
        assertThat(reads).hasSize(1);
    }

    @Test
    void a_failed_read_is_the_failure_of_its_view_alone() {
        append(3);
        Reader odd = join(ODD);
        Reader even = join(EVEN);

        beforeRead = () -> {
            throw new IllegalStateException("gone");
        };

        assertThatThrownBy(() -> read(odd, start)).hasMessage("gone");

        beforeRead = () -> {};
        assertThat(positions(read(even, start))).containsExactly(2L);
    }

    @Test
    void a_view_waits_for_a_read_in_flight() throws Exception {
        append(4);
        Reader odd = join(ODD);
        Reader even = join(EVEN);
        CountDownLatch reading = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        beforeRead = () -> {
            reading.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        };
        CompletableFuture<LogBatch> ofOdd = CompletableFuture.supplyAsync(() -> read(odd, start));
        reading.await();
        CompletableFuture<LogBatch> ofEven = new CompletableFuture<>();
        Thread waiting = Thread.ofPlatform().start(() -> ofEven.complete(read(even, start)));
        await().until(() -> waiting.getState() == Thread.State.TIMED_WAITING);
        goesOn.countDown();

        assertThat(positions(ofEven.get())).containsExactly(2L, 4L);
        assertThat(positions(ofOdd.get())).containsExactly(1L, 3L);
        assertThat(reads).hasSize(1);
    }

    @Test
    void a_shared_query_does_not_exceed_the_stores_limit_of_items() {
        append(3);
        SharedReads narrow = new SharedReads(this::readStore, 1);
        Reader odd = awake(narrow.join(ODD));
        awake(narrow.join(EVEN));

        read(odd, start);

        assertThat(reads).containsExactly(ODD);
    }

    @Test
    void with_a_view_of_all_events_the_shared_query_is_all_events() {
        append(3);
        SharedReads narrow = new SharedReads(this::readStore, 2);
        Reader odd = awake(narrow.join(ODD));
        Reader everything = awake(narrow.join(Query.all()));
        Reader even = awake(narrow.join(EVEN));

        assertThat(positions(read(odd, start))).containsExactly(1L, 3L);
        assertThat(positions(read(everything, start))).containsExactly(1L, 2L, 3L);
        assertThat(positions(read(even, start))).containsExactly(2L);

        assertThat(reads).containsExactly(Query.all());
    }

    /*
     * Views with random queries read, rest and wake up at random while events are appended. Each must see exactly the
     * events of its query, in order.
     */
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void each_view_sees_its_own_events_in_any_order_of_reads(long seed) {
        RandomGenerator random = new SplittableRandom(seed);
        List<Query> queries = List.of(ODD, EVEN, BOTH, Query.all(), ODD);
        List<Reader> views = queries.stream().map(this::join).toList();
        List<Head> heads = new ArrayList<>(queries.stream().map(query -> start).toList());
        List<List<Long>> seen =
                queries.stream().<List<Long>>map(query -> new ArrayList<>()).toList();
        for (int step = 0; step < 2_000; step++) {
            int chosen = random.nextInt(views.size());
            switch (random.nextInt(10)) {
                case 0 -> append(random.nextInt(1, 6));
                case 1 -> views.get(chosen).rests();
                default -> {
                    views.get(chosen).wakes();
                    int most = random.nextInt(8) == 0 ? 1 : MOST;
                    LogBatch batch = views.get(chosen).read(heads.get(chosen), most);
                    seen.get(chosen).addAll(positions(batch));
                    heads.set(chosen, batch.end());
                    if (batch.isLast()) {
                        views.get(chosen).rests();
                    }
                }
            }
        }
        for (int i = 0; i < queries.size(); i++) {
            views.get(i).rests();
            views.get(i).wakes();
            for (boolean isLast = false; !isLast; ) {
                LogBatch batch = read(views.get(i), heads.get(i));
                seen.get(i).addAll(positions(batch));
                heads.set(i, batch.end());
                isLast = batch.isLast();
            }
            assertThat(seen.get(i))
                    .isEqualTo(store.read(queries.get(i)).stream()
                            .map(event -> event.position().value())
                            .toList());
        }
    }
}
