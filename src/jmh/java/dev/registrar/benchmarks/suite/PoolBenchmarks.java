package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Caller;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.benchmarks.UnprotectedStore;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.GuardedSelects;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
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

    /**
     * As long as the statement time-out. The store sends a deadline to the server only if it is shorter than half of
     * that.
     */
    private static final Duration FULL_DEADLINE = Duration.ofSeconds(10);

    private static final Duration SHORT_DEADLINE = Duration.ofSeconds(5);
    /** The tasks of the published CPU-bound work; a task takes seconds. */
    private static final int TASKS = 8;

    /**
     * All processors but one. With all of them, CPU-bound virtual threads could starve others, because they are never
     * preempted and the tasks that they start run first.
     */
    private static final int BACKGROUND = Math.max(1, Runtime.getRuntime().availableProcessors() - 1);

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
            MeasuredDatabase database = MeasuredDatabase.ofThisProcess();
            if (pool.equals("bare")) {
                bare = database.openPool(GuardedSelects.connections(connections));
            } else {
                guarded = new GuardedSelects(
                        database.url(),
                        database.username(),
                        database.password(),
                        connections,
                        pool.equals("ours") ? FULL_DEADLINE : SHORT_DEADLINE);
            }
        }

        int select() {
            return guarded == null ? select1(Objects.requireNonNull(bare)) : guarded.select();
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

    @Row("pool/select dataset=small load=single pool=bare callers=1")
    @Row("pool/select dataset=small load=light pool=bare callers=10")
    @Row("pool/select dataset=small load=medium pool=bare callers=50")
    @Row("pool/select dataset=small load=heavy pool=bare callers=100")
    @Row(
            value = "pool/select dataset=small load=single pool=ours callers=1",
            by = "pool/select dataset=small load=single pool=bare callers=1")
    @Row(
            value = "pool/select dataset=small load=light pool=ours callers=10",
            by = "pool/select dataset=small load=light pool=bare callers=10")
    @Row(
            value = "pool/select dataset=small load=medium pool=ours,short-deadline callers=50",
            by = "pool/select dataset=small load=medium pool=bare callers=50")
    @Row(
            value = "pool/select dataset=small load=heavy pool=ours callers=100",
            by = "pool/select dataset=small load=heavy pool=bare callers=100")
    @Benchmark
    public int select(Selects selects) {
        return Expected.events(1, selects.select());
    }

    private static int select1(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement("select 1");
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Ten thousand selects at once, a hundred at a time. */
    @Row(value = "pool/select dataset=small load=sustained pool=bare callers=100", calls = "10000")
    @Row(
            value = "pool/select dataset=small load=sustained pool=ours callers=100",
            by = "pool/select dataset=small load=sustained pool=bare callers=100",
            calls = "10000")
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
                HikariDataSource pool = open();
                select1(pool);
                opened = pool;
            }
        }

        private static HikariDataSource open() {
            return new HikariDataSource(MeasuredDatabase.ofThisProcess().pool(10));
        }

        HikariDataSource pool() {
            HikariDataSource pool = opened == null ? open() : opened;
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

    @Row("pool/first-select dataset=small start=warm,cold")
    @Benchmark
    public int firstSelect(NewPool pool) {
        return Expected.events(1, select1(pool.pool()));
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
    @Row(
            value = "pool/cpu dataset=small on=one-thread callers=8",
            with = "number=42",
            calls = "8",
            length = Row.Length.FEW_CALLS)
    @Row(
            value = "pool/cpu dataset=small on=cpu-pool callers=8",
            with = "number=42",
            by = "pool/cpu dataset=small on=one-thread callers=8",
            calls = "8",
            length = Row.Length.FEW_CALLS)
    @Benchmark
    public int cpu(Computing computing) throws ExecutionException, InterruptedException {
        return computing.tasks(computing::fibonacci);
    }

    /** Eight times a select, then the 42nd Fibonacci number. */
    @Row(
            value = "pool/mixed dataset=small on=one-thread callers=8",
            with = "number=42",
            calls = "8",
            length = Row.Length.FEW_CALLS)
    @Row(
            value = "pool/mixed dataset=small on=cpu-pool callers=8",
            with = "number=42",
            by = "pool/mixed dataset=small on=one-thread callers=8",
            calls = "8",
            length = Row.Length.FEW_CALLS)
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
        public void read() {
            head = new Position(MeasuredDatabase.ofThisProcess().number("select max(position) from registrar.events"));
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
    @Row("pool/io-beside-cpu dataset=small on=nothing callers=10")
    @Row(
            value = "pool/io-beside-cpu dataset=small on=virtual-threads,cpu-pool callers=10",
            by = "pool/io-beside-cpu dataset=small on=nothing callers=10")
    @Benchmark
    public Position ioBesideCpu(BenchmarkStore store, ExpectedHead head, Computing computing, Background background) {
        return head.check(store.store.head().position());
    }

    /** An append like that of a request: with a deadline, bulkhead, circuit breaker and retry. */
    @Row(
            value = "pool/append-if dataset=small protection=on callers=1,10,100",
            by = "pool/append-if dataset=small protection=off callers={callers}")
    @Benchmark
    public Appended protectedAppendIf(BenchmarkStore store, Caller caller) {
        return Deadline.within(FULL_DEADLINE, () -> store.appendIfNew(caller.newStudentEnrolled()));
    }

    @Row("pool/append-if dataset=small protection=off callers=1,10,100")
    @Benchmark
    public Appended unprotectedAppendIf(UnprotectedStore store, Caller caller) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }
}
