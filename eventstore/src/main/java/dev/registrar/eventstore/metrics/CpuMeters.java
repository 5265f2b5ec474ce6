package dev.registrar.eventstore.metrics;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.concurrent.CpuObserver;
import dev.registrar.concurrent.CpuOptions;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** The meters of a {@link CpuExecutor}, each tagged with the executor's name. */
public final class CpuMeters implements CpuObserver {
    private static final String EXECUTOR = "executor";

    private final Metrics metrics;
    private final String executor;
    private final Metrics.Counter refused;
    private final Metrics.Timer wait;
    private final Map<Ended, Metrics.Timer> tasks = new ConcurrentHashMap<>();

    private record Ended(String task, Outcome outcome) {}

    private CpuMeters(Metrics metrics, String executor) {
        this.metrics = metrics;
        this.executor = executor;
        this.refused = metrics.counter(meter("registrar.cpu.refused", "Tasks refused because the queue was full")
                .in("tasks"));
        this.wait = metrics.timer(meter("registrar.cpu.wait", "Time that a task waited for a worker"));
    }

    /** Opens an executor with meters. */
    public static CpuExecutor open(CpuOptions options, Metrics metrics) {
        CpuMeters meters = new CpuMeters(metrics, options.name());
        CpuExecutor executor = CpuExecutor.open(options, meters);
        metrics.gauge(
                meters.meter("registrar.cpu.running", "Running tasks").in("tasks"), executor, CpuExecutor::running);
        metrics.gauge(
                meters.meter("registrar.cpu.waiting", "Tasks that wait for a worker")
                        .in("tasks"),
                executor,
                CpuExecutor::waiting);
        return executor;
    }

    private Meter meter(String name, String description) {
        return Meter.of(name, description).tagged(EXECUTOR, executor);
    }

    @Override
    public void refused() {
        refused.increment();
    }

    @Override
    public void ended(String task, Outcome outcome, long waited, long ran) {
        wait.record(waited);
        tasks.computeIfAbsent(new Ended(task, outcome), this::timer).record(ran);
    }

    private Metrics.Timer timer(Ended ended) {
        return metrics.timer(meter("registrar.cpu.task", "Run time of a task")
                .tagged("task", ended.task())
                .tagged("outcome", ended.outcome().name().toLowerCase(Locale.ROOT)));
    }
}
