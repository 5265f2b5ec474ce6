package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/**
 * A shop's orders: up to five types in turn, each event with up to nine tags of ten values each, drawn with a fixed
 * seed. The published benchmarks of queries have five types and five tags, those of reads four types and three tags,
 * and those of appends five types and two tags.
 */
final class StoredEvents {
    private static final int BATCH = 1_000;

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

    private final List<Event> events;

    private StoredEvents(List<Event> events) {
        this.events = events;
    }

    /**
     * Returns the first events, the same on every call.
     *
     * @param types the number of types, 1 to 5
     * @param tags the number of tags of each event, 1 to 9
     */
    static StoredEvents of(int count, int types, int tags) {
        SplittableRandom random = new SplittableRandom(SEED);
        List<Event> events = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            events.add(order(i, types, tags, random));
        }
        return new StoredEvents(events);
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

    /** Returns the number of these events that a query matches. */
    int matching(Query query) {
        return (int) events.stream().filter(query::matches).count();
    }

    /** Appends the events and updates the server's statistics. */
    void write(BenchmarkStore store) {
        append(store, events);
        analyze();
    }

    /** Does the same with events of other kinds, which are created from their numbers. */
    static void write(BenchmarkStore store, int count, IntFunction<Event> event) {
        append(store, IntStream.range(0, count).mapToObj(event).toList());
        analyze();
    }

    static void append(BenchmarkStore store, List<Event> events) {
        for (int written = 0; written < events.size(); written += BATCH) {
            List<Event> batch = events.subList(written, Math.min(events.size(), written + BATCH));
            Expected.appended(batch.size(), store.store.append(batch));
        }
    }

    static void analyze() {
        MeasuredDatabase.ofThisProcess().execute("vacuum analyze registrar.events, registrar.event_tags");
    }

    /** The queries. */
    enum Question {
        BY_TYPE,
        BY_TAG,
        TYPE_AND_TAG,
        TWO_TAGS,
        OR_ITEMS,
        SEVERAL_TYPES,
        SEVERAL_TYPES_AND_TWO_TAGS,
        HIGH_SELECTIVITY,
        LOW_SELECTIVITY,
        PAYMENTS_OF_TENANT,
        ORDERS_IN_STATE,
        TWO_TYPES,
        ALL;

        Query query() {
            return switch (this) {
                case BY_TYPE -> Query.of(QueryItem.types("OrderCreated"));
                case BY_TAG -> Query.of(QueryItem.tags("Region:US-West"));
                case TYPE_AND_TAG -> Query.of(QueryItem.types("OrderCreated").tagged("Region:US-West"));
                case TWO_TAGS -> Query.of(QueryItem.tags("Region:US-West", "Environment:Production"));
                case OR_ITEMS ->
                    Query.of(
                            QueryItem.types("OrderCreated").tagged("Region:US-West"),
                            QueryItem.types("OrderShipped").tagged("Environment:Production"));
                case SEVERAL_TYPES -> Query.of(QueryItem.types("OrderCreated", "OrderShipped", "PaymentProcessed"));
                case SEVERAL_TYPES_AND_TWO_TAGS ->
                    Query.of(QueryItem.types("OrderCreated", "OrderShipped")
                            .tagged("Region:US-West", "Environment:Production"));
                case HIGH_SELECTIVITY ->
                    Query.of(QueryItem.types("OrderCancelled").tagged("Priority:High", "Status:Pending"));
                case LOW_SELECTIVITY -> Query.of(QueryItem.types("OrderCreated", "OrderDelivered", "OrderCancelled"));
                case PAYMENTS_OF_TENANT ->
                    Query.of(QueryItem.types("PaymentProcessed", "OrderCreated")
                            .tagged("Tenant:Tenant123", "Environment:Production"));
                case ORDERS_IN_STATE ->
                    Query.of(QueryItem.types("OrderCreated", "OrderShipped").tagged("Status:Pending", "Priority:High"));
                case TWO_TYPES -> Query.of(QueryItem.types("OrderCreated", "OrderShipped"));
                case ALL -> Query.all();
            };
        }
    }
}
