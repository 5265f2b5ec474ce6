package dev.registrar.benchmarks.suite;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuOptions;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntSupplier;
import java.util.stream.IntStream;
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
    private static final String SELECT = "select 1";
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

        private AutoCloseable opened;
        private IntSupplier select;

        @Setup
        public void open(BenchmarkParams benchmark) {
            StoreOptions settings =
                    GuardedSelects.settings(load.equals("sustained") ? BATCH_CALLERS : benchmark.getThreads());
            if (pool.equals("bare")) {
                HikariDataSource bare = MeasuredDatabase.ofThisProcess().openPool(settings.connections());
                opened = bare;
                select = () -> select1(bare);
            } else {
                GuardedSelects guarded =
                        new GuardedSelects(settings, pool.equals("ours") ? FULL_DEADLINE : SHORT_DEADLINE);
                opened = guarded;
                select = () -> guarded.select(SELECT);
            }
        }

        @TearDown
        public void close() throws Exception {
            opened.close();
        }
    }

    @Row(value = "pool/select dataset=small load=single pool=bare,ours callers=1", by = "pool=bare")
    @Row(value = "pool/select dataset=small load=light pool=bare,ours callers=10", by = "pool=bare")
    @Row(value = "pool/select dataset=small load=medium pool=bare,ours,short-deadline callers=50", by = "pool=bare")
    @Row(value = "pool/select dataset=small load=heavy pool=bare,ours callers=100", by = "pool=bare")
    @Benchmark
    public int select(Selects selects) {
        return Expected.events(1, selects.select.getAsInt());
    }

    private static int select1(HikariDataSource pool) {
        try (Connection connection = pool.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT);
                ResultSet row = statement.executeQuery()) {
            row.next();
            return row.getInt(1);
        } catch (SQLException failure) {
            throw new IllegalStateException(failure);
        }
    }

    /** Ten thousand selects at once, a hundred at a time. */
    @Row(
            value = "pool/select dataset=small load=sustained pool=bare,ours callers=100",
            by = "pool=bare",
            calls = "10000")
    @Benchmark
    public int selectBatch(Selects selects) {
        AtomicInteger started = new AtomicInteger();
        AtomicInteger results = new AtomicInteger();
        Callers.run(BATCH_CALLERS, number -> {
            while (started.getAndIncrement() < SELECTS_AT_ONCE) {
                results.addAndGet(selects.select.getAsInt());
            }
        });
        return Expected.events(SELECTS_AT_ONCE, results.get());
    }

    /** A bare pool of ten connections, which is new for each select and has its connections or not. */
    @State(Scope.Thread)
    public static class NewPool {
        @Param("warm")
        String start = "";

        private HikariDataSource pool;

        /** HikariCP opens a pool at its first use. */
        @Setup(Level.Invocation)
        public void open() {
            pool = new HikariDataSource();
            MeasuredDatabase.ofThisProcess().pool(10).copyStateTo(pool);
            if (start.equals("warm")) {
                select1(pool);
            }
        }

        @TearDown(Level.Invocation)
        public void close() {
            pool.close();
        }
    }

    @Row("pool/first-select dataset=small start=warm,cold")
    @Benchmark
    public int firstSelect(NewPool fresh) {
        return Expected.events(1, select1(fresh.pool));
    }

    /** Where CPU-bound work runs: on the caller's thread, on a virtual one of its own, or on the library's executor. */
    @State(Scope.Benchmark)
    public static class Computing {
        @Param("nothing")
        String on = "";

        /** The Fibonacci number; the 27th takes about a millisecond. */
        @Param("27")
        int number;

        private int expected;
        private CpuExecutor executor;

        @Setup
        public void start() {
            expected = fibonacci(number);
            executor = CpuExecutor.open(CpuOptions.defaults());
        }

        int fibonacci() {
            return Expected.events(
                    expected,
                    switch (on) {
                        case "one-thread" -> fibonacci(number);
                        case "cpu-pool" -> onExecutor();
                        default ->
                            CompletableFuture.supplyAsync(
                                            () -> fibonacci(number),
                                            task -> Thread.ofVirtual().start(task))
                                    .join();
                    });
        }

        private int onExecutor() {
            try {
                return executor.<Integer, RuntimeException>run(() -> fibonacci(number));
            } catch (InterruptedException interrupted) {
                throw new IllegalStateException(interrupted);
            }
        }

        /* By plain recursion. */
        private static int fibonacci(int number) {
            return number < 2 ? number : fibonacci(number - 1) + fibonacci(number - 2);
        }

        /** Performs the tasks one after the other, or all at once, each in a thread that may wait. */
        int tasks(IntSupplier task) {
            AtomicInteger sum = new AtomicInteger();
            IntConsumer numbered = ignored -> sum.addAndGet(task.getAsInt());
            if (on.equals("one-thread")) {
                IntStream.range(0, TASKS).forEach(numbered);
            } else {
                Callers.run(TASKS, numbered);
            }
            return sum.get();
        }

        @TearDown
        public void stop() {
            executor.close();
        }
    }

    /** Eight times the 42nd Fibonacci number. */
    @Row(
            value = "pool/cpu dataset=small on=one-thread,cpu-pool callers=8",
            with = "number=42",
            by = "on=one-thread",
            calls = "8",
            length = Row.Length.FEW_CALLS)
    @Benchmark
    public int cpu(Computing computing) {
        return computing.tasks(computing::fibonacci);
    }

    /** Eight times a select, then the 42nd Fibonacci number. */
    @Row(
            value = "pool/mixed dataset=small on=one-thread,cpu-pool callers=8",
            with = "number=42",
            by = "on=one-thread",
            calls = "8",
            length = Row.Length.FEW_CALLS)
    @Benchmark
    public int mixed(BenchmarkStore store, ExpectedHead head, Computing computing) {
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
    public static class Background extends Computing {
        private Callers works = Callers.repeat(0, number -> {});

        @Override
        public void start() {
            super.start();
            works = Callers.repeat(on.equals("nothing") ? 0 : BACKGROUND, number -> fibonacci());
        }

        /** Fails if the work has ended early. */
        @Override
        public void stop() {
            works.close();
            super.stop();
        }
    }

    /** A short query beside CPU-bound work. */
    @Row(value = "pool/io-beside-cpu dataset=small on=nothing,virtual-threads,cpu-pool callers=10", by = "on=nothing")
    @Benchmark
    public Position ioBesideCpu(BenchmarkStore store, ExpectedHead head, Background background) {
        return head.check(store.store.head().position());
    }

    /** An append like that of a request, with a deadline, circuit breaker and retry, and one without them. */
    @Row(value = "pool/append-if dataset=small protection=on,off callers=1,10,100", by = "protection=off")
    @Benchmark
    public Appended appendIf(BenchmarkStore store, Caller caller) {
        return store.isProtected()
                ? Deadline.within(FULL_DEADLINE, () -> store.appendIfNew(caller.newStudentEnrolled()))
                : store.appendIfNew(caller.newStudentEnrolled());
    }
}
