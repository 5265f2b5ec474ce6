package dev.registrar.concurrent;

/** The caller's {@link Deadline} passed before its task on a {@link CpuExecutor} ended; the task was cancelled. */
public final class TaskTimeoutException extends RuntimeException {

    TaskTimeoutException() {
        super("The deadline passed before the task ended on the CPU executor; the task was cancelled");
    }
}
