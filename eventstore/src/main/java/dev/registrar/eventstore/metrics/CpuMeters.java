package dev.registrar.eventstore.metrics;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuObserver;
import dev.registrar.concurrent.CpuOptions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** The meters of a {@link CpuExecutor}, each tagged with the executor's name. */
public final class CpuMeters implements CpuObserver {
    private static final String EXECUTOR = "executor";

    private final MeterRegistry metrics;
    private final String executor;
    private final Counter refused;
    private final Timer wait;
    private final Map<Ended, Timer> tasks = new ConcurrentHashMap<>();

    private record Ended(String task, Outcome outcome) {}

    private CpuMeters(MeterRegistry metrics, String executor) {
        this.metrics = metrics;
        this.executor = executor;
        this.refused = Counter.builder("registrar.cpu.refused")
                .description("Tasks refused because the queue was full")
                .baseUnit("tasks")
                .tag(EXECUTOR, executor)
                .register(metrics);
        this.wait = Timer.builder("registrar.cpu.wait")
                .description("Time that a task waited for a worker")
                .tag(EXECUTOR, executor)
                .register(metrics);
    }

    /** Opens an executor with meters. */
    public static CpuExecutor open(CpuOptions options, MeterRegistry metrics) {
        CpuExecutor executor = CpuExecutor.open(options, new CpuMeters(metrics, options.name()));
        Gauge.builder("registrar.cpu.running", executor, CpuExecutor::running)
                .description("Running tasks")
                .baseUnit("tasks")
                .tag(EXECUTOR, options.name())
                .register(metrics);
        Gauge.builder("registrar.cpu.waiting", executor, CpuExecutor::waiting)
                .description("Tasks that wait for a worker")
                .baseUnit("tasks")
                .tag(EXECUTOR, options.name())
                .register(metrics);
        return executor;
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public void ended(String task, Outcome outcome, long waited, long ran) {
        wait.record(waited, TimeUnit.NANOSECONDS);
        tasks.computeIfAbsent(new Ended(task, outcome), this::timer).record(ran, TimeUnit.NANOSECONDS);
    }

    private Timer timer(Ended ended) {
        return Timer.builder("registrar.cpu.task")
                .description("Run time of a task")
                .tag(EXECUTOR, executor)
                .tag("task", ended.task())
                .tag("outcome", ended.outcome().name().toLowerCase(Locale.ROOT))
                .register(metrics);
    }
}
