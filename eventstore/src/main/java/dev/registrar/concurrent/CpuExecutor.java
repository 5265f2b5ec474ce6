package dev.registrar.concurrent;

import dev.registrar.concurrent.CpuObserver.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Runs CPU-bound tasks on a fixed number of platform threads. The tasks occupy no carrier thread of virtual threads,
 * and at most one processor for each worker. All workers share one queue, so an idle worker takes the task that has
 * waited longest. The queue is bounded: when it is full, a new task is refused at once.
 *
 * <p>A task has its caller's {@link Deadline}. It is cancelled when the deadline passes or the caller is interrupted: a
 * waiting task leaves the queue, a running task is interrupted. A worker that calls {@link #run} or {@link #map} does
 * that work itself, so nested tasks cannot deadlock.
 *
 * <p>For work that alternates between computing and database calls, see {@link Pipeline}.
 */
public final class CpuExecutor implements AutoCloseable {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    private final CpuOptions options;
    private final CpuObserver observer;
    private final ThreadPoolExecutor pool;
    /** Tasks that were accepted and have not ended. */
    private final Set<Job<?>> jobs = ConcurrentHashMap.newKeySet();

    /** The number of threads started so far, for their names. */
    private final AtomicLong started = new AtomicLong();

    private CpuExecutor(CpuOptions options, CpuObserver observer) {
        this.options = options;
        this.observer = observer;
        this.pool = new ThreadPoolExecutor(
                options.workers(),
                options.workers(),
                KEEP_ALIVE.toSeconds(),
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(options.maxWaiting()),
                Worker::new);
        this.pool.allowCoreThreadTimeOut(true);
    }

    /** Opens an executor without an observer. */
    public static CpuExecutor open(CpuOptions options) {
        return open(options, CpuObserver.none());
    }

    /** Opens an executor with an observer, such as the meters of {@code dev.registrar.eventstore.metrics.CpuMeters}. */
    public static CpuExecutor open(CpuOptions options, CpuObserver observer) {
        return new CpuExecutor(options, observer);
    }

    public CpuOptions options() {
        return options;
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
    public <T, X extends Exception> T run(CpuTask<T, X> task) throws X, InterruptedException {
        if (isWorker()) {
            return task.run();
        }
        Job<T> job = accept(task);
        try {
            return await(job, task.name());
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
    public <T> Future<T> submit(CpuTask<T, ?> task) {
        return accept(task);
    }

    /**
     * Applies a function to each element of a list in parallel, and waits for the results, which are in the order of
     * the elements. Each worker takes the next element when it has finished one, so a slow element delays no other. The
     * call takes at most {@link CpuOptions#workers()} places in the queue, however long the list is. If fewer places
     * are free, it uses those.
     *
     * <p>The first failure is thrown and cancels the other elements: no further element is started, and running calls
     * of the function are interrupted.
     *
     * @param function called once for each element, in any order, by several threads
     * @return the results, unmodifiable
     * @throws TooManyTasksException if no place in the queue is free
     * @throws RejectedExecutionException if this executor is closed
     * @throws TaskTimeoutException if the caller's deadline passed
     * @throws CancellationException if this executor was closed before all elements were mapped
     * @throws InterruptedException if the caller was interrupted
     */
    public <A, B> List<B> map(List<A> elements, Function<? super A, ? extends B> function) throws InterruptedException {
        Mapping<A, B> mapping = new Mapping<>(List.copyOf(elements), function);
        if (mapping.isEmpty()) {
            return List.of();
        }
        if (isWorker()) {
            return mapping.runHere();
        }
        List<Job<?>> joined = new ArrayList<>();
        try {
            while (joined.size() < Math.min(options.workers(), mapping.size()) && !mapping.end.isDone()) {
                try {
                    joined.add(accept(mapping, mapping::cancelled));
                } catch (TooManyTasksException full) {
                    if (joined.isEmpty()) {
                        throw full;
                    }
                    break;
                }
            }
            await(mapping.end, mapping.name());
            joined.forEach(Job::cancelIfWaiting);
            return mapping.results();
        } catch (ExecutionException failure) {
            throw CpuExecutor.<RuntimeException>thrown(failure);
        } finally {
            if (mapping.stop()) {
                joined.forEach(job -> job.cancel(true));
            }
        }
    }

    private boolean isWorker() {
        return Thread.currentThread() instanceof Worker worker && worker.executor() == this;
    }

    private <T> Job<T> accept(CpuTask<T, ?> task) {
        return accept(task, () -> {});
    }

    private <T> Job<T> accept(CpuTask<T, ?> task, Runnable onCancel) {
        Job<T> job = new Job<>(new Execution<>(task), onCancel);
        jobs.add(job);
        try {
            pool.execute(job);
            return job;
        } catch (RejectedExecutionException refused) {
            jobs.remove(job);
            if (pool.isShutdown()) {
                throw new RejectedExecutionException(
                        "The CPU executor '%s' is closed".formatted(options.name()), refused);
            }
            observer.refused();
            throw new TooManyTasksException(options);
        }
    }

    private static <T> T await(Future<T> future, String what) throws InterruptedException, ExecutionException {
        Long end = Deadline.end();
        if (end == null) {
            return future.get();
        }
        try {
            return future.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException late) {
            throw new TaskTimeoutException(what);
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

    /** One execution of a task, under its caller's deadline; reports its end to the observer. */
    private final class Execution<T> {
        private final CpuTask<T, ?> task;
        private final @Nullable Long end = Deadline.end();
        private final long accepted = System.nanoTime();
        private volatile boolean cancelled;

        Execution(CpuTask<T, ?> task) {
            this.task = task;
        }

        T run() throws Exception {
            long started = System.nanoTime();
            Outcome outcome = Outcome.FAILED;
            try {
                T result = Deadline.until(end, this::runInTime);
                outcome = Outcome.SUCCEEDED;
                return result;
            } finally {
                observer.ended(
                        task.name(),
                        cancelled ? Outcome.CANCELLED : outcome,
                        started - accepted,
                        System.nanoTime() - started);
            }
        }

        private T runInTime() throws Exception {
            if (Deadline.isOver()) {
                cancelled = true;
                throw new TaskTimeoutException(task.name());
            }
            return task.run();
        }
    }

    /** The future of an execution. */
    private final class Job<T> extends FutureTask<T> {
        private final Execution<T> execution;
        private final Runnable onCancel;

        Job(Execution<T> execution, Runnable onCancel) {
            super(execution::run);
            this.execution = execution;
            this.onCancel = onCancel;
        }

        /* Set before the interrupt, so that a task that ends because of the interrupt is reported as cancelled. */
        @Override
        public boolean cancel(boolean mayInterrupt) {
            execution.cancelled = true;
            return super.cancel(mayInterrupt);
        }

        @Override
        protected void done() {
            jobs.remove(this);
            if (isCancelled()) {
                pool.remove(this);
                onCancel.run();
            }
        }

        void cancelIfWaiting() {
            if (pool.remove(this)) {
                cancel(false);
            }
        }
    }

    /** One call of {@link #map}. Each worker that runs it takes the next element until none is left. */
    private static final class Mapping<A, B> implements CpuTask<Integer, RuntimeException> {
        private final List<A> elements;
        private final Function<? super A, ? extends B> function;
        private final @Nullable Object[] results;
        private final AtomicInteger next = new AtomicInteger();
        private final AtomicInteger left;
        private final CompletableFuture<Boolean> end = new CompletableFuture<>();

        Mapping(List<A> elements, Function<? super A, ? extends B> function) {
            this.elements = elements;
            this.function = function;
            this.results = new Object[elements.size()];
            this.left = new AtomicInteger(elements.size());
        }

        boolean isEmpty() {
            return elements.isEmpty();
        }

        int size() {
            return elements.size();
        }

        /** Maps elements until none is left, and returns how many it has mapped. */
        @Override
        public Integer run() {
            int mapped = 0;
            try {
                for (int i = next.getAndIncrement(); i < results.length && !end.isDone(); i = next.getAndIncrement()) {
                    results[i] = function.apply(elements.get(i));
                    mapped++;
                    // The last element publishes all results.
                    if (left.decrementAndGet() == 0) {
                        end.complete(true);
                    }
                }
                return mapped;
            } catch (RuntimeException | Error failure) {
                // Wrapped, because get() unwraps one CompletionException, and the function may throw one itself.
                end.completeExceptionally(new CompletionException(failure));
                throw failure;
            }
        }

        /** Maps all elements on the caller's thread. */
        List<B> runHere() throws InterruptedException {
            for (int i = 0; i < results.length; i++) {
                if (Thread.interrupted()) {
                    throw new InterruptedException("Interrupted after %s of %s elements".formatted(i, results.length));
                }
                if (Deadline.isOver()) {
                    throw new TaskTimeoutException(name());
                }
                results[i] = function.apply(elements.get(i));
            }
            return results();
        }

        void cancelled() {
            end.completeExceptionally(
                    new CancellationException("The CPU executor was closed before all elements of a list were mapped"));
        }

        /** Lets no further element start, and returns whether some were not mapped. */
        boolean stop() {
            end.cancel(false);
            return end.isCompletedExceptionally();
        }

        @Override
        public String name() {
            return "map";
        }

        @SuppressWarnings("unchecked") // only the function's results are in the array
        List<B> results() {
            return (List<B>) Collections.unmodifiableList(Arrays.asList(results));
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
            jobs.forEach(job -> job.cancel(true));
            pool.shutdownNow();
        }
    }
}
