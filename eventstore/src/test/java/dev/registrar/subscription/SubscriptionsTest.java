package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The contract of a subscription. */
class SubscriptionsTest {
    private static final long MAX_WAIT_SECONDS = 120;
    private static final Query NOTES = Query.of(QueryItem.types("Noted"));

    private final InMemoryEventStore memory = new InMemoryEventStore();
    private final WatchedStore store = new WatchedStore(memory);
    private final AppendSignals signals = new AppendSignals(store);
    private final Subscriptions subscriptions = new Subscriptions(store, signals);
    private final BlockingQueue<Long> received = new LinkedBlockingQueue<>();

    @AfterEach
    void close() {
        subscriptions.close();
        signals.close();
    }

    private void note(int times) {
        for (int i = 0; i < times; i++) {
            memory.append(List.of(Event.of("Noted", "{}")));
        }
    }

    private void receive(SequencedEvent event) {
        received.add(event.position().value());
    }

    private static void ignore(SequencedEvent event) {
        // The test observes the subscription alone.
    }

    private List<Long> nextReceived(int events) throws InterruptedException {
        List<Long> next = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            Long position = received.poll(MAX_WAIT_SECONDS, TimeUnit.SECONDS);
            if (position == null) {
                throw new AssertionError("No event was received after " + next);
            }
            next.add(position);
        }
        return next;
    }

    @Test
    void a_subscription_receives_stored_events_and_then_new_ones() throws InterruptedException {
        note(3);
        memory.append(List.of(Event.of("Other", "{}")));
        subscriptions.subscribe(NOTES, Position.of(1), this::receive);
        assertThat(nextReceived(2)).containsExactly(2L, 3L);

        note(1);

        assertThat(nextReceived(1)).containsExactly(5L);
    }

    @Test
    void a_subscription_receives_appends_without_a_signal() throws InterruptedException {
        store.signalling(false);
        subscriptions.subscribe(NOTES, Position.START, this::receive);
        note(1);
        assertThat(nextReceived(1)).containsExactly(1L);

        note(1);

        assertThat(nextReceived(1)).containsExactly(2L);
    }

    @Test
    void a_handler_that_interrupts_its_thread_ends_the_subscription_with_a_failure() {
        note(1);
        Subscription subscription = subscriptions.subscribe(
                NOTES, Position.START, event -> Thread.currentThread().interrupt());

        await().until(() -> subscription.ended().isDone());

        assertThat(subscription.failure()).containsInstanceOf(InterruptedException.class);
    }

    @Test
    void a_slow_handler_has_at_most_one_chunk_read_ahead() throws InterruptedException {
        note(1_000);
        Semaphore may = new Semaphore(0);
        AtomicInteger atATime = new AtomicInteger();
        AtomicInteger mostAtATime = new AtomicInteger();
        subscriptions.subscribe(NOTES, Position.START, event -> {
            mostAtATime.accumulateAndGet(atATime.incrementAndGet(), Math::max);
            receive(event);
            may.acquireUninterruptibly();
            atATime.decrementAndGet();
        });
        nextReceived(1);
        note(100);

        assertThat(store.eventsRead()).isEqualTo(128);
        may.release(127);
        nextReceived(127);
        assertThat(store.eventsRead()).isEqualTo(128);
        may.release(2_000);

        assertThat(nextReceived(972)).isEqualTo(longs(129, 1_100));
        assertThat(mostAtATime).hasValue(1);
    }

    private static List<Long> longs(long first, long last) {
        return Stream.iterate(first, next -> next <= last, next -> next + 1).toList();
    }

    @Test
    void a_handler_that_throws_ends_its_subscription_with_the_exception() {
        note(3);
        IllegalStateException reason = new IllegalStateException("no");
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, event -> {
            receive(event);
            throw reason;
        });

        assertThatThrownBy(() -> subscription.ended().get(MAX_WAIT_SECONDS, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isSameAs(reason);

        assertThat(subscription.failure()).containsSame(reason);
        assertThat(received).containsExactly(1L);
    }

    @Test
    void a_handler_that_throws_a_store_exception_ends_its_subscription() {
        note(1);
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, event -> {
            throw new StoreUnavailableException("The handler's own store is down");
        });

        await().until(() -> subscription.failure().isPresent());
    }

    @Test
    void closing_waits_for_a_running_handler_and_prevents_further_calls() throws InterruptedException {
        note(10);
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch may = new CountDownLatch(1);
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, event -> {
            begun.countDown();
            awaitUninterruptibly(may);
            receive(event);
        });
        assertThat(begun.await(MAX_WAIT_SECONDS, TimeUnit.SECONDS)).isTrue();
        Thread closing = Thread.ofPlatform().start(subscription::close);
        await().until(() -> closing.getState() == Thread.State.TIMED_WAITING);

        may.countDown();

        assertThat(closing.join(Duration.ofSeconds(MAX_WAIT_SECONDS))).isTrue();
        assertThat(received).containsExactly(1L);
        assertThat(subscription.ended()).isCompleted();
        assertThat(subscription.failure()).isEmpty();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException unexpected) {
            throw new IllegalStateException(unexpected);
        }
    }

    @Test
    void a_handler_may_close_its_own_subscription() throws Exception {
        note(10);
        AtomicReference<Subscription> own = new AtomicReference<>();
        CountDownLatch known = new CountDownLatch(1);
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, event -> {
            awaitUninterruptibly(known);
            receive(event);
            own.get().close();
        });
        own.set(subscription);
        known.countDown();

        subscription.ended().get(MAX_WAIT_SECONDS, TimeUnit.SECONDS);

        assertThat(received).containsExactly(1L);
    }

    @Test
    void closing_all_closes_each() {
        List<Subscription> all = IntStream.range(0, 20)
                .mapToObj(i -> subscriptions.subscribe(NOTES, Position.START, SubscriptionsTest::ignore))
                .toList();

        subscriptions.close();

        assertThat(all)
                .allSatisfy(subscription -> assertThat(subscription.ended()).isCompleted());
    }

    @Test
    void clearing_the_store_ends_a_subscription_with_the_reason() throws InterruptedException {
        note(3);
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, this::receive);
        nextReceived(3);

        memory.clear();
        note(10);

        await().until(() -> subscription.failure().isPresent());
        assertThat(subscription.failure()).get().isInstanceOf(LostCursorException.class);
        assertThat(received).isEmpty();
    }

    /* Events 3 to 5 are replaced by others at the same positions, under the same incarnation. */
    @Test
    void replacing_events_ends_a_subscription_with_the_reason() throws InterruptedException {
        note(5);
        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, this::receive);
        nextReceived(5);

        synchronized (memory) {
            memory.setBackTo(Position.of(2));
            note(3);
        }

        await().until(() -> subscription.failure().isPresent());
        assertThat(subscription.failure()).get().isInstanceOf(LostCursorException.class);
        assertThat(received).isEmpty();
    }

    @Test
    void a_subscription_after_a_lost_head_ends() throws InterruptedException {
        note(5);
        List<Head> kept = new CopyOnWriteArrayList<>();
        Head start = store.head().start();
        subscriptions.subscribe(NOTES, start, (event, head) -> kept.add(head));
        await().until(() -> kept.size() == 5);
        subscriptions.close();
        memory.setBackTo(Position.of(3));
        note(4);

        Subscription sound = subscriptions.subscribe(NOTES, kept.get(2), (event, head) -> receive(event));
        assertThat(nextReceived(4)).containsExactly(4L, 5L, 6L, 7L);
        Subscription lost = subscriptions.subscribe(NOTES, kept.get(4), (event, head) -> receive(event));
        await().until(() -> lost.failure().isPresent());

        assertThat(lost.failure())
                .get()
                .isInstanceOf(LostCursorException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("position 5");
        assertThat(sound.failure()).isEmpty();
        assertThat(received).isEmpty();
    }

    @Test
    void a_position_beyond_the_last_event_ends_a_subscription_with_the_reason() {
        note(3);

        Subscription subscription = subscriptions.subscribe(NOTES, Position.of(4), SubscriptionsTest::ignore);

        await().until(() -> subscription.failure().isPresent());
        assertThat(subscription.failure())
                .get()
                .isInstanceOf(LostCursorException.class)
                .extracting(Throwable::getMessage)
                .asString()
                .contains("position 4");
    }

    @Test
    void a_store_that_fails_is_read_again() throws InterruptedException {
        AtomicInteger failures = new AtomicInteger(3);
        store.beforeRead(query -> {
            if (failures.getAndDecrement() > 0) {
                throw new StoreUnavailableException("The database is down");
            }
        });
        note(3);

        Subscription subscription = subscriptions.subscribe(NOTES, Position.START, this::receive);

        assertThat(nextReceived(3)).containsExactly(1L, 2L, 3L);
        assertThat(subscription.failure()).isEmpty();
    }

    @Test
    void a_query_above_the_limits_is_refused_at_once() {
        Query tooMany = new Query(IntStream.range(0, 101)
                .mapToObj(i -> QueryItem.tags("tag:" + i))
                .toList());

        assertThatThrownBy(() -> subscriptions.subscribe(tooMany, Position.START, SubscriptionsTest::ignore))
                .isInstanceOf(RefusedInputException.class);
    }
}
