package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.bodyString;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;

import io.gatling.javaapi.core.Assertion;
import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Simulation;
import io.gatling.javaapi.http.HttpProtocolBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** What all simulations have in common: the service, the profile, and a look at the log when the load is over. */
abstract class LoadSimulation extends Simulation {
    /** What a verification answers if it finds nothing wrong. */
    static final String RIGHT = "right";

    /** The request that fails if the log is not right. */
    static final String VERIFICATION = "the log";

    static final RegistrarUnderLoad SERVICE = RegistrarUnderLoad.current();
    static final Profile PROFILE = Profile.current();

    private final Steps steps = new Steps();
    private volatile CpuTime before = CpuTime.NONE;
    private Instant begun = Instant.EPOCH;
    /** Where users come as the profile says, and it is not the whole run. */
    private Optional<Duration> counted = Optional.empty();

    static HttpProtocolBuilder protocol() {
        return http.baseUrl(SERVICE.baseUrl())
                .shareConnections()
                .contentTypeHeader("application/json")
                .acceptHeader("application/json")
                .disableCaching()
                .disableWarmUp();
    }

    /** Runs the iteration as the profile says, then the verification. */
    final void run(ChainBuilder iteration, Supplier<String> verification) {
        String name = getClass().getSimpleName();
        counted = PROFILE.lasts();
        ChainBuilder one = PROFILE == Profile.CAPACITY ? stepped(iteration) : iteration;
        PopulationBuilder load = then(PROFILE.inject(scenario(name).exec(one)), () -> {
            String found = verification.get();
            boolean noneHeld =
                    PROFILE == Profile.CAPACITY && steps.lastThatHeld().isEmpty();
            return found.equals(RIGHT) && noneHeld ? "no step held" : found;
        });
        PopulationBuilder all = PROFILE.warmUp(scenario("warm-up").exec(iteration), protocol())
                .map(warmUp -> warmUp.andThen(Pace.moment("the load begins", Duration.ZERO, this::lookAtTheClock)
                        .andThen(load)))
                .orElse(load);
        setUp(all, PROFILE.gates());
    }

    /** Runs users that come as the simulation itself says, whatever the profile, then the verification. */
    final void run(PopulationBuilder load, Supplier<String> verification) {
        setUp(then(load, verification), Profile.NO_FAILURES);
    }

    private static PopulationBuilder then(PopulationBuilder load, Supplier<String> verification) {
        return load.andThen(verification(verification));
    }

    private void setUp(PopulationBuilder all, List<Assertion> gates) {
        setUp(all).protocols(protocol()).assertions(gates.toArray(Assertion[]::new));
    }

    /* Who comes after a step that did not hold leaves at once, so that the rest of the ramp is quiet. */
    private ChainBuilder stepped(ChainBuilder iteration) {
        return exec(session -> session.set("step", steps.current()).set("started", System.nanoTime()))
                .exitHereIf(session -> !steps.begins(session.getInt("step")))
                .exec(iteration)
                .exec(session -> {
                    steps.count(
                            session.getInt("step"), System.nanoTime() - session.getLong("started"), session.isFailed());
                    return session;
                });
    }

    /**
     * As a request that fails if the log is not as it should be, so that a wrong log fails the run like a wrong answer.
     */
    static PopulationBuilder verification(Supplier<String> verification) {
        return scenario("verification")
                .exec(http(VERIFICATION)
                        .get("/dcb/head")
                        .check(bodyString()
                                .transform(head -> verdict(verification))
                                .is(RIGHT)))
                .injectOpen(atOnceUsers(1));
    }

    /* A check that finds a wrong text, or throws, tells no more than that it failed. */
    private static String verdict(Supplier<String> verification) {
        String found;
        try {
            found = verification.get();
        } catch (RuntimeException failure) {
            found = failure.toString();
        }
        if (!found.equals(RIGHT)) {
            System.out.println(VERIFICATION + ": " + found);
        }
        return found;
    }

    @Override
    public void before() {
        begun = Instant.now();
        prepare();
        lookAtTheClock();
    }

    /* Once more, when there was a warm-up. */
    private void lookAtTheClock() {
        before = SERVICE.cpuTime();
    }

    /** Brings the store into the state that the simulation starts from. */
    abstract void prepare();

    @Override
    public void after() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("simulation", getClass().getSimpleName());
        facts.put("profile", PROFILE.name().toLowerCase(Locale.ROOT));
        facts.put("begun", begun.toString());
        facts.put("java", Runtime.version().toString());
        facts.put("processors", Runtime.getRuntime().availableProcessors());
        counted.ifPresent(lasts -> facts.put("secondsOfLoad", lasts.toSeconds()));
        if (SERVICE.runsHere()) {
            CpuTime used = SERVICE.cpuTime().minus(before);
            facts.put("cpuSecondsOfService", used.service().toMillis() / 1e3);
            facts.put("cpuSecondsOfPostgres", used.postgres().toMillis() / 1e3);
        }
        if (PROFILE == Profile.CAPACITY) {
            System.out.print(steps.report());
            steps.lastThatHeld().ifPresent(rate -> facts.put("usersPerSecondHeld", rate));
        }
        facts.putAll(facts());
        System.out.println(facts);
        RunFacts.write(facts);
    }

    /** What the simulation itself has to say of its run, for the summary. */
    Map<String, Object> facts() {
        return Map.of();
    }
}
