package dev.registrar.benchmarks.suite;

import static dev.registrar.benchmarks.suite.Expected.appended;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.dataset.DataSet;
import dev.registrar.dataset.DataSetLoader;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.Tag;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** How fast are appends without a condition? Each is on disk when the call returns. */
@State(Scope.Benchmark)
public class AppendBenchmarks {
    private static final String ORDERS = "kind=orders";
    private static final String FLUSH = "synchronous_commit={flush}";

    /** The number of events per append. */
    @Param("1")
    int events;

    /** The kind of the events, or of a batch from a published benchmark. */
    @Param("test")
    String kind = "";

    /** The data set that a store loads. */
    @Param("SMALL")
    DataSet data = DataSet.SMALL;

    /**
     * In the rows {@code durability/append}, commits wait for the disk, as the service's do, or they do not. Their
     * store and events are those of a published benchmark: at first the store is empty; an event has one of five types
     * and two tags.
     */
    @Row("append/single dataset=tiny,small,medium")
    @Row(value = "append/realistic dataset=tiny,small,medium", with = "kind=realistic")
    @Row(value = "append/mixed-types dataset=small", with = "kind=mixed-types")
    @Row(value = "append/high-frequency dataset=small", with = "kind=sensor events=50")
    @Row(value = "append/concurrent dataset=small events=1 callers=1,10,100", by = "baseline/insert")
    @Row("append/concurrent dataset=tiny,medium events=1 callers=1,10,100")
    @Row("append/concurrent dataset=tiny,small,medium events=100 callers=1,10,100")
    @Row("append/batch dataset=small events=2,5,10,20,50,100,1000")
    @Row(value = "durability/append events=1,5,10 flush=true", on = "empty", with = ORDERS, database = FLUSH)
    @Row(
            value = "durability/append events=1,2,5,10,20,50,100 flush=false",
            on = "empty",
            with = ORDERS,
            database = FLUSH)
    @Benchmark
    public Appended append(BenchmarkStore store, Caller caller) {
        List<Event> batch = switch (kind) {
            case "realistic" -> caller.realistic();
            case "mixed-types" -> caller.mixedTypes();
            case "sensor" -> caller.sensorReadings(events);
            case "orders" -> caller.orders(events);
            default -> caller.events("batch", events);
        };
        return appended(batch.size(), store.store.append(batch));
    }

    /** Connections without the store: one for each caller, at most 32. */
    @State(Scope.Benchmark)
    public static class Bare {
        static final String SLOW_FLUSH = "commit_delay=2000 commit_siblings=0";

        private static final int MAX_CONNECTIONS = 32;
        private static final String INSERT = """
                insert into benchmarks.bare_events (type, tags, payload, metadata)
                values (?, ?, ?, ?)""";

        private HikariDataSource connections;

        @Setup
        public void open(BenchmarkParams benchmark) {
            connections = new HikariDataSource(
                    MeasuredDatabase.ofThisProcess().pool(Math.min(benchmark.getThreads(), MAX_CONNECTIONS)));
        }

        @TearDown
        public void close() {
            connections.close();
        }
    }

    /**
     * The baseline of appends: the same event, as one prepared insert per transaction, into a table whose only index is
     * its identity primary key.
     */
    @Row("baseline/insert dataset=small callers=1,10,100")
    @Row(value = "slow-flush/insert dataset=small callers=1,10,100", database = Bare.SLOW_FLUSH)
    @Benchmark
    public int insert(Bare bare, Caller caller) throws SQLException {
        Event event = caller.events("batch", 1).getFirst();
        try (Connection connection = bare.connections.getConnection();
                PreparedStatement statement = connection.prepareStatement(Bare.INSERT)) {
            statement.setString(1, event.type());
            statement.setArray(
                    2,
                    connection.createArrayOf(
                            "text", event.tags().stream().map(Tag::value).toArray()));
            statement.setString(3, event.payload());
            statement.setString(4, event.metadata());
            return Expected.events(1, statement.executeUpdate());
        }
    }

    /** Stores on one database, each like an instance of the service with its own connections. */
    @State(Scope.Benchmark)
    public static class Instances {
        @Param("1")
        int instances;

        private List<BenchmarkStore> stores;

        @Setup
        public void open() {
            stores = IntStream.range(0, instances)
                    .mapToObj(instance -> BenchmarkStore.on(MeasuredDatabase.ofThisProcess()))
                    .toList();
        }

        BenchmarkStore of(Caller caller) {
            return stores.get(caller.number % instances);
        }

        @TearDown
        public void close() {
            stores.forEach(BenchmarkStore::close);
        }
    }

    /** Do several instances of the service share a database without loss? */
    @Row(value = "append/instances dataset=small instances=1,2 callers=100", by = "instances=1")
    @Benchmark
    public Appended byInstances(Instances instances, Caller caller) {
        return appended(1, instances.of(caller).store.append(caller.events("instances", 1)));
    }

    /** The same with a condition. */
    @Row(value = "append-if/instances dataset=small instances=1,2 callers=100", by = "instances=1")
    @Benchmark
    public Appended conditionalByInstances(Instances instances, Caller caller) {
        return instances.of(caller).appendIfNew(caller.events("instances", 1).getFirst());
    }

    /** How long does a first start take to load a million events into an empty store? A call is an event. */
    @Row(
            value = "append/load events=1000000",
            on = "empty",
            with = "data=LARGE",
            calls = "{events}",
            length = Row.Length.ONE_CALL)
    @Benchmark
    public long load(BenchmarkStore store) {
        try (CpuExecutor executor = CpuExecutor.open(CpuOptions.defaults())) {
            new DataSetLoader(store.store, new EnrollmentEventCodec(), executor).load(data, loaded -> {});
        }
        return Expected.events(data.size(), store.store.count(Query.all()));
    }
}
