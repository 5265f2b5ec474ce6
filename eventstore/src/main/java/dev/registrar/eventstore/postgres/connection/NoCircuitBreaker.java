package dev.registrar.eventstore.postgres.connection;

/** A disabled circuit breaker, which permits all calls. */
enum NoCircuitBreaker implements CircuitBreaker {
    INSTANCE;

    @Override
    public State state() {
        return State.DISABLED;
    }

    @Override
    public int calls() {
        return 0;
    }

    @Override
    public int failedCalls() {
        return 0;
    }

    @Override
    public boolean tryAcquire() {
        return true;
    }

    @Override
    public void release() {
        // Nothing is counted.
    }

    @Override
    public void succeeded(long nanoseconds) {
        // Nothing is counted.
    }

    @Override
    public void failed(long nanoseconds, Exception failure) {
        // Nothing is counted.
    }
}
