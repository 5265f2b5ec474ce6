package dev.registrar.concurrent;

import java.util.concurrent.RejectedExecutionException;

/** As many tasks wait for a {@link CpuExecutor} as may; this one was not accepted. Try again later. */
public final class TooManyTasksException extends RejectedExecutionException {

    TooManyTasksException(CpuOptions options) {
        super("Too many tasks wait for the CPU executor '%s' (limit %d): try again later"
                .formatted(options.name(), options.maxWaiting()));
    }
}
