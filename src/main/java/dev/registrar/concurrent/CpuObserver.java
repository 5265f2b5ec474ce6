package dev.registrar.concurrent;

/** Receives what a {@link CpuExecutor} does, from its callers and its workers; it must be quick and must not fail. */
public interface CpuObserver {

    /** How a task ended. */
    enum Outcome {
        SUCCEEDED,
        FAILED,
        /** By its caller, by the caller's deadline, or because the executor was closed, before it ran or meanwhile. */
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

    /** A task was not accepted, because too many waited. */
    void refused();

    /**
     * A task that had begun to run has ended.
     *
     * @param task its {@link CpuTask#name}
     * @param waited nanoseconds before it ran
     * @param ran nanoseconds that it ran
     */
    void ended(String task, Outcome outcome, long waited, long ran);
}
