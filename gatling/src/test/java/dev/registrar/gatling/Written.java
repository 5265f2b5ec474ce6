package dev.registrar.gatling;

import java.util.concurrent.atomic.LongAdder;

/**
 * How many events were acknowledged, and how many sent and not answered; compared with the log when the load is over.
 */
final class Written {
    private static final int OUTCOME_UNKNOWN = 504;

    private final LongAdder acknowledged = new LongAdder();
    private final LongAdder unanswered = new LongAdder();

    void add(long events) {
        acknowledged.add(events);
    }

    /** Before an append is sent: nobody knows what became of it until it is answered. */
    void sends(long events) {
        unanswered.add(events);
    }

    /** Whatever the answer is, unless it is that nobody knows. */
    int answered(long events, int status) {
        if (status != OUTCOME_UNKNOWN) {
            unanswered.add(-events);
        }
        return status;
    }

    /**
     * Whether the store has what it had before and what was acknowledged. It may have what was sent and not answered,
     * too: a lost answer fails every run but one that looks for the load that is too much.
     */
    String verdict(RegistrarUnderLoad service, long before) {
        String counted = service.post("/dcb/read", "{\"count\": true}");
        long stored = Long.parseLong(counted.replaceFirst(".*\"numberOfMatchingEvents\":(\\d+).*", "$1"));
        long expected = before + acknowledged.sum();
        long most = expected + unanswered.sum();
        return expected <= stored && stored <= most
                ? LoadSimulation.RIGHT
                : "%d events are stored and not %d to %d".formatted(stored, expected, most);
    }
}
