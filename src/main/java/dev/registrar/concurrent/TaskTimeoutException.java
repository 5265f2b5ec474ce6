package dev.registrar.concurrent;

/** The caller's {@link Deadline} passed before its task on a {@link CpuExecutor} had ended; the task was cancelled. */
public final class TaskTimeoutException extends RuntimeException {

    TaskTimeoutException(String what) {
        super("The deadline passed before %s had ended on the CPU executor".formatted(what));
    }
}
