package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.AwaitilityTimeouts;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.subscription.FeedSignal.Reason;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When stored events get tags, subscriptions and listeners whose queries name these end, and all others go on. */
class RetaggedReadersTest {
    private static final Query OF_TERM = Query.of(QueryItem.types("Noted").tagged("term:2026"));
    private static final Query NOTES = Query.of(QueryItem.types("Noted"));

    private final StoreDatabase database = new StoreDatabase();
    private final PostgresEventStore store = database.newStore();
    private final AppendSignals signals = new AppendSignals(store);
    private final LiveFeed feed = new LiveFeed(store, signals, new LiveOptions(10, 20));
    private final Subscriptions subscriptions = new Subscriptions(store, signals);

    @AfterEach
    void close() {
        subscriptions.close();
        feed.close();
        signals.close();
        database.close();
    }

    private void note(String... tags) {
        store.append(Append.of(Event.of("Noted", "{}", tags)));
    }

    private void retag() {
        store.retag(NOTES, Set.of(new Tag("term:2026")), Actor.of("issuer", "admin"), "ticket 17");
    }

    @Test
    void a_subscription_that_names_the_tag_ends_and_others_go_on() {
        List<Long> ofTerm = new CopyOnWriteArrayList<>();
        List<Long> notes = new CopyOnWriteArrayList<>();
        note("a");
        note("term:2026");
        Subscription ending = subscriptions.subscribe(
                OF_TERM, Position.START, event -> ofTerm.add(event.position().value()));
        Subscription other = subscriptions.subscribe(
                NOTES, Position.START, event -> notes.add(event.position().value()));
        await().until(() -> ofTerm.equals(List.of(2L)) && notes.equals(List.of(1L, 2L)));

        retag();
        note("b");

        await().until(() -> ending.ended().isDone());
        assertThat(ending.failure()).containsInstanceOf(LostCursorException.class);
        await().until(() -> notes.equals(List.of(1L, 2L, 4L)));
        assertThat(other.failure()).isEmpty();
        ofTerm.clear();
        subscriptions.subscribe(
                OF_TERM, Position.START, event -> ofTerm.add(event.position().value()));
        await().until(() -> ofTerm.equals(List.of(1L, 2L)));
    }

    @Test
    void a_live_listener_that_names_the_tag_ends_and_others_go_on() throws InterruptedException {
        note("a");
        Listener ending = feed.listen(OF_TERM, Position.START);
        Listener all = feed.listen(Query.all(), Position.START);
        assertThat(position(all.next(AwaitilityTimeouts.MAX_WAIT))).isEqualTo(1);
        for (Listener live : List.of(ending, all)) {
            assertThat(live.next(Duration.ZERO)).isInstanceOf(FeedSignal.Idle.class);
        }

        retag();
        note("b");

        assertThat(ending.next(AwaitilityTimeouts.MAX_WAIT)).isEqualTo(new FeedSignal.End(Reason.STORE_REPLACED));
        assertThat(all.next(AwaitilityTimeouts.MAX_WAIT))
                .isInstanceOfSatisfying(
                        FeedSignal.Delivery.class,
                        marker -> assertThat(marker.event().event().type()).isEqualTo(TagsAdded.TYPE));
        assertThat(position(all.next(AwaitilityTimeouts.MAX_WAIT))).isEqualTo(3);
        assertThat(position(feed.listen(OF_TERM, Position.START).next(AwaitilityTimeouts.MAX_WAIT)))
                .isEqualTo(1);
    }

    @Test
    void a_listener_after_an_earlier_head_is_refused() {
        note("a");
        Head before = store.head();
        retag();

        assertThatThrownBy(() -> feed.listen(OF_TERM, before))
                .isInstanceOf(StoreReplacedException.class)
                .hasMessageContaining("Tags that the query names");
        assertThat(feed.listen(NOTES, before).head()).isEqualTo(store.head());
    }

    private static long position(FeedSignal received) {
        return received instanceof FeedSignal.Delivery(var event)
                ? event.position().value()
                : -1;
    }
}
