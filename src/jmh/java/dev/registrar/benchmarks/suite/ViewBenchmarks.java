package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.MeasuredDatabase;
import dev.registrar.benchmarks.Row;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** What do live views cost an append, and how long after the commit do they show an event? */
public class ViewBenchmarks {
    /** A store with the service's views, live or not. */
    @State(Scope.Benchmark)
    public static class ViewedStore extends BenchmarkStore {
        @Param("live")
        String views = "";

        private @Nullable LiveViews live;

        @Override
        public void open() {
            super.open();
            live = views.equals("live") ? new LiveViews(MeasuredDatabase.ofThisProcess(), this) : null;
        }

        void await(Position position) {
            if (live != null) {
                live.await(position);
            }
        }

        /** Closes the views, which must have passed all events until then. */
        @Override
        public void close() {
            await(store.head().position());
            if (live != null) {
                live.close();
            }
            super.close();
        }
    }

    /** The moments at which a caller's next call is due. */
    @State(Scope.Thread)
    public static class Schedule {
        /** Calls per second of all callers. */
        @Param("100")
        int rate;

        private long due;

        /** Waits until the next call is due. A caller that is late calls at once. */
        @Setup(Level.Invocation)
        public void await(Caller caller) {
            long interval = TimeUnit.SECONDS.toNanos(1) * caller.callers / rate;
            long now = System.nanoTime();
            due = due == 0 ? now + caller.random.nextLong(interval) : Math.max(due + interval, now - interval);
            LockSupport.parkNanos(due - now);
        }
    }

    /** How long does an append take at a steady rate of enrollments? */
    @Row(value = "views/steady-append dataset=small views=none,live callers=100", with = "rate=3000", by = "views=none")
    @Benchmark
    public Appended steadyAppend(ViewedStore store, Caller caller, Schedule schedule) {
        return store.appendIfNew(caller.newStudentEnrolled());
    }

    /** Enrollments beside the measurement, at a steady rate. */
    @State(Scope.Benchmark)
    public static class Others {
        private static final int CALLERS = 30;

        /** Enrollments a second. */
        @Param("0")
        int load;

        private Callers enrolling = Callers.repeat(0, number -> {});

        @Setup
        public void start(ViewedStore store) {
            List<Caller> callers = Caller.numbered(load == 0 ? 0 : CALLERS);
            List<Schedule> schedules =
                    Stream.generate(Schedule::new).limit(callers.size()).toList();
            schedules.forEach(schedule -> schedule.rate = load);
            enrolling = Callers.repeat(callers.size(), number -> {
                schedules.get(number).await(callers.get(number));
                store.appendIfNew(callers.get(number).newStudentEnrolled());
            });
        }

        /** Fails if an enrollment has failed. */
        @TearDown
        public void stop() {
            enrolling.close();
        }
    }

    /** An enrollment that the views do not show yet. */
    @State(Scope.Thread)
    public static class Committed {
        private Position position = Position.START;

        /** Appends, outside the measurement. */
        @Setup(Level.Invocation)
        public void append(ViewedStore store, Caller caller, Schedule schedule) {
            position = store.appendIfNew(caller.newStudentEnrolled()).last();
        }
    }

    /** From the commit of an enrollment to the slowest view, alone and beside a load of enrollments a second. */
    @Row(value = "views/delay dataset=small load=0,3000")
    @Benchmark
    public Position delay(ViewedStore store, Others others, Committed committed) {
        store.await(committed.position);
        return committed.position;
    }
}
