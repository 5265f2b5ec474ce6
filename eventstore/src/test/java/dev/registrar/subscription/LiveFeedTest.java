package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One log tailer feeds all listeners. */
class LiveFeedTest extends LiveFeedFixture {
    @Test
    void a_listener_receives_stored_events_and_then_new_ones() throws InterruptedException {
        note("a");
        note("b");
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);

        assertThat(next(listener, 2)).containsExactly(1L, 3L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        note("b");
        note("a");

        assertThat(next(listener, 1)).containsExactly(5L);
    }

    /**
     * The listener has read up to event 2. Then events 3 and 4 are appended, and the tailer, which runs for another
     * listener, delivers them before the listener is attached. The handover is after them.
     */
    @Test
    void events_between_the_last_read_and_the_handover_come_from_the_store() throws InterruptedException {
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
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
     * The tailer is blocked before it reads event 1. The listener reads the event from the store and is attached with a
     * handover before it. Then the tailer delivers the event.
     */
    @Test
    void an_event_that_the_tailer_delivers_late_is_not_received_twice() throws InterruptedException {
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
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        holding.set(true);
        note("a", "other");
        assertThat(held.await(AwaitilityTimeouts.MAX_WAIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        Listener listener = feed.listen(tagged("a"), Position.START);
        assertThat(next(listener, 1)).containsExactly(1L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        may.countDown();
        assertThat(next(other, 1)).containsExactly(1L);
        note("a");

        assertThat(next(listener, 1)).containsExactly(2L);
    }

    @Test
    void an_event_that_two_query_items_match_is_received_once() throws InterruptedException {
        Listener listener = feed.listen(
                Query.of(
                        QueryItem.tags("a", "b"),
                        QueryItem.tags("b"),
                        QueryItem.types("Noted"),
                        QueryItem.types("Noted").tagged("c")),
                Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        note("a", "b", "c");
        note("d");

        assertThat(next(listener, 2)).containsExactly(1L, 2L);
    }

    @Test
    void hundreds_of_listeners_receive_their_own_events_and_no_others() throws InterruptedException {
        List<Listener> all = new ArrayList<>();
        for (int i = 0; i < MOST_LISTENERS; i++) {
            Listener listener = feed.listen(tagged("course:" + i), Position.START);
            assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
            all.add(listener);
        }

        for (int i = 0; i < MOST_LISTENERS; i++) {
            note("course:" + i);
        }

        for (int i = 0; i < MOST_LISTENERS; i++) {
            assertThat(next(all.get(i), 1)).containsExactly(i + 1L);
        }
        for (Listener listener : all) {
            assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        }

        assertThat(store.eventsRead()).isEqualTo(MOST_LISTENERS);
    }

    @Test
    void a_listener_that_is_too_slow_ends_and_the_others_continue() throws InterruptedException {
        Listener slow = feed.listen(tagged("a"), Position.START);
        assertThat(slow.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
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
    void the_buffer_of_a_listener_is_bounded_in_characters() throws InterruptedException {
        Mailbox mailbox = new Mailbox(MOST_WAITING);
        SequencedEvent large = large(1);
        mailbox.offer(large);
        assertThat(mailbox.next(AT_ONCE)).isEqualTo(new FeedSignal.Delivery(large));

        mailbox.offer(large(2));
        assertThat(mailbox.isEnded()).isFalse();
        mailbox.offer(large(3));

        assertThat(mailbox.next(AT_ONCE)).isEqualTo(new FeedSignal.End(Reason.TOO_SLOW));
    }

    private static SequencedEvent large(long position) {
        return new SequencedEvent(
                Position.of(position),
                Event.of("Large", "x".repeat((int) Mailbox.MOST_CHARACTERS / 2 + 1)),
                Instant.EPOCH);
    }

    @Test
    void appends_without_a_signal_are_received() throws InterruptedException {
        store.signalling(false);
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        note("a");

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    @Tag("thorough")
    void without_listeners_nothing_is_read() throws InterruptedException {
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
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
    void a_listener_above_the_bound_is_refused_until_another_has_ended() {
        List<Listener> all = IntStream.range(0, MOST_LISTENERS)
                .mapToObj(i -> feed.listen(Query.all(), Position.START))
                .toList();

        assertThatThrownBy(() -> feed.listen(Query.all(), Position.START)).isInstanceOf(OverloadedException.class);
        all.getFirst().close();

        assertThat(feed.listen(Query.all(), Position.START)).isNotNull();
        assertThat(feed.listeners()).isEqualTo(MOST_LISTENERS);
    }

    @Test
    void a_position_beyond_the_last_event_is_refused() {
        note("a");

        assertThatThrownBy(() -> feed.listen(Query.all(), Position.of(2)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("2");
        assertThat(feed.listeners()).isZero();
    }

    @Test
    void a_store_that_fails_is_read_again_and_no_listener_ends() throws InterruptedException {
        Listener listener = feed.listen(Query.all(), Position.START);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        AtomicBoolean away = new AtomicBoolean(true);
        AtomicInteger failures = new AtomicInteger();
        store.beforeRead(query -> {
            if (away.get()) {
                failures.incrementAndGet();
                throw new StoreUnavailableException("The database is down");
            }
        });
        note("a");
        await().until(() -> failures.get() > 1);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        away.set(false);

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    void a_failure_while_stored_events_are_read_loses_no_event() throws InterruptedException {
        Listener listener = feed.listen(tagged("a"), Position.START);
        Listener other = feed.listen(tagged("other"), Position.START);
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        note("a", "other");
        assertThat(next(other, 1)).containsExactly(1L);
        AtomicBoolean away = new AtomicBoolean(true);
        store.beforeRead(query -> {
            if (away.get() && query.equals(tagged("a"))) {
                throw new StoreUnavailableException("The database is down");
            }
        });

        assertThatThrownBy(() -> listener.next(AT_ONCE)).isInstanceOf(StoreUnavailableException.class);
        away.set(false);

        assertThat(next(listener, 1)).containsExactly(1L);
    }

    @Test
    void a_closed_feed_ends_its_listeners_and_refuses_others_until_opened() throws InterruptedException {
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        Listener behind = feed.listen(Query.all(), Position.START);

        feed.close();

        assertThat(live.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.CLOSED));
        assertThat(behind.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.CLOSED));
        assertThat(feed.listeners()).isZero();
        assertThatThrownBy(() -> feed.listen(Query.all(), Position.START)).isInstanceOf(OverloadedException.class);
        feed.open();
        note("a");
        assertThat(next(feed.listen(Query.all(), Position.START), 1)).containsExactly(1L);
    }
}
