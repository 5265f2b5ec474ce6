package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.Contents;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.dataset.DataSet;
import dev.registrar.eventstore.Event;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.ThreadParams;

/**
 * A caller with its own random numbers and its own new events. The time to create them is part of the call, as in the
 * published benchmarks.
 */
@State(Scope.Thread)
public class Caller {
    private static final long SEED = 20_261_101L;
    private static final int FIRST_BESIDE_JMH = 1_000;
    private static final int[] REALISTIC_SIZES = {1, 2, 3, 5, 8, 12};
    private static final String METADATA = "{\"correlationId\":\"00000000-0000-4000-8000-000000000002\"}";

    SplittableRandom random;
    String name;
    int number;
    /** The number of callers that call with this one. */
    int callers;

    private Contents contents;
    private int made;
    private int appends;

    /** Initialises the caller of this thread. */
    @Setup
    public void setUp(ThreadParams thread) {
        setUp(thread.getThreadIndex(), thread.getThreadCount());
    }

    /** Creates callers beside those of JMH. */
    static List<Caller> numbered(int count) {
        return IntStream.range(0, count)
                .mapToObj(number -> {
                    Caller caller = new Caller();
                    caller.setUp(FIRST_BESIDE_JMH + number, count);
                    return caller;
                })
                .toList();
    }

    private void setUp(int own, int all) {
        number = own;
        callers = all;
        random = new SplittableRandom(SEED + number);
        contents = MeasuredDatabase.ofThisProcess().contents();
        name = "caller-" + number;
    }

    /** The number of a random course of the data set, from 1. */
    int course() {
        return random.nextInt(1, contents.courses() + 1);
    }

    /** The number of a random student of the data set, from 1. */
    int student() {
        return random.nextInt(1, contents.students() + 1);
    }

    /** Returns a text that no other event has. */
    String unique() {
        return name + "-" + ++made;
    }

    /** An enrollment of a student that is new to the store, in a random course. */
    Event newStudentEnrolled() {
        return enrolled(DataSet.course(course()).value(), unique());
    }

    /** An enrollment, with about 100 bytes of payload and 60 bytes of metadata. */
    static Event enrolled(String course, String student) {
        String payload = "{\"studentId\":\"" + student + "\",\"courseId\":\"" + course
                + "\",\"enrolledBy\":\"the course office, second floor\"}";
        return Event.of("StudentEnrolledInCourse", payload, "course:" + course, "student:" + student)
                .withMetadata(METADATA);
    }

    /** Creates events of one kind, each with a unique number. */
    List<Event> events(String test, int events) {
        return Stream.generate(() -> event("TestEvent", test, unique()))
                .limit(events)
                .toList();
    }

    /** Creates an event with two tags. */
    static Event event(String type, String test, String unique) {
        return Event.of(
                type, "{\"value\":\"test\",\"unique_id\":\"" + unique + "\"}", "test:" + test, "unique_id:" + unique);
    }

    /** Creates batches of 1, 2, 3, 5, 8 and 12 events in turn. */
    List<Event> realistic() {
        int size = REALISTIC_SIZES[appends++ % REALISTIC_SIZES.length];
        return Stream.generate(this::unique)
                .limit(size)
                .map(unique -> Event.of(
                        "TestEvent",
                        "{\"value\":\"realistic\",\"unique_id\":\"" + unique + "\"}",
                        "test:realistic",
                        "batch_size:" + size,
                        "unique_id:" + unique))
                .toList();
    }

    /** Creates five events of five types. */
    List<Event> mixedTypes() {
        return Stream.of("UserCreated", "UserUpdated", "OrderPlaced", "OrderShipped", "PaymentProcessed")
                .map(type -> event(type, "mixed", unique()))
                .toList();
    }

    /** Creates a shop's orders: five types in turn, with two tags of ten values each. */
    List<Event> orders(int orders) {
        return Stream.generate(() -> StoredEvents.order(made++, 5, 2, random))
                .limit(orders)
                .toList();
    }

    /** Creates readings of a sensor. */
    List<Event> sensorReadings(int readings) {
        return Stream.generate(() -> Event.of(
                        "SensorReading",
                        "{\"sensor\":\"" + unique() + "\",\"celsius\":" + random.nextInt(15, 40) + "}",
                        "sensor:" + random.nextInt(100),
                        "location:data_center",
                        "type:temperature"))
                .limit(readings)
                .toList();
    }
}
