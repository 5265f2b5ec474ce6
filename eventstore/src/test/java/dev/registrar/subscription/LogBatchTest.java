package dev.registrar.subscription;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many events a batch takes from a read. */
class LogBatchTest {
    private final InMemoryEventStore store = new InMemoryEventStore();

    private LogBatch batch(long mostCharacters) {
        return LogBatch.of(store.read(Query.all()), 10, mostCharacters);
    }

    /* Each event counts 200 for its objects, 250 for its tag, and 7 for its type, payload and metadata. */
    @Test
    void a_batch_is_bounded_by_all_texts_and_objects_of_its_events() {
        for (int i = 0; i < 5; i++) {
            store.append(List.of(Event.of("Any", "{}", "t".repeat(250))));
        }

        assertThat(batch(914).events()).hasSize(2);
        assertThat(batch(915).events()).hasSize(3);
        assertThat(batch(915).isLast()).isFalse();
        assertThat(batch(10_000).isLast()).isTrue();
    }

    @Test
    void a_batch_takes_one_event_that_is_above_the_bound() {
        store.append(List.of(Event.of("Any", "x".repeat(2_000))));

        assertThat(batch(1_000).events()).hasSize(1);
    }
}
