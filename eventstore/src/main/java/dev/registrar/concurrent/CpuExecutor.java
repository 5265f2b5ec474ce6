package dev.registrar.concurrent;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.jvm.ExecutorServiceMetrics;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.RunnableFuture;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Runs CPU-bound tasks on a fixed number of platform threads: a {@link ThreadPoolExecutor} with a bounded queue, whose
 * tasks end with their callers. The tasks occupy no carrier thread of virtual threads, and at most one processor for
 * each worker. An idle worker takes the task that has waited longest. When the queue is full, a new task is refused at
 * once.
 *
 * <p>A task has its caller's {@link Deadline}. It is cancelled when the deadline passes or the caller is interrupted: a
 * waiting task leaves the queue, a running task is interrupted. A long task should therefore check
 * {@code Thread.interrupted()} regularly: it occupies its worker until it returns. A worker that calls {@link #run}
 * does that work itself, so nested tasks cannot deadlock.
 *
 * <p>A task neither waits nor holds a connection. Work that alternates between computing and database calls calls the
 * database on the caller's own thread, and runs only the computing here:
 *
 * <pre>{@code
 * byte[] cover = server.cover(book);
 * long checksum = executor.run(() -> checksum(cover));
 * }</pre>
 */
public final class CpuExecutor implements AutoCloseable {
    private static final String METERS = "registrar.cpu";
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);
    /** How long a caller without a deadline waits at most. */
    private static final Duration NO_DEADLINE = Duration.ofDays(365);

    private final String name;
    private final CpuOptions options;
    private final MeterRegistry meters;
    private final ThreadLocal<Boolean> isWorker = ThreadLocal.withInitial(() -> false);
    /** Tasks that were accepted and have not ended. */
    private final Set<Future<?>> accepted = ConcurrentHashMap.newKeySet();

    private final ThreadPoolExecutor pool;
    private final ExecutorService timed;
    private final Counter refused;

    private CpuExecutor(String name, CpuOptions options, MeterRegistry meters) {
        if (!name.matches("[a-z0-9-]{1,40}")) {
            throw new IllegalArgumentException(
                    "The name of a CPU executor must have 1 to 40 lower-case letters, digits and hyphens but is '%s'"
                            .formatted(name));
        }
        this.name = name;
        this.options = options;
        this.meters = meters;
        ThreadFactory threads = Thread.ofPlatform().daemon().name(name + "-", 1).factory();
        this.pool = new Pool(work -> threads.newThread(() -> {
            isWorker.set(true);
            work.run();
        }));
        this.timed = ExecutorServiceMetrics.monitor(meters, pool, name, METERS);
        this.refused = Counter.builder(METERS + ".refused")
                .description("Tasks refused because the queue was full")
                .baseUnit("tasks")
                .tag("name", name)
                .register(meters);
    }

    /** Opens an executor with the name {@code cpu} and without meters. */
    public static CpuExecutor open(CpuOptions options) {
        return open("cpu", options, new CompositeMeterRegistry());
    }

    /**
     * Opens an executor with meters: those of Micrometer's {@link ExecutorServiceMetrics}, which begin with
     * {@code registrar.cpu.executor}, and {@code registrar.cpu.refused}. Their tag {@code name} is the executor's name.
     * They are removed when it closes.
     *
     * @param name of the executor and its threads, 1 to 40 lower-case letters, digits and hyphens
     */
    public static CpuExecutor open(String name, CpuOptions options, MeterRegistry meters) {
        return new CpuExecutor(name, options, meters);
    }

    /** The number of tasks that wait for a worker, at most {@link CpuOptions#maxWaiting()}. */
    int waiting() {
        return pool.getQueue().size();
    }

    /**
     * Runs a task and waits for its result.
     *
     * @throws X if the task threw it; unchecked exceptions of the task are thrown as well
     * @throws TooManyTasksException if the queue is full
     * @throws RejectedExecutionException if this executor is closed
     * @throws TaskTimeoutException if the caller's deadline passed; the task was cancelled
     * @throws CancellationException if this executor was closed before the task ended
     * @throws InterruptedException if the caller was interrupted; the task was cancelled
     */
    public <T, X extends Exception> T run(Deadline.Work<T, X> task) throws X, InterruptedException {
        if (isWorker.get()) {
            return task.run();
        }
        Future<T> job = submit(task);
        try {
            return job.get(Deadline.left(NO_DEADLINE).toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TaskTimeoutException();
        } catch (ExecutionException failure) {
            throw CpuExecutor.<X>thrown(failure);
        } finally {
            job.cancel(true);
        }
    }

    /* The task's type says which checked exceptions it throws. */
    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <X extends Exception> X thrown(ExecutionException failure) {
        return switch (failure.getCause()) {
            case Error error -> throw error;
            case Exception own -> (X) own;
            case null, default -> throw new IllegalStateException(failure);
        };
    }

    /**
     * Runs a task in the background. Cancelling the future with {@code cancel(true)} interrupts a running task.
     *
     * @throws TooManyTasksException if the queue is full
     * @throws RejectedExecutionException if this executor is closed
     */
    public <T> Future<T> submit(Deadline.Work<T, ?> task) {
        Long end = Deadline.end();
        return timed.submit(() -> Deadline.until(end, () -> {
            if (Deadline.isOver()) {
                throw new TaskTimeoutException();
            }
            return task.run();
        }));
    }

    /** The threads and their queue, which a cancelled task leaves. */
    private final class Pool extends ThreadPoolExecutor {
        Pool(ThreadFactory threads) {
            super(
                    options.threads(),
                    options.threads(),
                    KEEP_ALIVE.toSeconds(),
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(options.maxWaiting()),
                    threads);
            allowCoreThreadTimeOut(true);
            setRejectedExecutionHandler((job, full) -> {
                ((Future<?>) job).cancel(false);
                if (full.isShutdown()) {
                    throw new RejectedExecutionException("The CPU executor '%s' is closed".formatted(name));
                }
                refused.increment();
                throw new TooManyTasksException(name, options.maxWaiting());
            });
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
            FutureTask<T> future = new FutureTask<>(task) {
                @Override
                @SuppressWarnings("CollectionUndefinedEquality") // a future equals itself alone
                protected void done() {
                    accepted.remove(this);
                    if (isCancelled()) {
                        remove(this);
                    }
                }
            };
            accepted.add(future);
            return future;
        }
    }

    /**
     * Accepts no more tasks, and waits up to {@link CpuOptions#drain()} for the accepted ones. It then cancels the
     * rest, so that their callers do not go on waiting. Its meters are removed.
     */
    @Override
    public void close() {
        pool.shutdown();
        boolean drained = false;
        try {
            drained = pool.awaitTermination(options.drain().toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
        if (!drained) {
            // Emptied first, so that no worker takes another task while the tasks are cancelled.
            pool.getQueue().clear();
            accepted.forEach(future -> future.cancel(true));
        }
        meters.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.getName().startsWith(METERS) && name.equals(id.getTag("name")))
                .forEach(meters::remove);
    }
}
