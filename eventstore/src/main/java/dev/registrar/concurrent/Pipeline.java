package dev.registrar.concurrent;

import java.util.function.BooleanSupplier;
import java.util.function.Function;

/**
 * Steps that alternate between CPU-bound work and calls of a database or another server. CPU-bound steps run on the
 * workers of a {@link CpuExecutor}, calls on the caller's own thread, which should be a virtual one:
 *
 * <pre>{@code
 * Pipeline<byte[], Report> report = Pipeline.<byte[]>on(executor)
 *         .compute(Parser::parse)
 *         .call(lines -> rows(dataSource, lines))
 *         .compute(Report::of);
 *
 * Report found = report.run(file);
 * }</pre>
 *
 * <p>Each step passes a value to the next. A call step borrows and returns its connection within the step. So no
 * connection is held while a worker computes or the caller waits for a worker. A pipeline is immutable, and any number
 * of threads can run it.
 *
 * @param <I> the type of what the first step receives
 * @param <O> the type of what the last step returns
 */
public final class Pipeline<I, O> {
    private final CpuExecutor executor;
    private final BooleanSupplier holdsConnection;
    private final Steps<I, O> steps;

    private Pipeline(CpuExecutor executor, BooleanSupplier holdsConnection, Steps<I, O> steps) {
        this.executor = executor;
        this.holdsConnection = holdsConnection;
        this.steps = steps;
    }

    @FunctionalInterface
    private interface Steps<I, O> {
        O run(I input) throws InterruptedException;
    }

    /** A pipeline without steps, which returns its input. */
    public static <I> Pipeline<I, I> on(CpuExecutor executor) {
        return on(executor, () -> false);
    }

    /**
     * A pipeline without steps whose CPU-bound steps fail if the current thread holds a connection.
     *
     * @param holdsConnection whether the current thread holds a connection, such as Spring's
     *     {@code TransactionSynchronizationManager::isActualTransactionActive}
     */
    public static <I> Pipeline<I, I> on(CpuExecutor executor, BooleanSupplier holdsConnection) {
        return new Pipeline<>(executor, holdsConnection, input -> input);
    }

    /** This pipeline, then a CPU-bound step on a worker. */
    public <R> Pipeline<I, R> compute(Function<? super O, ? extends R> step) {
        return new Pipeline<>(executor, holdsConnection, input -> {
            O before = steps.run(input);
            if (holdsConnection.getAsBoolean()) {
                throw new IllegalStateException(
                        "The caller holds a connection during a CPU-bound step; end the transaction before the step");
            }
            return executor.run(() -> step.apply(before));
        });
    }

    /** This pipeline, then a call on the thread that runs the pipeline. */
    public <R> Pipeline<I, R> call(Function<? super O, ? extends R> step) {
        return new Pipeline<>(executor, holdsConnection, input -> step.apply(steps.run(input)));
    }

    /**
     * Runs all steps in order. The first failure ends the run and is thrown.
     *
     * @throws TooManyTasksException if the executor refused a CPU-bound step
     * @throws TaskTimeoutException if the caller's {@link Deadline} passed during a CPU-bound step
     * @throws IllegalStateException if the caller holds a connection at a CPU-bound step
     * @throws InterruptedException if interrupted during a CPU-bound step
     */
    public O run(I input) throws InterruptedException {
        return steps.run(input);
    }
}
