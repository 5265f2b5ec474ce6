package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampConcurrentUsers;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.OpenInjectionStep;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.ScenarioBuilder;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** How users arrive. Each runs one iteration of its scenario; in a closed model a user is replaced when it ends. */
enum Profile {
    /** The ramp of the published load tests, with their pauses, which limit the rate. */
    SEED {
        @Override
        Optional<PopulationBuilder> warmUp(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
            return Optional.of(silent(scenario, protocol));
        }

        @Override
        Optional<Duration> lasts() {
            return Optional.of(Duration.ofSeconds(20 + 30 + 30 + 60 + 30 + 60 + 30));
        }

        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            return scenario.injectClosed(
                    rampConcurrentUsers(0).to(10).during(20),
                    constantConcurrentUsers(10).during(30),
                    rampConcurrentUsers(10).to(50).during(30),
                    constantConcurrentUsers(50).during(60),
                    rampConcurrentUsers(50).to(100).during(30),
                    constantConcurrentUsers(100).during(60),
                    // Not down to 0: Gatling does not end a load whose last user ends before its profile does.
                    rampConcurrentUsers(100).to(1).during(30));
        }

        @Override
        ChainBuilder pauses(int milliseconds) {
            return pause(Duration.ofMillis(milliseconds));
        }

        @Override
        String plan() {
            return "%s, then the ramp of 260 s".formatted(WARM_UP);
        }

        @Override
        List<Assertion> gates() {
            return List.of(
                    global().failedRequests().count().is(0L),
                    global().responseTime().percentile(95).lt(15),
                    global().responseTime().percentile(99).lt(25));
        }
    },
    /**
     * An open model without pauses whose rate grows by half every few seconds, until a step does not hold: see
     * {@link Steps}.
     */
    CAPACITY {
        @Override
        Optional<PopulationBuilder> warmUp(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
            return Optional.of(silent(scenario, protocol));
        }

        @Override
        Optional<Duration> lasts() {
            return Optional.of(Steps.LASTS.multipliedBy(Steps.RATES.size()));
        }

        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            List<OpenInjectionStep> steps = new ArrayList<>();
            for (int rate : Steps.RATES) {
                steps.add(constantUsersPerSec(rate).during(Steps.LASTS));
            }
            return scenario.injectOpen(steps.toArray(OpenInjectionStep[]::new));
        }

        @Override
        String plan() {
            return "%s, then up to %s steps of %s s".formatted(WARM_UP, Steps.RATES.size(), Steps.LASTS.toSeconds());
        }

        @Override
        List<Assertion> gates() {
            // The last step fails by design. The verification checks that a step held.
            return List.of(details(LoadSimulation.VERIFICATION)
                    .failedRequests()
                    .count()
                    .is(0L));
        }
    },
    /** {@code -Dusers} concurrent users without pauses, for {@code -Dduration} seconds. */
    CLOSED {
        @Override
        Optional<PopulationBuilder> warmUp(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
            return Optional.of(silent(scenario, protocol));
        }

        @Override
        Optional<Duration> lasts() {
            return Optional.of(duration());
        }

        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            return scenario.injectClosed(constantConcurrentUsers(users()).during(duration()));
        }

        @Override
        String plan() {
            return "%s, then %s users for %s s"
                    .formatted(WARM_UP, users(), duration().toSeconds());
        }

        private static int users() {
            return Settings.users(100);
        }

        private static Duration duration() {
            return Settings.duration(Duration.ofSeconds(20));
        }
    },
    /** A few users for a few seconds: wrong answers and failures fail the run, low speed does not. */
    SMOKE {
        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            return scenario.injectClosed(constantConcurrentUsers(users()).during(duration()));
        }

        @Override
        String plan() {
            return "%s users for %s s".formatted(users(), duration().toSeconds());
        }

        private static int users() {
            return Settings.users(5);
        }

        private static Duration duration() {
            return Settings.duration(Duration.ofSeconds(3));
        }
    };

    private static final int WARM_UP_USERS = 100;
    private static final int WARM_UP_SECONDS = 40;
    private static final String WARM_UP = "%s s of warm-up".formatted(WARM_UP_SECONDS);

    /** The gates of the other profiles. */
    static final List<Assertion> NO_FAILURES =
            List.of(global().failedRequests().count().is(0L));

    static Profile current() {
        String name = Settings.text("profile").orElse("smoke");
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException unknown) {
            throw new IllegalArgumentException(
                    "-Dprofile is one of seed, capacity, closed, smoke but was " + name, unknown);
        }
    }

    abstract PopulationBuilder inject(ScenarioBuilder scenario);

    /** The load in words, with its duration. */
    abstract String plan();

    /** The name, as in {@code -Dprofile}. */
    String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The duration of the counted requests, if it is not the whole run. */
    Optional<Duration> lasts() {
        return Optional.empty();
    }

    /**
     * Users before those of {@link #inject}, whose requests do not count, while the JVM compiles the code. The
     * published figures are of ahead-of-time compiled programs.
     */
    Optional<PopulationBuilder> warmUp(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
        return Optional.empty();
    }

    /** The published load tests' pause after a request; other profiles have none. */
    ChainBuilder pauses(int milliseconds) {
        return exec(session -> session);
    }

    /** The assertions on the requests of a run with this profile. */
    List<Assertion> gates() {
        return NO_FAILURES;
    }

    private static PopulationBuilder silent(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
        return scenario.injectClosed(constantConcurrentUsers(WARM_UP_USERS).during(WARM_UP_SECONDS))
                .protocols(protocol.silentUri(".*"));
    }
}
