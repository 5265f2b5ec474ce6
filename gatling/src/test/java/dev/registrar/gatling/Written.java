package dev.registrar.gatling;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts the events that were acknowledged, and those that were sent but not answered. After the load the counts are
 * compared with the log.
 */
final class Written {
    private static final int OUTCOME_UNKNOWN = 504;

    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    void add(long events) {
        acknowledged.add(events);
    }

    /** Called before an append is sent: whether its events are stored is unknown until it is answered. */
    void sends(long events) {
        unanswered.add(events);
    }

    /** Called when an append is answered. After an unknown outcome its events stay counted as unanswered. */
    int answered(long events, int status) {
        if (status != OUTCOME_UNKNOWN) {
            unanswered.add(-events);
        }
        return status;
    }

    /**
     * Checks that the store has the earlier events and the acknowledged ones. It may also have those that were sent and
     * not answered: a lost answer fails a run of any profile but {@link Profile#CAPACITY}.
     *
     * @return the violation, or {@link LoadSimulation#CORRECT}
     */
    String check(RegistrarUnderLoad service, long before) {
        String counted = service.post("/dcb/read", "{\"count\": true}");
        long stored = Long.parseLong(counted.replaceFirst(".*\"numberOfMatchingEvents\":(\\d+).*", "$1"));
        long expected = before + acknowledged.sum();
        long most = expected + unanswered.sum();
        return expected <= stored && stored <= most
                ? LoadSimulation.CORRECT
                : "The store has %s events but should have %s to %s".formatted(stored, expected, most);
    }
}
