package dev.registrar.concurrent;

import io.micrometer.core.instrument.Counter;
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
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;

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
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    private final CpuOptions options;
    private final Pool pool;
    private final ExecutorService timed;
    private final Counter refused;
    /** Tasks that were accepted and have not ended. */
    private final Set<Future<?>> accepted = ConcurrentHashMap.newKeySet();

    /** The number of threads started so far, for their names. */
    private final AtomicLong started = new AtomicLong();

    private CpuExecutor(CpuOptions options, MeterRegistry meters) {
        this.options = options;
        this.pool = new Pool();
        this.timed = ExecutorServiceMetrics.monitor(meters, pool, options.name(), "registrar.cpu");
        this.refused = Counter.builder("registrar.cpu.refused")
                .description("Tasks refused because the queue was full")
                .baseUnit("tasks")
                .tag("name", options.name())
                .register(meters);
    }

    /** Opens an executor without meters. */
    public static CpuExecutor open(CpuOptions options) {
        return open(options, new CompositeMeterRegistry());
    }

    /**
     * Opens an executor with meters: those of Micrometer's {@link ExecutorServiceMetrics}, which begin with
     * {@code registrar.cpu.executor}, and {@code registrar.cpu.refused}. Their tag {@code name} is the executor's name.
     */
    public static CpuExecutor open(CpuOptions options, MeterRegistry meters) {
        return new CpuExecutor(options, meters);
    }

    /** The number of running tasks, at most {@link CpuOptions#workers()}. */
    public int running() {
        return pool.getActiveCount();
    }

    /** The number of tasks that wait for a worker, at most {@link CpuOptions#maxWaiting()}. */
    public int waiting() {
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
        if (isWorker()) {
            return task.run();
        }
        Future<T> job = submit(task);
        try {
            return await(job);
        } catch (ExecutionException failure) {
            throw CpuExecutor.<X>thrown(failure);
        } finally {
            job.cancel(true);
        }
    }

    /**
     * Runs a task in the background. Cancelling the future with {@code cancel(true)} interrupts a running task.
     *
     * @throws TooManyTasksException if the queue is full
     * @throws RejectedExecutionException if this executor is closed
     */
    public <T> Future<T> submit(Deadline.Work<T, ?> task) {
        Long end = Deadline.end();
        try {
            return timed.submit(() -> Deadline.until(end, () -> inTime(task)));
        } catch (RejectedExecutionException rejected) {
            if (pool.isShutdown()) {
                throw new RejectedExecutionException(
                        "The CPU executor '%s' is closed".formatted(options.name()), rejected);
            }
            refused.increment();
            throw new TooManyTasksException(options);
        }
    }

    private static <T> T inTime(Deadline.Work<T, ?> task) throws Exception {
        if (Deadline.isOver()) {
            throw new TaskTimeoutException();
        }
        return task.run();
    }

    private boolean isWorker() {
        return Thread.currentThread() instanceof Worker worker && worker.executor() == this;
    }

    private static <T> T await(Future<T> future) throws InterruptedException, ExecutionException {
        Long end = Deadline.end();
        if (end == null) {
            return future.get();
        }
        try {
            return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TaskTimeoutException();
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

    /** A thread of this executor. */
    private final class Worker extends Thread {
        Worker(Runnable work) {
            super(work, "%s-%s".formatted(options.name(), started.incrementAndGet()));
            setDaemon(true);
        }

        CpuExecutor executor() {
            return CpuExecutor.this;
        }
    }

    /** The threads and their queue, which a cancelled task leaves. */
    @SuppressWarnings("CollectionUndefinedEquality") // a future of this pool equals itself alone
    private final class Pool extends ThreadPoolExecutor {
        Pool() {
            super(
                    options.workers(),
                    options.workers(),
                    KEEP_ALIVE.toSeconds(),
                    TimeUnit.SECONDS,
                    new ArrayBlockingQueue<>(options.maxWaiting()),
                    Worker::new);
            allowCoreThreadTimeOut(true);
        }

        @Override
        protected <T> RunnableFuture<T> newTaskFor(Callable<T> task) {
            return new FutureTask<>(task) {
                @Override
                protected void done() {
                    accepted.remove(this);
                    if (isCancelled()) {
                        remove(this);
                    }
                }
            };
        }

        @Override
        public void execute(Runnable job) {
            Future<?> future = (Future<?>) job;
            accepted.add(future);
            try {
                super.execute(job);
            } catch (RejectedExecutionException rejected) {
                accepted.remove(future);
                throw rejected;
            }
        }
    }

    /**
     * Accepts no more tasks, and waits up to {@link CpuOptions#drain()} for the accepted ones. It then cancels the
     * rest, so that their callers do not go on waiting.
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
            pool.shutdownNow();
        }
    }
}
