package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.testkit.SettableClock;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;

/** The store that the contract tests, and the calls that its tests share. */
public interface StoreUnderTest {

    /** The store of this test: empty when the test starts, with the default limits; it keeps keys for one day. */
    EventStore store();

    /** The store and any further instances on the same events. */
    List<EventStore> instances();

    /** The clock that stamps the store's events. */
    SettableClock clock();

    /** Makes the idempotency keys of the store older by a duration. */
    void keysAge(Duration time);

    /** Empties the store, which starts another incarnation. */
    void clear();

    /** Sets the store back to an older copy of the same incarnation: later events are lost. */
    void setBackTo(Position last);

    /** One of the instances, in turn. */
    default EventStore instance(int number) {
        return instances().get(number % instances().size());
    }

    default Event event(String type, String... tags) {
        return Event.of(type, "{}", tags);
    }

    /** Appends without a condition. */
    default Appended append(Event... events) {
        return (Appended) store().append(List.of(events));
    }

    default AppendResult appendIf(AppendCondition condition, Event... events) {
        return store().append(List.of(events), condition);
    }

    default List<Long> read(Query query, ReadOptions options) {
        try (EventStream events = store().read(query, options)) {
            return positions(events);
        }
    }

    default List<Long> positions(EventStream events) {
        return events.stream().map(event -> event.position().value()).toList();
    }

    /** The only event of the store. */
    default SequencedEvent theEvent() {
        List<SequencedEvent> events = store().read(Query.all()).toList();
        assertThat(events).hasSize(1);
        return events.getFirst();
    }

    default AppendCondition noneMatches(QueryItem... items) {
        return AppendCondition.failIfEventsMatch(Query.of(items));
    }

    /**
     * Asserts that exactly the events at these positions match the items, and that all operations with a query agree:
     * reading forwards and backwards, the items the other way round, {@code last}, {@code exists}, {@code count}, a
     * projection and, if this can be tested without appending, the condition of an append.
     */
    default void assertMatches(List<Long> expected, QueryItem... items) {
        Query query = Query.of(items);
        assertThat(read(query, ReadOptions.forwards())).isEqualTo(expected);
        assertThat(read(query, ReadOptions.backwards())).isEqualTo(expected.reversed());
        assertThat(read(new Query(Arrays.asList(items).reversed()), ReadOptions.forwards()))
                .isEqualTo(expected);
        assertThat(store().last(query).map(event -> event.position().value()).stream()
                        .toList())
                .isEqualTo(expected.isEmpty() ? List.of() : List.of(expected.getLast()));
        assertThat(store().exists(query)).isEqualTo(!expected.isEmpty());
        assertThat(store().count(query)).isEqualTo(expected.size());
        Positions positions = new Positions(query);
        assertThat(store().project(positions).state(positions)).isEqualTo(expected);
        if (!expected.isEmpty()) {
            assertThat(appendIf(AppendCondition.failIfEventsMatch(query), event("Guarded")))
                    .isInstanceOf(Conflict.class);
        }
    }
}
