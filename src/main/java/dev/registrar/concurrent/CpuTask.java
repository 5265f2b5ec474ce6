package dev.registrar.concurrent;

/**
 * CPU-bound work: it computes, and neither waits nor holds a connection. A task that is used in several places is a
 * class of its own, with its parameters as fields:
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
 * @param <X> the type of checked exceptions; {@code RuntimeException} for none
 */
@FunctionalInterface
public interface CpuTask<T, X extends Exception> {

    /**
     * Computes the result, on a worker, under the caller's {@link Deadline}. A task that takes long should look at
     * {@code Thread.interrupted()} now and then: a cancelled task is interrupted, and keeps its worker until it
     * returns.
     */
    T run() throws X;

    /** What meters call it: the name of the class, or {@code unnamed} for a lambda expression. */
    default String name() {
        String name = getClass().getSimpleName();
        return getClass().isSynthetic() || getClass().isHidden() || name.isEmpty() ? "unnamed" : name;
    }
}
