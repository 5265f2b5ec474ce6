package dev.registrar.benchmarks.suite;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Tag;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A caller that creates events like the published benchmarks do, each with a unique number. The time to create them is
 * part of the call, as in those benchmarks.
 */
@State(Scope.Thread)
public class Writer {
    private static final long SEED = 20_261_121L;
    private static final int[] REALISTIC_SIZES = {1, 2, 3, 5, 8, 12};
    private static final List<String> MIXED_TYPES =
            List.of("UserCreated", "UserUpdated", "OrderPlaced", "OrderShipped", "PaymentProcessed");

    SplittableRandom random;
    String name;
    int number;

    private int made;
    private int appends;

    /** Initialises the caller of this thread. */
    @Setup
    public void setUp(ThreadParams thread) {
        number = thread.getThreadIndex();
        random = new SplittableRandom(SEED + number);
        name = "caller-" + number;
    }

    /** Returns a number that no other event has. */
    String unique() {
        return name + "-" + ++made;
    }

    /** Creates events of one kind, each with a unique number. */
    List<Event> events(String test, int events) {
        List<Event> batch = new ArrayList<>(events);
        for (int i = 0; i < events; i++) {
            batch.add(event("TestEvent", test, unique()));
        }
        return batch;
    }

    /** Creates an event with two tags. */
    static Event event(String type, String test, String unique) {
        return Event.of(
                type,
                List.of(new Tag("test:" + test), new Tag("unique_id:" + unique)),
                "{\"value\":\"test\",\"unique_id\":\"" + unique + "\"}");
    }

    /** Creates batches of 1, 2, 3, 5, 8 and 12 events in turn. */
    List<Event> realistic() {
        int size = REALISTIC_SIZES[appends++ % REALISTIC_SIZES.length];
        List<Event> batch = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            String unique = unique();
            batch.add(Event.of(
                    "TestEvent",
                    List.of(new Tag("test:realistic"), new Tag("batch_size:" + size), new Tag("unique_id:" + unique)),
                    "{\"value\":\"realistic\",\"unique_id\":\"" + unique + "\"}"));
        }
        return batch;
    }

    /** Creates five events of five types. */
    List<Event> mixedTypes() {
        return MIXED_TYPES.stream().map(type -> event(type, "mixed", unique())).toList();
    }

    /** Creates a shop's orders: five types in turn, with two tags of ten values each. */
    List<Event> orders(int orders) {
        List<Event> batch = new ArrayList<>(orders);
        for (int i = 0; i < orders; i++) {
            batch.add(StoredEvents.order(made++, 5, 2, random));
        }
        return batch;
    }

    /** Creates readings of a sensor. */
    List<Event> sensorReadings(int readings) {
        return Stream.generate(() -> Event.of(
                        "SensorReading",
                        List.of(
                                new Tag("sensor:" + random.nextInt(100)),
                                new Tag("location:data_center"),
                                new Tag("type:temperature")),
                        "{\"sensor\":\"" + unique() + "\",\"celsius\":" + random.nextInt(15, 40) + "}"))
                .limit(readings)
                .toList();
    }
}
