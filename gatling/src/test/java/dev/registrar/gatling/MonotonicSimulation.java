package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The monotonic load of the dcb.events community: five users append, one reads the last six events again and again, and
 * no position may ever appear below one that was seen before.
 */
public final class MonotonicSimulation extends LoadSimulation {
    private static final int WRITERS = 5;

    private final Written written = new Written();
    private final Set<Long> seen = new HashSet<>();
    private long highest;
    private long windows;

    {
        Duration lasts = Settings.duration(Duration.ofSeconds(3));
        setUp(
                        scenario("writers")
                                .exec(Dcb.appends(
                                        "append", 1, written, s -> Dcb.append(Dcb.event("Counted", "counter:1"))))
                                .injectClosed(constantConcurrentUsers(WRITERS).during(lasts))
                                .andThen(verification(
                                        () -> windows == 0 ? "nothing was read" : written.verdict(SERVICE, 0))),
                        scenario("reader")
                                .exec(http("the last six")
                                        .get("/dcb/read")
                                        .queryParam("query", "{\"items\": []}")
                                        .queryParam("options", "{\"backwards\": true, \"limit\": 6}")
                                        .check(jsonPath("$[*].position")
                                                .ofLong()
                                                .findAll()
                                                .withDefault(List.of())
                                                .transform(this::look)
                                                .is(RIGHT)))
                                .injectClosed(constantConcurrentUsers(1).during(lasts)))
                .protocols(protocol())
                .assertions(Profile.NO_FAILURES.toArray(Assertion[]::new));
    }

    /* The window is without gaps, and holds nothing new below what was seen before. */
    private synchronized String look(List<Long> window) {
        long before = highest;
        for (int i = 0; i < window.size(); i++) {
            long position = window.get(i);
            if (i > 0 && position != window.get(i - 1) - 1) {
                return "a gap in " + window;
            }
            // What nobody looked at may lie below the lowest of the windows before.
            if (position < before && !seen.contains(position) && seen.contains(position - 1)) {
                return "%d appeared after %d".formatted(position, before);
            }
        }
        if (!window.isEmpty()) {
            if (window.getFirst() < before) {
                return "%d was there before %d".formatted(before, window.getFirst());
            }
            highest = window.getFirst();
            windows++;
        }
        seen.addAll(window);
        return RIGHT;
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
