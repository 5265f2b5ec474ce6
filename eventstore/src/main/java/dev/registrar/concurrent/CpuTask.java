package dev.registrar.concurrent;

/**
 * CPU-bound work, which neither waits nor holds a connection. Give a task that is used in several places a class of its
 * own, with its parameters as fields:
 *
 * <pre>{@code
 * record Fingerprint(byte[] file) implements CpuTask<String, RuntimeException> {
 *     public String run() { ... }
 * }
 *
 * String fingerprint = executor.run(new Fingerprint(file));
 * }</pre>
 *
 * @param <T> the type of the result
 * @param <X> the type of the checked exceptions; {@code RuntimeException} for none
 */
@FunctionalInterface
public interface CpuTask<T, X extends Exception> {

    /**
     * Computes the result on a worker, under the caller's {@link Deadline}. A long task should check
     * {@code Thread.interrupted()} regularly: a cancelled task is interrupted, and occupies its worker until it
     * returns.
     */
    T run() throws X;

    /** The name of the task in meters: the name of its class, or {@code unnamed} for a lambda expression. */
    default String name() {
        String name = getClass().getSimpleName();
        return getClass().isSynthetic() || getClass().isHidden() || name.isEmpty() ? "unnamed" : name;
    }
}
