package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One reader that feeds all who listen. */
class LiveFeedTest {
    private static final int MOST_LISTENERS = 300;
    private static final int MOST_WAITING = 20;
    private static final Duration AT_ONCE = Duration.ZERO;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final InMemoryEventStore memory = new InMemoryEventStore();
    private final WatchedStore store = new WatchedStore(memory);
    private final AppendSignals arrivals = new AppendSignals(store);
    private final LiveFeed feed = new LiveFeed(
            store,
            arrivals,
            new LiveSettings(MOST_LISTENERS, MOST_WAITING, Duration.ofSeconds(1), Duration.ofSeconds(1)));

    @AfterEach
    void close() {
        feed.close();
        arrivals.close();
    }

    private void note(String... tags) {
        memory.append(List.of(Event.of("Noted", "{}", tags)));
    }

    private static Query tagged(String... tags) {
        return Query.of(QueryItem.tags(tags));
    }

    private static long position(FeedSignal heard) {
        return heard instanceof FeedSignal.News(var event) ? event.position().value() : -1;
    }

    private static List<Long> next(Listener listener, int events) throws InterruptedException {
        List<Long> positions = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            positions.add(position(listener.next(PATIENCE)));
        }
        return positions;
    }

    @Test
    void a_listener_hears_what_is_there_and_then_what_comes() throws InterruptedException {
        note("a");
        note("b");
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);

        assertThat(next(listener, 2)).containsExactly(1L, 3L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        note("b");
        note("a");

        assertThat(next(listener, 1)).containsExactly(5L);
    }

    /**
     * The listener has read up to event 2. Then 3 and 4 are appended, and the reader of the log's end, which runs for
     * somebody else, hands them out while the listener is not yet attached. It is attached behind them.
     */
    @Test
    void what_was_handed_out_between_the_last_look_at_the_store_and_the_seam_is_read_from_the_store()
            throws InterruptedException {
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        note("a");
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);
        note("a");
        note("a", "other");
        assertThat(next(other, 1)).containsExactly(4L);

        assertThat(next(listener, 4)).containsExactly(1L, 2L, 3L, 4L);
        note("a");
        assertThat(next(listener, 1)).containsExactly(5L);
    }

    /**
     * The reader of the log's end is held up before it reads event 1. Meanwhile the listener reads it from the store,
     * and is attached before it: then the reader hands it out.
     */
    @Test
    void what_the_reader_hands_out_late_is_not_heard_again() throws InterruptedException {
        CountDownLatch may = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        AtomicBoolean holding = new AtomicBoolean();
        store.beforeRead(query -> {
            if (holding.get() && query.equals(Query.all())) {
                held.countDown();
                awaitUninterruptibly(may);
            }
        });
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        holding.set(true);
        note("a", "other");
        assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        Listener listener = feed.listen(tagged("a"), Position.START);
        assertThat(next(listener, 1)).containsExactly(1L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);

        may.countDown();
        assertThat(next(other, 1)).containsExactly(1L);
        note("a");

        assertThat(next(listener, 1)).containsExactly(2L);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyShould) {
            throw new IllegalStateException(nobodyShould);
        }
    }

    @Test
    void an_event_that_two_items_match_is_heard_once() throws InterruptedException {
        Listener listener = feed.listen(
                Query.of(
                        QueryItem.tags("a", "b"),
                        QueryItem.tags("b"),
                        QueryItem.types("Noted"),
                        QueryItem.types("Noted").tagged("c")),
                Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);

        note("a", "b", "c");
        note("d");

        assertThat(next(listener, 2)).containsExactly(1L, 2L);
    }

    @Test
    void hundreds_of_listeners_hear_their_own_events_and_no_others() throws InterruptedException {
        List<Listener> all = new ArrayList<>();
        for (int i = 0; i < MOST_LISTENERS; i++) {
            Listener listener = feed.listen(tagged("course:" + i), Position.START);
            assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
            all.add(listener);
        }

        for (int i = 0; i < MOST_LISTENERS; i++) {
            note("course:" + i);
        }

        for (int i = 0; i < MOST_LISTENERS; i++) {
            assertThat(next(all.get(i), 1)).containsExactly(i + 1L);
        }
        for (Listener listener : all) {
            assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        }

        assertThat(store.eventsRead()).isEqualTo(MOST_LISTENERS);
    }

    @Test
    void who_is_too_slow_is_cut_off_and_the_others_go_on() throws InterruptedException {
        Listener slow = feed.listen(tagged("a"), Position.START);
        assertThat(slow.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        try (Following quick = new Following(feed, tagged("a"), Position.START)) {
            for (int i = 1; i <= MOST_WAITING + 1; i++) {
                note("a");
                int sent = i;
                await().until(() -> quick.positions().size() == sent);
            }

            await().until(() -> feed.listeners() == 1);
            assertThat(slow.next(AT_ONCE)).isEqualTo(new FeedSignal.End(Reason.TOO_SLOW));
            note("a");
            await().until(() -> quick.positions().size() == MOST_WAITING + 2);
        }
    }

    @Test
    void what_waits_for_a_listener_is_bounded_by_its_characters_too() throws InterruptedException {
        Mailbox mailbox = new Mailbox(MOST_WAITING);
        SequencedEvent large = large(1);
        mailbox.offer(large);
        assertThat(mailbox.next(AT_ONCE)).isEqualTo(new FeedSignal.News(large));

        mailbox.offer(large(2));
        assertThat(mailbox.isEnded()).isFalse();
        mailbox.offer(large(3));

        assertThat(mailbox.reason()).isEqualTo(Reason.TOO_SLOW);
    }

    private static SequencedEvent large(long position) {
        return new SequencedEvent(
                Position.of(position),
                Event.of("Large", "x".repeat((int) Mailbox.MOST_CHARACTERS / 2 + 1)),
                Instant.EPOCH);
    }

    @Test
    void appends_that_nobody_tells_of_are_heard() throws InterruptedException {
        store.telling(false);
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);

        note("a");

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    void while_nobody_listens_nothing_is_read() throws InterruptedException {
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        listener.close();
        await().during(Duration.ofMillis(1_200)).until(this::isNothingRead);
        note("a");

        assertThat(next(feed.listen(Query.all(), Position.START), 1)).containsExactly(1L);
    }

    private int readsBefore = -1;

    private boolean isNothingRead() {
        int before = readsBefore;
        readsBefore = store.reads();
        return before < 0 || before == readsBefore;
    }

    @Test
    void one_more_than_may_is_refused_and_let_in_once_another_has_gone() {
        List<Listener> all = IntStream.range(0, MOST_LISTENERS)
                .mapToObj(i -> feed.listen(Query.all(), Position.START))
                .toList();

        assertThatThrownBy(() -> feed.listen(Query.all(), Position.START)).isInstanceOf(OverloadedException.class);
        all.getFirst().close();

        assertThat(feed.listen(Query.all(), Position.START)).isNotNull();
        assertThat(feed.listeners()).isEqualTo(MOST_LISTENERS);
    }

    @Test
    void a_store_that_was_cleared_ends_those_who_listen() throws InterruptedException {
        note("a");
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(next(live, 1)).containsExactly(1L);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        Listener behind = feed.listen(tagged("a"), Position.START);

        memory.clear();
        note("b");

        assertThat(live.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        // What it had asked for before is still told.
        assertThat(next(behind, 1)).containsExactly(1L);
        assertThat(behind.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        assertThat(next(feed.listen(Query.all(), Position.START), 1)).containsExactly(1L);
    }

    /* Events 3 to 5 are replaced by others at the same positions, under the same incarnation. */
    private void replace() {
        synchronized (memory) {
            memory.setBackTo(Position.of(2));
            note("a");
            note("a");
            note("a");
        }
    }

    @Test
    void a_store_whose_events_were_replaced_ends_those_who_listen() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            note("a");
        }
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(next(live, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);

        replace();

        assertThat(live.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        assertThat(feed.listeners()).isZero();
    }

    /*
     * The reader of the log's end stands at event 2, since it is held up. A listener reads events 1 to 5 from the store and
     * is attached to it. Then events 3 to 5 are replaced: the reader, which has read none of them, goes on, and the
     * listener would take 3 to 5 for those that it has heard.
     */
    @Test
    void a_listener_that_has_read_further_than_the_reader_is_ended_too() throws InterruptedException {
        note("a");
        note("a");
        CountDownLatch may = new CountDownLatch(1);
        CountDownLatch held = new CountDownLatch(1);
        AtomicBoolean holding = new AtomicBoolean();
        store.beforeRead(query -> {
            if (holding.get() && query.equals(Query.all())) {
                held.countDown();
                awaitUninterruptibly(may);
            }
        });
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        holding.set(true);
        assertThat(held.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
        note("a");
        note("a");
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);
        assertThat(next(listener, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);

        replace();
        may.countDown();

        assertThat(listener.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
    }

    @Test
    void a_listener_after_a_head_goes_on_or_is_refused_if_the_store_lost_it() throws InterruptedException {
        note("a");
        note("a");
        Head second = memory.head();
        note("a");
        note("a");
        note("a");
        Head fifth = memory.head();

        replace();

        assertThat(next(feed.listen(tagged("a"), second), 3)).containsExactly(3L, 4L, 5L);
        assertThatThrownBy(() -> feed.listen(tagged("a"), fifth))
                .isInstanceOf(StoreReplacedException.class)
                .hasMessageContaining(String.valueOf(fifth.lastEventId()));
        assertThat(feed.listeners()).isOne();
    }

    @Test
    void a_listener_tells_of_which_history_its_events_are() throws InterruptedException {
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);
        Head began = memory.head();
        note("a");

        assertThat(listener.head()).isEqualTo(began);
        assertThat(listener.next(PATIENCE))
                .isInstanceOfSatisfying(
                        FeedSignal.News.class,
                        first -> assertThat(listener.head().at(first.event())).isEqualTo(began));
    }

    @Test
    void nobody_starts_behind_the_last_event() {
        note("a");

        assertThatThrownBy(() -> feed.listen(Query.all(), Position.of(2)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("2");
        assertThat(feed.listeners()).isZero();
    }

    @Test
    void a_store_that_fails_is_tried_again_while_all_go_on_listening() throws InterruptedException {
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        AtomicBoolean away = new AtomicBoolean(true);
        store.beforeRead(query -> {
            if (away.get()) {
                throw new StoreUnavailableException("The database is away");
            }
        });
        note("a");
        assertThat(listener.next(Duration.ofMillis(300))).isInstanceOf(FeedSignal.Silence.class);

        away.set(false);

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    void a_listener_whose_store_fails_while_it_catches_up_may_ask_again() throws InterruptedException {
        Listener listener = feed.listen(tagged("a"), Position.START);
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        note("a", "other");
        assertThat(next(other, 1)).containsExactly(1L);
        AtomicBoolean away = new AtomicBoolean(true);
        store.beforeRead(query -> {
            if (away.get() && query.equals(tagged("a"))) {
                throw new StoreUnavailableException("The database is away");
            }
        });

        assertThatThrownBy(() -> listener.next(AT_ONCE)).isInstanceOf(StoreUnavailableException.class);
        away.set(false);

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    void a_feed_that_is_closed_ends_all_and_takes_nobody_until_it_is_opened() throws InterruptedException {
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Silence.class);
        Listener behind = feed.listen(Query.all(), Position.START);

        feed.close();

        assertThat(live.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.CLOSED));
        assertThat(behind.next(PATIENCE)).isEqualTo(new FeedSignal.End(Reason.CLOSED));
        assertThat(feed.listeners()).isZero();
        assertThatThrownBy(() -> feed.listen(Query.all(), Position.START)).isInstanceOf(OverloadedException.class);
        feed.open();
        note("a");
        assertThat(next(feed.listen(Query.all(), Position.START), 1)).containsExactly(1L);
    }
}
