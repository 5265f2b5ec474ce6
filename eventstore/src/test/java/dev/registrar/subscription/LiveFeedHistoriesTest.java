package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.subscription.FeedSignal.Reason;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** The signals to listeners when the store has lost events. */
class LiveFeedHistoriesTest extends LiveFeedFixture {
    @Test
    void clearing_the_store_ends_its_listeners() throws InterruptedException {
        note("a");
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(next(live, 1)).containsExactly(1L);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        Listener behind = feed.listen(tagged("a"), Position.START);

        memory.clear();
        note("b");

        assertThat(live.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        // Events of a read that began earlier are still delivered.
        assertThat(next(behind, 1)).containsExactly(1L);
        assertThat(behind.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
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
    void replacing_events_of_the_store_ends_its_listeners() throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            note("a");
        }
        Listener live = feed.listen(Query.all(), Position.START);
        assertThat(next(live, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(live.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        replace();

        assertThat(live.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        assertThat(feed.listeners()).isZero();
    }

    /*
     * The tailer is blocked at event 2. A listener reads events 1 to 5 from the store and is attached. Then events 3 to
     * 5 are replaced. The tailer, which has read none of them, continues. Without a check the listener would mistake
     * the new events 3 to 5 for those that it has received.
     */
    @Test
    void a_listener_that_is_ahead_of_the_tailer_ends_too() throws InterruptedException {
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
        assertThat(other.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);
        holding.set(true);
        assertThat(held.await(AwaitilityTimeouts.MAX_WAIT.toSeconds(), TimeUnit.SECONDS))
                .isTrue();
        note("a");
        note("a");
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);
        assertThat(next(listener, 5)).containsExactly(1L, 2L, 3L, 4L, 5L);
        assertThat(listener.next(AT_ONCE)).isInstanceOf(FeedSignal.Idle.class);

        replace();
        may.countDown();

        assertThat(listener.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
    }

    @Test
    void a_listener_after_a_lost_head_is_refused() throws InterruptedException {
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
    void a_listener_names_the_history_of_its_events() throws InterruptedException {
        note("a");
        Listener listener = feed.listen(tagged("a"), Position.START);
        Head began = memory.head();
        note("a");

        assertThat(listener.head()).isEqualTo(began);
        assertThat(listener.next(AwaitilityTimeouts.MAX_WAIT))
                .isInstanceOfSatisfying(
                        FeedSignal.Delivery.class,
                        first -> assertThat(listener.head().at(first.event())).isEqualTo(began));
    }
}
