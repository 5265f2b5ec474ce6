package dev.registrar.benchmarks.suite;

import dev.registrar.benchmarks.BenchmarkStore;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;

/** The expected results of calls. Any other result throws and ends the benchmark. */
final class Expected {
    private Expected() {}

    /** Expects that this call appended this number of events. */
    static Appended appended(int events, AppendResult result) {
        Appended appended = BenchmarkStore.appended(result);
        long positions = appended.last().value() - appended.first().value() + 1;
        if (positions != events || appended.repeated()) {
            throw new IllegalStateException("Expected %s new events but was %s".formatted(events, appended));
        }
        return appended;
    }

    /** Expects a conflict with an event of the type. */
    static Conflict conflict(String type, AppendResult result) {
        if (result instanceof Conflict conflict && conflict.type().equals(type)) {
            return conflict;
        }
        throw new IllegalStateException("Expected a conflict with %s but was %s".formatted(type, result));
    }

    static int events(int expected, int actual) {
        return (int) events((long) expected, actual);
    }

    static long events(long expected, long actual) {
        if (expected != actual) {
            throw new IllegalStateException("Expected %s events but was %s".formatted(expected, actual));
        }
        return actual;
    }
}
