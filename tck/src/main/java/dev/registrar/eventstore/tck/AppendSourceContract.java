package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendSource;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The additional contract of an {@link AppendSource}: it notifies listeners of its own appends. */
public interface AppendSourceContract extends StoreUnderTest {

    private AppendSource source() {
        return (AppendSource) store();
    }

    @Test
    default void a_listener_receives_the_events_of_each_append_before_it_returns() {
        List<List<Event>> received = new ArrayList<>();
        source().listen(received::add);
        Event one = event("One");
        Event two = event("Two");
        Event three = event("Three");

        append(one, two);
        assertThat(received).containsExactly(List.of(one, two));

        append(three);
        assertThat(received).containsExactly(List.of(one, two), List.of(three));
    }

    @Test
    default void every_listener_receives_the_events() {
        List<List<Event>> first = new ArrayList<>();
        List<List<Event>> second = new ArrayList<>();
        source().listen(first::add);
        source().listen(second::add);
        Event event = event("Any");

        append(event);

        assertThat(first).containsExactly(List.of(event));
        assertThat(second).containsExactly(List.of(event));
    }

    @Test
    default void a_listener_receives_only_events_that_a_read_finds() {
        List<Long> found = new ArrayList<>();
        source().listen(events -> found.add(store().head().position().value()));

        append(event("One"), event("Two"));

        assertThat(found).containsExactly(2L);
    }

    @Test
    default void a_listener_receives_nothing_of_a_request_that_appended_nothing() {
        Append keyed = Append.of(event("One", "tag")).under(new IdempotencyKey("key", "fingerprint"));
        store().append(keyed);
        List<List<Event>> received = new ArrayList<>();
        source().listen(received::add);

        appendIf(noneMatches(QueryItem.tags("tag")), event("Conflict"));
        store().append(keyed);

        assertThat(received).isEmpty();
    }

    @Test
    default void a_listener_receives_the_events_of_a_chain() {
        Assumptions.assumeTrue(store() instanceof ChainingEventStore, "the store appends no chains");
        List<Event> received = new ArrayList<>();
        source().listen(received::addAll);
        Event one = event("One");
        Event two = event("Two");

        ((ChainingEventStore) store()).appendChain(List.of(Append.of(one), Append.of(two)));

        assertThat(received).containsExactly(one, two);
    }

    @Test
    default void a_listener_that_throws_fails_no_append_and_keeps_the_key_and_other_listeners() {
        List<List<Event>> received = new ArrayList<>();
        source().listen(events -> {
            throw new NoClassDefFoundError("A listener's own error");
        });
        source().listen(received::add);
        Append keyed = Append.of(event("One")).under(new IdempotencyKey("key", "fingerprint"));

        AppendResult first = store().append(keyed);
        AppendResult second = store().append(keyed);

        assertThat(first).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
        assertThat(second).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
        assertThat(store().count(Query.all())).isEqualTo(1);
        assertThat(received).hasSize(1);
    }

    @Test
    default void a_removed_listener_receives_nothing_more() {
        List<List<Event>> received = new ArrayList<>();
        Runnable remove = source().listen(received::add);
        append(event("Before"));

        remove.run();
        remove.run();
        append(event("After"));

        assertThat(received).hasSize(1);
    }
}
