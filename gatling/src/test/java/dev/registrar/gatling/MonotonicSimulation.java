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
 * The monotonic load of the dcb.events community. Five users append, and one user reads the last six events repeatedly.
 * No new position may be lower than one that was read before.
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
                                        () -> windows == 0 ? "nothing was read" : written.check(SERVICE, 0))),
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
                                                .is(CORRECT)))
                                .injectClosed(constantConcurrentUsers(1).during(lasts)))
                .protocols(protocol())
                .assertions(Profile.NO_FAILURES.toArray(Assertion[]::new));
    }

    /* The window has no gaps, and no new position that is lower than one that was read before. */
    private synchronized String look(List<Long> window) {
        long before = highest;
        for (int i = 0; i < window.size(); i++) {
            long position = window.get(i);
            if (i > 0 && position != window.get(i - 1) - 1) {
                return "The window has a gap: " + window;
            }
            // A window may reach below all earlier ones. A position between two that were read must have been read,
            // too.
            if (position < before && !seen.contains(position) && seen.contains(position - 1)) {
                return "Position %s appeared after position %s".formatted(position, before);
            }
        }
        if (!window.isEmpty()) {
            if (window.getFirst() < before) {
                return "The last position is %s, and was %s before".formatted(window.getFirst(), before);
            }
            highest = window.getFirst();
            windows++;
        }
        seen.addAll(window);
        return CORRECT;
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
