package dev.registrar.gatling;

import java.util.concurrent.atomic.LongAdder;

/** How many events were acknowledged since the store had so many; compared with the log when the load is over. */
final class Written {
    private final LongAdder acknowledged = new LongAdder();

    void add(long events) {
        acknowledged.add(events);
    }

    /** Whether the store has what it had before and what was acknowledged, and nothing else. */
    String verdict(RegistrarUnderLoad service, long before) {
        String counted = service.post("/dcb/read", "{\"count\": true}");
        long stored = Long.parseLong(counted.replaceFirst(".*\"numberOfMatchingEvents\":(\\d+).*", "$1"));
        long expected = before + acknowledged.sum();
        return stored == expected
                ? LoadSimulation.RIGHT
                : "%d events are stored and not %d".formatted(stored, expected);
    }
}
