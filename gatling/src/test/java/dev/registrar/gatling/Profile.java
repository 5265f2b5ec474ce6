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

/** How users come. Each does one iteration of its scenario; in a closed model the next comes when one has left. */
enum Profile {
    /** The ramp of the published load tests, with their pauses, which bound what it can reach. */
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
                    // Not to none: a load whose last user ends before its profile does is never over.
                    rampConcurrentUsers(100).to(1).during(30));
        }

        @Override
        ChainBuilder pauses(int milliseconds) {
            return pause(Duration.ofMillis(milliseconds));
        }

        @Override
        List<Assertion> gates() {
            return List.of(
                    global().failedRequests().count().is(0L),
                    global().responseTime().percentile(95).lt(15),
                    global().responseTime().percentile(99).lt(25));
        }
    },
    /** An open model without pauses that grows by half every few seconds, until it is too much: see {@link Steps}. */
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
        List<Assertion> gates() {
            // What breaks last breaks by design. The verification asks whether any step held.
            return List.of(details(LoadSimulation.VERIFICATION)
                    .failedRequests()
                    .count()
                    .is(0L));
        }
    },
    /** As many users at a time as {@code -Dusers} says, for as many seconds as {@code -Dduration}, without pauses. */
    CLOSED {
        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            return scenario.injectClosed(
                    constantConcurrentUsers(Settings.users(100)).during(Settings.duration(Duration.ofSeconds(20))));
        }
    },
    /** A few users for a few seconds: content and failures gate, speed does not. */
    SMOKE {
        @Override
        PopulationBuilder inject(ScenarioBuilder scenario) {
            return scenario.injectClosed(
                    constantConcurrentUsers(Settings.users(5)).during(Settings.duration(Duration.ofSeconds(3))));
        }
    };

    private static final int WARM_UP_USERS = 100;
    private static final int WARM_UP_SECONDS = 40;

    /** What has to hold of all others. */
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

    /** How long those come whose requests count, where that is not the whole run. */
    Optional<Duration> lasts() {
        return Optional.empty();
    }

    /**
     * Users who come before those of {@link #inject}, whose requests are no part of any figure: code has to be compiled
     * first, which what was published with did not need.
     */
    Optional<PopulationBuilder> warmUp(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
        return Optional.empty();
    }

    /** The published load tests' pause after a request; other profiles have none. */
    ChainBuilder pauses(int milliseconds) {
        return exec(session -> session);
    }

    /** What has to hold of the requests of a run whose users come by this profile. */
    List<Assertion> gates() {
        return NO_FAILURES;
    }

    private static PopulationBuilder silent(ScenarioBuilder scenario, HttpProtocolBuilder protocol) {
        return scenario.injectClosed(constantConcurrentUsers(WARM_UP_USERS).during(WARM_UP_SECONDS))
                .protocols(protocol.silentUri(".*"));
    }
}
