package dev.registrar.benchmarks;

import dev.registrar.decision.ContentionRecorder;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.RetryBounds;
import dev.registrar.decision.StoredStates;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The store under measurement, built as the service builds it, with default settings except for what a row names and
 * the connection time-out.
 */
@State(Scope.Benchmark)
public class BenchmarkStore implements AutoCloseable {
    private static final int BATCH = 1_000;
    private static final long CACHED_STATES = 50_000;
    private static final int NO_LIMIT = Integer.MAX_VALUE;
    private static final Origin ORIGIN = Origin.correlatedBy("00000000-0000-4000-8000-000000000003");

    @Param("on")
    String protection = "on";

    @Param("1000")
    int maxProjections = 1_000;

    public PostgresEventStore store;
    public DecisionLoop<EnrollmentEvent> loop;

    /** Opens the store on the database that this process measures. */
    @Setup
    public void open() {
        open(MeasuredDatabase.ofThisProcess());
    }

    /** Opens the store on a given database. */
    public static BenchmarkStore on(MeasuredDatabase database) {
        BenchmarkStore opened = new BenchmarkStore();
        opened.open(database);
        return opened;
    }

    private void open(MeasuredDatabase database) {
        StoreOptions settings = settings();
        store = PostgresEventStore.open(
                new StoreAddress(database.url(), database.username(), database.password()),
                settings,
                StoreContext.standalone().withMetrics(new SimpleMeterRegistry()));
        loop = newLoop(StoredStates.off());
    }

    /** Creates another decision loop, like that of another instance of the service. */
    public DecisionLoop<EnrollmentEvent> newLoop(StoredStates states) {
        return new DecisionLoop<>(
                store,
                new EnrollmentEventCodec(),
                RetryBounds.DEFAULT,
                CACHED_STATES,
                store.clock(),
                ContentionRecorder.off(),
                states);
    }

    /* A machine that stalls for two seconds spoils a measurement but does not end it. */
    private StoreOptions settings() {
        Map<String, Object> settings =
                new HashMap<>(Map.of("connection-timeout", "30s", "max-projections", maxProjections));
        if (!isProtected()) {
            settings.putAll(Map.of("breaker.enabled", false, "retry.max-retries", 0));
        }
        return StoreDatabase.serviceSettings(settings);
    }

    /** Whether it has a circuit breaker and retries. */
    public boolean isProtected() {
        return protection.equals("on");
    }

    /** Appends events in batches. */
    public void appendAll(Stream<Event> events) {
        Iterator<Event> left = events.iterator();
        while (left.hasNext()) {
            List<Event> batch = new ArrayList<>(BATCH);
            while (left.hasNext() && batch.size() < BATCH) {
                batch.add(left.next());
            }
            Appended positions = appended(store.append(batch));
            if (positions.repeated()
                    || positions.last().value() - positions.first().value() + 1 != batch.size()) {
                throw new IllegalStateException("Expected %s new events but was %s".formatted(batch.size(), positions));
            }
        }
    }

    /** Appends an event unless the store has an event of the same type and tags. */
    public Appended appendIfNew(Event event) {
        QueryItem same = new QueryItem(Set.of(event.type()), event.tags());
        return appended(store.append(Append.of(event).onCondition(AppendCondition.failIfEventsMatch(Query.of(same)))));
    }

    /**
     * Enrolls a student by the domain's rules, without a limit on courses per student. Any result but acceptance
     * throws.
     */
    public Accepted<EnrollmentEvent, Refusal> enroll(StudentId student, CourseId course) {
        return enroll(loop, student, course);
    }

    /** Enrolls a student like {@link #enroll(StudentId, CourseId)} by another loop. */
    public static Accepted<EnrollmentEvent, Refusal> enroll(
            DecisionLoop<EnrollmentEvent> loop, StudentId student, CourseId course) {
        EnrollStudent command = new EnrollStudent(student, course, NO_LIMIT);
        if (loop.execute(command, ORIGIN) instanceof Accepted<EnrollmentEvent, Refusal> accepted
                && accepted.events().size() == 1) {
            return accepted;
        }
        throw new IllegalStateException("%s was not accepted".formatted(command));
    }

    /** Reads events and returns their number. */
    public int read(Query query, ReadOptions options) {
        int events = 0;
        try (EventStream stream = store.read(query, options)) {
            while (stream.hasNext()) {
                stream.next();
                events++;
            }
        }
        return events;
    }

    /** Returns the appended positions. Any other result fails the measurement. */
    public static Appended appended(AppendResult result) {
        if (result instanceof Appended appended) {
            return appended;
        }
        throw new IllegalStateException("Not appended: " + result);
    }

    @TearDown
    @Override
    public void close() {
        store.close();
    }
}
