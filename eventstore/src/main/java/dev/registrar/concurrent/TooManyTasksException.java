package dev.registrar.concurrent;

import java.util.concurrent.RejectedExecutionException;

/** The queue of a {@link CpuExecutor} is full, and the task was refused. Try again later. */
public final class TooManyTasksException extends RejectedExecutionException {

    TooManyTasksException(String executor, int limit) {
        super("Too many tasks wait for the CPU executor '%s' (limit %s): try again later".formatted(executor, limit));
    }
}
