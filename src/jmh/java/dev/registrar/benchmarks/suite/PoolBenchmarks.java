package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BarePool;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.UnprotectedStore;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.GuardedSelects;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.BenchmarkParams;

/** What is the cost of the pools and guards in front of the database, and where should CPU-bound work run? */
public class PoolBenchmarks {
    private static final int SELECTS_AT_ONCE = 10_000;
    private static final int BATCH_CALLERS = 100;
    /** The tasks and the Fibonacci number of the published CPU-bound work; a task takes seconds. */
    private static final int TASKS = 8;

    private static final int FIBONACCI = 42;
    /**
     * All processors but one. With all of them, CPU-bound virtual threads could starve others, because they are never
     * preempted and the tasks that they start run first.
     */
    private static final int BACKGROUND = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

    /** Concurrent selects of the published loads, and one by itself: the round trip that every call contains. */
    private enum Load {
        SINGLE(1),
        LIGHT(10),
        MEDIUM(50),
        HEAVY(100);

        private final int callers;

        Load(int callers) {
            this.callers = callers;
        }
    }

    static List<Row> rows() {
        List<Row> rows = new ArrayList<>();
        for (String pool : List.of("ours", "bare")) {
            for (Load load : Load.values()) {
                rows.add(row("select")
                        .with("load", KebabCase.of(load))
                        .with("pool", pool)
                        .by(load.callers));
            }
            rows.add(row("select", "selectBatch")
                    .with("load", "sustained")
                    .with("pool", pool)
                    .by(BATCH_CALLERS)
                    .callsPerOperation(SELECTS_AT_ONCE));
        }
        for (String start : List.of("warm", "cold")) {
            rows.add(row("first-select", "firstSelect").with("start", start));
        }
        for (String on : List.of("one-thread", "cpu-pool")) {
            for (String name : List.of("cpu", "mixed")) {
                rows.add(row(name)
                        .with("on", on)
                        .settling("number", FIBONACCI)
                        .by(TASKS)
                        .callsPerOperation(TASKS)
                        .lasting(Length.FEW_CALLS));
            }
        }
        for (String on : List.of("nothing", "virtual-threads", "cpu-pool")) {
            rows.add(row("io-beside-cpu", "ioBesideCpu").with("on", on).by(10));
        }
        rows.add(row("append-if", "protectedAppendIf").with("protection", "on"));
        rows.add(row("append-if", "unprotectedAppendIf").with("protection", "off"));
        return rows;
    }

    private static Row row(String method) {
        return row(method, method);
    }

    private static Row row(String name, String method) {
        return Row.of("pool/" + name, PoolBenchmarks.class, method).events(name.equals("append-if") ? 1 : 0);
    }

    /** A pool with one open connection for each caller. */
    @State(Scope.Benchmark)
    public static class Selects {
        @Param("ours")
        String pool = "";

        /** Only distinguishes rows. */
        @Param("light")
        String load = "";

        private @Nullable GuardedSelects guarded;
        private @Nullable HikariDataSource bare;

        @Setup
        public void open(BenchmarkParams benchmark) {
            int connections = load.equals("sustained") ? BATCH_CALLERS : benchmark.getThreads();
            if (pool.equals("ours")) {
                MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
                guarded = new GuardedSelects(database.url(), database.username(), database.password(), connections);
            } else {
                bare = BarePool.openAll(GuardedSelects.connections(connections));
            }
        }

        int select() {
            return guarded == null ? BarePool.select(Objects.requireNonNull(bare)) : guarded.select();
        }

        @TearDown
        public void close() {
            if (guarded != null) {
                guarded.close();
            }
            if (bare != null) {
                bare.close();
            }
        }
    }

    @Benchmark
    public int select(Selects selects) {
        return Expected.events(1, selects.select());
    }

    /** Ten thousand selects at once, a hundred at a time. */
    @Benchmark
    public int selectBatch(Selects selects) throws ExecutionException, InterruptedException {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger results = new AtomicInteger();
        Callers.run(BATCH_CALLERS, number -> {
            while (started.getAndIncrement() < SELECTS_AT_ONCE) {
                results.addAndGet(selects.select());
            }
        });
        return Expected.events(SELECTS_AT_ONCE, results.get());
    }

    /** A bare pool of ten connections for each select, opened before the measurement or within it. */
    @State(Scope.Thread)
    public static class NewPool {
        @Param("warm")
        String start = "";

        private @Nullable HikariDataSource opened;

        @Setup(Level.Invocation)
        public void openIfWarm() {
            if (start.equals("warm")) {
                HikariDataSource pool = BarePool.open(10);
                BarePool.select(pool);
                opened = pool;
            }
        }

        HikariDataSource pool() {
            HikariDataSource pool = opened == null ? BarePool.open(10) : opened;
            opened = pool;
            return pool;
        }

        @TearDown(Level.Invocation)
        public void close() {
            if (opened != null) {
                opened.close();
                opened = null;
            }
        }
    }

    @Benchmark
    public int firstSelect(NewPool pool) {
        return Expected.events(1, BarePool.select(pool.pool()));
    }

    /** A Fibonacci number by plain recursion. */
    private record Fibonacci(int number) implements Deadline.Work<Integer, RuntimeException> {
        @Override
        public Integer run() {
            return fibonacci(number);
        }
    }

    /** Where CPU-bound work runs: on the caller's thread, on a virtual one of its own, or on the library's executor. */
    @State(Scope.Benchmark)
    public static class Computing {
        private static final String ONE_THREAD = "one-thread";
        private static final String CPU_POOL = "cpu-pool";

        @Param("nothing")
        String on = "";

        /** The Fibonacci number; the 27th takes about a millisecond. */
        @Param("27")
        int number;

        private ExecutorService threads;
        private CpuExecutor executor;
        private volatile boolean closed;

        @Setup
        public void start() {
            threads = Executors.newVirtualThreadPerTaskExecutor();
            executor = CpuExecutor.open(CpuOptions.defaults());
        }

        int fibonacci() {
            Fibonacci task = new Fibonacci(number);
            try {
                return checked(
                        switch (on) {
                            case ONE_THREAD -> task.run();
                            case CPU_POOL -> executor.run(task);
                            default -> threads.submit(task::run).get();
                        });
            } catch (InterruptedException | ExecutionException failure) {
                throw new IllegalStateException("The Fibonacci number was not computed", failure);
            }
        }

        private int checked(int result) {
            int expected = added(number);
            if (result != expected) {
                throw new IllegalStateException(
                        "Fibonacci number %s is %s but was %s".formatted(number, expected, result));
            }
            return result;
        }

        /* By iteration. */
        private static int added(int number) {
            int last = 0;
            int next = 1;
            for (int i = 0; i < number; i++) {
                int sum = last + next;
                last = next;
                next = sum;
            }
            return last;
        }

        /** Performs the tasks one after the other, or all at once, each in a thread that may wait. */
        int tasks(IntSupplier task) throws ExecutionException, InterruptedException {
            AtomicInteger sum = new AtomicInteger();
            if (on.equals(ONE_THREAD)) {
                for (int i = 0; i < TASKS; i++) {
                    sum.addAndGet(task.getAsInt());
                }
            } else {
                Callers.run(TASKS, number -> sum.addAndGet(task.getAsInt()));
            }
            return sum.get();
        }

        boolean isClosed() {
            return closed;
        }

        @TearDown
        public void stop() {
            closed = true;
            threads.close();
            executor.close();
        }
    }

    private static int fibonacci(int number) {
        return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
    }

    /** Eight times the 42nd Fibonacci number, by plain recursion. */
    @Benchmark
    public int cpu(Computing computing) throws ExecutionException, InterruptedException {
        return computing.tasks(computing::fibonacci);
    }

    /** Eight times a select, then the 42nd Fibonacci number. */
    @Benchmark
    public int mixed(BenchmarkStore store, ExpectedHead head, Computing computing)
            throws ExecutionException, InterruptedException {
        return computing.tasks(() -> {
            head.check(store.store.head().position());
            return computing.fibonacci();
        });
    }

    /** The position of the last event in the table. */
    @State(Scope.Benchmark)
    public static class ExpectedHead {
        private Position head;

        @Setup
        public void read(BenchmarkStore store) throws SQLException {
            try (Connection connection = MeasuredDatabase.ofThisProcess().connect();
                    Statement statement = connection.createStatement();
                    ResultSet row = statement.executeQuery("select max(position) from registrar.events")) {
                row.next();
                head = new Position(row.getLong(1));
            }
        }

        Position check(Position position) {
            if (!position.equals(head)) {
                throw new IllegalStateException("The last event is at %s but was at %s".formatted(head, position));
            }
            return position;
        }
    }

    /** Continuous CPU-bound work beside the measurement. */
    @State(Scope.Benchmark)
    public static class Background {
        private final AtomicBoolean stopped = new AtomicBoolean();
        private final AtomicReference<@Nullable RuntimeException> failure = new AtomicReference<>();
        private @Nullable ExecutorService starters;

        @Setup
        public void start(Computing computing) {
            if (computing.on.equals("nothing")) {
                return;
            }
            ExecutorService started = Executors.newVirtualThreadPerTaskExecutor();
            for (int i = 0; i < BACKGROUND; i++) {
                started.execute(() -> {
                    try {
                        while (!stopped.get()) {
                            computing.fibonacci();
                        }
                    } catch (RejectedExecutionException rejected) {
                        // After the measurement, JMH may close the executor before it stops this work.
                        if (!computing.isClosed()) {
                            failure.set(rejected);
                        }
                    }
                });
            }
            starters = started;
        }

        @TearDown
        public void stop() {
            stopped.set(true);
            if (starters != null) {
                starters.close();
            }
            RuntimeException failed = failure.get();
            if (failed != null) {
                throw new IllegalStateException("The work beside the measurement ended early", failed);
            }
        }
    }

    /** A short query beside CPU-bound work. */
    @Benchmark
    public Position ioBesideCpu(BenchmarkStore store, ExpectedHead head, Computing computing, Background background) {
        return head.check(store.store.head().position());
    }

    /** An append like that of a request. */
    @Benchmark
    public Appended protectedAppendIf(BenchmarkStore store, Caller caller) {
        return store.appendIfNewInTime(caller.newStudentEnrolled());
    }

    @Benchmark
    public Appended unprotectedAppendIf(UnprotectedStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }
}
