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
 * Runs CPU-bound tasks on a fixed number of platform threads, so that they take neither the carriers of virtual threads
 * nor more processors than they may. All workers take from one queue, so a worker that is idle takes the task that has
 * waited longest. The queue is bounded: a task that finds it full is refused at once.
 *
 * <p>A task has its caller's {@link Deadline}. It is cancelled when the deadline passes or the caller is interrupted: a
 * task that waits gives its place back, a task that runs is interrupted. A worker that calls {@link #run} or
 * {@link #map} does that work itself, so tasks that use further tasks cannot deadlock.
 *
 * <p>For work that alternates between processor and database see {@link Pipeline}.
 */
public final class CpuExecutor implements AutoCloseable {
    private static final Duration KEEP_ALIVE = Duration.ofSeconds(30);

    private final CpuOptions options;
    private final CpuObserver observer;
    private final ThreadPoolExecutor pool;
    /** Accepted, and not ended yet. */
    private final Set<Job<?>> jobs = ConcurrentHashMap.newKeySet();

    /** Threads. */
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

    /** An executor whose tasks nothing observes. */
    public static CpuExecutor open(CpuOptions options) {
        return open(options, CpuObserver.none());
    }

    /** An executor with an observer, such as the meters of {@code dev.registrar.eventstore.metrics.CpuMeters}. */
    public static CpuExecutor open(CpuOptions options, CpuObserver observer) {
        return new CpuExecutor(options, observer);
    }

    public CpuOptions options() {
        return options;
    }

    /** Tasks that run now, at the most {@link CpuOptions#workers()}. */
    public int running() {
        return pool.getActiveCount();
    }

    /** Tasks that wait for a worker, at the most {@link CpuOptions#maxWaiting()}. */
    public int waiting() {
        return pool.getQueue().size();
    }

    /**
     * Runs a task and waits for its result.
     *
     * @throws X if the task threw it; its unchecked exceptions are thrown as well
     * @throws TooManyTasksException if too many tasks wait
     * @throws RejectedExecutionException if this executor is closed
     * @throws TaskTimeoutException if the caller's deadline passed; the task was cancelled
     * @throws CancellationException if this executor was closed before the task had ended
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
     * Runs a task in the background. Cancelling the result with {@code cancel(true)} interrupts a task that runs.
     *
     * @throws TooManyTasksException if too many tasks wait
     * @throws RejectedExecutionException if this executor is closed
     */
    public <T> Future<T> submit(CpuTask<T, ?> task) {
        return accept(task);
    }

    /**
     * Applies a function to each element of a list, in parallel, and waits for the results, which are in the order of
     * the elements. Each worker takes the next element when it has finished one, so a slow element delays no other. The
     * call takes at most {@link CpuOptions#workers()} places of the queue, however long the list is, and makes do with
     * those that are left.
     *
     * <p>The first failure cancels the rest and is thrown: no further element is begun, and the function is interrupted
     * where it runs.
     *
     * @param function called once for each element, in any order, by several threads
     * @return unmodifiable
     * @throws TooManyTasksException if too many tasks wait and not one place is left
     * @throws RejectedExecutionException if this executor is closed
     * @throws TaskTimeoutException if the caller's deadline passed
     * @throws CancellationException if this executor was closed before the end
     * @throws InterruptedException if the caller was interrupted
     */
    public <A, B> List<B> map(List<A> elements, Function<? super A, ? extends B> function) throws InterruptedException {
        Mapping<A, B> mapping = new Mapping<>(List.copyOf(elements), function);
        if (mapping.isEmpty()) {
            return List.of();
        }
        if (isWorker()) {
            mapping.run();
            return mapping.results();
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
            super(work, "%s-%d".formatted(options.name(), started.incrementAndGet()));
            setDaemon(true);
        }

        CpuExecutor executor() {
            return CpuExecutor.this;
        }
    }

    /** One execution of a task: under the deadline of its caller, and observed. */
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

        /* Noted before the interrupt, so that a task that ends because of it is observed as cancelled. */
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

    /** A list on its way through a function. Each worker that joins in takes the next elements, until none is left. */
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

        /** Maps elements until none is left, and answers how many. */
        @Override
        public Integer run() {
            int mapped = 0;
            try {
                for (int i = next.getAndIncrement(); i < results.length && !end.isDone(); i = next.getAndIncrement()) {
                    results[i] = function.apply(elements.get(i));
                    mapped++;
                    // The last one publishes the results of all.
                    if (left.decrementAndGet() == 0) {
                        end.complete(true);
                    }
                }
                return mapped;
            } catch (RuntimeException | Error failure) {
                // Its get() takes one CompletionException off, which may be the function's own.
                end.completeExceptionally(new CompletionException(failure));
                throw failure;
            }
        }

        void cancelled() {
            end.completeExceptionally(
                    new CancellationException("The CPU executor was closed before a list was mapped"));
        }

        /** Lets no further element begin, and answers whether some were not mapped. */
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
     * Accepts no more tasks, and waits for those that were accepted, up to {@link CpuOptions#drain()}. Then it cancels
     * the others, so that no caller waits in vain.
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
            // No worker takes another task while the tasks are cancelled.
            pool.getQueue().clear();
            jobs.forEach(job -> job.cancel(true));
            pool.shutdownNow();
        }
    }
}
