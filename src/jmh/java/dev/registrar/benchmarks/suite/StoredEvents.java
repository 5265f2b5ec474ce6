package dev.registrar.benchmarks.suite;

import static dev.registrar.eventstore.QueryItem.tags;
import static dev.registrar.eventstore.QueryItem.types;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * A shop's orders: up to five types in turn, each event with up to nine tags of ten values each, drawn with a fixed
 * seed. The published benchmarks of queries have five types and five tags, those of reads four types and three tags,
 * and those of appends five types and two tags.
 */
final class StoredEvents {
    private static final long SEED = 42;
    private static final List<String> TYPES =
            List.of("OrderCreated", "OrderShipped", "PaymentProcessed", "OrderDelivered", "OrderCancelled");
    private static final List<List<String>> TAGS = List.of(
            values("Region", "US-West", "US-East", "EU-West", "EU-East"),
            values("Environment", "Production", "Staging", "Test"),
            values("Tenant", "Tenant123", "Tenant456"),
            values("UserId"),
            values("OrderId"),
            values("ProductId"),
            values("CategoryId"),
            values("Priority", "High", "Low"),
            values("Status", "Pending", "Done"));

    private StoredEvents() {}

    /**
     * Returns the first orders, the same on every call.
     *
     * @param types the number of types, 1 to 5
     * @param tags the number of tags of each event, 1 to 9
     */
    static List<Event> orders(int count, int types, int tags) {
        SplittableRandom random = new SplittableRandom(SEED);
        return IntStream.range(0, count)
                .mapToObj(number -> order(number, types, tags, random))
                .toList();
    }

    /** Creates the event of a number. */
    static Event order(int number, int types, int tags, SplittableRandom random) {
        List<Tag> drawn = TAGS.subList(0, tags).stream()
                .map(values -> new Tag(values.get(random.nextInt(values.size()))))
                .toList();
        return Event.of(
                TYPES.get(number % types),
                drawn,
                "{\"orderId\":%s,\"amount\":%s}".formatted(number, number * 17L % 1_000));
    }

    private static List<String> values(String key, String... named) {
        return IntStream.range(0, 10)
                .mapToObj(i -> key + ":" + (i < named.length ? named[i] : key + i))
                .toList();
    }

    /** Appends events and updates the server's statistics. */
    static void write(BenchmarkStore store, Stream<Event> events) {
        store.appendAll(events);
        MeasuredDatabase.ofThisProcess().execute("vacuum analyze registrar.events, registrar.event_tags");
    }

    /** Reads events into a list. */
    static List<SequencedEvent> list(BenchmarkStore store, Query query) {
        try (EventStream stream = store.store.read(query)) {
            return stream.toList();
        }
    }

    /** The queries. */
    @SuppressWarnings("ImmutableEnumChecker") // their lists cannot be changed
    enum Question {
        ALL(Query.all()),
        BY_TYPE(Query.of(types("OrderCreated"))),
        BY_TAG(Query.of(tags("Region:US-West"))),
        TWO_TYPES(Query.of(types("OrderCreated", "OrderShipped"))),
        SEVERAL_TYPES(Query.of(types("OrderCreated", "OrderShipped", "PaymentProcessed"))),
        LOW_SELECTIVITY(Query.of(types("OrderCreated", "OrderDelivered", "OrderCancelled"))),
        TWO_TAGS(Query.of(tags("Region:US-West", "Environment:Production"))),
        TYPE_AND_TAG(Query.of(types("OrderCreated").tagged("Region:US-West"))),
        HIGH_SELECTIVITY(Query.of(types("OrderCancelled").tagged("Priority:High", "Status:Pending"))),
        ORDERS_IN_STATE(Query.of(types("OrderCreated", "OrderShipped").tagged("Status:Pending", "Priority:High"))),
        PAYMENTS_OF_TENANT(Query.of(
                types("PaymentProcessed", "OrderCreated").tagged("Tenant:Tenant123", "Environment:Production"))),
        SEVERAL_TYPES_AND_TWO_TAGS(
                Query.of(types("OrderCreated", "OrderShipped").tagged("Region:US-West", "Environment:Production"))),
        OR_ITEMS(Query.of(
                types("OrderCreated").tagged("Region:US-West"),
                types("OrderShipped").tagged("Environment:Production")));

        final Query query;

        Question(Query query) {
            this.query = query;
        }
    }
}
