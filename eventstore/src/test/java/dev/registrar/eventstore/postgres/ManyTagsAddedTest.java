package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.RetaggingEventStore;
import dev.registrar.eventstore.RetaggingEventStore.Retagged;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** One call adds tags to as many events as it may, and to no more. */
@Tag("thorough")
class ManyTagsAddedTest extends PostgresStoreFixture {
    private static final Query NOTES = Query.of(QueryItem.types("Noted"));

    /* Prints how long appends stood still: the figure of the documentation. */
    @Test
    void a_hundred_thousand_events_get_a_tag_at_once_and_one_more_refuses_the_call() throws Exception {
        fill(RetaggingEventStore.MAX_EVENTS);
        AtomicBoolean over = new AtomicBoolean();
        AtomicLong longest = new AtomicLong();
        Thread appends = Thread.ofVirtual().start(() -> {
            while (!over.get()) {
                long begun = System.nanoTime();
                store.append(Append.of(Event.of("Other", "{}")));
                longest.accumulateAndGet(System.nanoTime() - begun, Math::max);
            }
        });

        assertThat(retag("term:2026").events()).isEqualTo(RetaggingEventStore.MAX_EVENTS);

        over.set(true);
        appends.join();
        System.out.println("Appends stood still for %s ms while %s events got a tag"
                .formatted(Duration.ofNanos(longest.get()).toMillis(), RetaggingEventStore.MAX_EVENTS));
        assertThat(store.count(Query.of(QueryItem.tags("term:2026")))).isEqualTo(RetaggingEventStore.MAX_EVENTS);
        store.append(Append.of(Event.of("Noted", "{}")));
        assertThatThrownBy(() -> retag("term:2027"))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("100000 events");
        assertThat(store.exists(Query.of(QueryItem.tags("term:2027")))).isFalse();
    }

    private static Retagged retag(String tag) {
        return store.retag(
                NOTES, Set.of(new dev.registrar.eventstore.Tag(tag)), Actor.of("issuer", "admin"), "ticket 17");
    }

    private static void fill(int events) {
        database.execute("""
                insert into registrar.events (position, recorded_at, id, size, type, tags, payload, metadata)
                select number, now(), gen_random_uuid(), 700, 'Noted', array['note:' || number], repeat('x', 300), '{}'
                from generate_series(1, %1$s) number;
                insert into registrar.event_tags (tag, position, type)
                select 'note:' || number, number, 'Noted'
                from generate_series(1, %1$s) number;
                analyze registrar.events, registrar.event_tags""".formatted(events));
    }
}
