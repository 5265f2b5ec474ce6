package dev.registrar.concurrent;

/**
 * Observes the tasks of a {@link CpuExecutor}. Its callers and workers call the methods, which must return quickly and
 * not throw.
 */
public interface CpuObserver {

    /** How a task ended. */
    enum Outcome {
        SUCCEEDED,
        FAILED,
        /** The caller, the caller's deadline or the closing executor has cancelled the task, before or while it ran. */
        CANCELLED
    }

    /** An observer that does nothing. */
    static CpuObserver none() {
        return new CpuObserver() {
            @Override
            public void refused() {}

            @Override
            public void ended(String task, Outcome outcome, long waited, long ran) {}
        };
    }

    /** A task was refused because the queue was full. */
    void refused();

    /**
     * A task that had started has ended.
     *
     * @param task the task's {@link CpuTask#name}
     * @param waited the nanoseconds that the task waited for a worker
     * @param ran the nanoseconds that the task ran
     */
    void ended(String task, Outcome outcome, long waited, long ran);
}
