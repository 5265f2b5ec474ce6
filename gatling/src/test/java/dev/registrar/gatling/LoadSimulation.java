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
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** The common part of all simulations: the service, the profile, and the check of the log after the load. */
abstract class LoadSimulation extends Simulation {
    /** The result of a verification that finds nothing wrong. */
    static final String CORRECT = "correct";

    /** The name of the request that fails if the log is wrong. */
    static final String VERIFICATION = "the log";

    static final RegistrarUnderLoad SERVICE = RegistrarUnderLoad.current();
    static final Profile PROFILE = Profile.current();

    private final Steps steps = new Steps();
    private volatile CpuTime before = CpuTime.NONE;
    private Instant begun = Instant.EPOCH;
    private String plan = "a load of its own, whatever the load profile";
    /** The duration of the counted requests, if it is not the whole run. */
    private Optional<Duration> counted = Optional.empty();

    static HttpProtocolBuilder protocol() {
        return http.baseUrl(SERVICE.baseUrl())
                .shareConnections()
                .contentTypeHeader("application/json")
                .acceptHeader("application/json")
                .disableCaching()
                .disableWarmUp();
    }

    /** Runs the iteration with the profile's users, then the verification. */
    final void run(ChainBuilder iteration, Supplier<String> verification) {
        String name = getClass().getSimpleName();
        counted = PROFILE.lasts();
        plan = PROFILE.plan();
        ChainBuilder one = PROFILE == Profile.CAPACITY ? stepped(iteration) : iteration;
        PopulationBuilder load = then(PROFILE.inject(scenario(name).exec(one)), () -> {
            String found = verification.get();
            boolean noneHeld =
                    PROFILE == Profile.CAPACITY && steps.lastThatHeld().isEmpty();
            return found.equals(CORRECT) && noneHeld ? "no step held" : found;
        });
        PopulationBuilder all = PROFILE.warmUp(scenario("warm-up").exec(iteration), protocol())
                .map(warmUp -> warmUp.andThen(Pace.moment("the load begins", Duration.ZERO, this::readClocks)
                        .andThen(load)))
                .orElse(load);
        setUp(all, PROFILE.gates());
    }

    /** Runs the simulation's own users with any profile, then the verification. */
    final void run(PopulationBuilder load, Supplier<String> verification) {
        setUp(then(load, verification), Profile.NO_FAILURES);
    }

    private static PopulationBuilder then(PopulationBuilder load, Supplier<String> verification) {
        return load.andThen(verification(verification));
    }

    private void setUp(PopulationBuilder all, List<Assertion> gates) {
        setUp(all).protocols(protocol()).assertions(gates.toArray(Assertion[]::new));
    }

    /* Users of the steps after one that did not hold send nothing. */
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
     * The verification as a request that fails if the log is wrong, so that a wrong log fails the run as a wrong answer
     * does.
     */
    static PopulationBuilder verification(Supplier<String> verification) {
        return scenario("verification")
                .exec(http(VERIFICATION)
                        .get("/dcb/head")
                        .check(bodyString()
                                .transform(head -> result(verification))
                                .is(CORRECT)))
                .injectOpen(atOnceUsers(1));
    }

    /* Gatling reports only that a check failed, so the result is printed. */
    private static String result(Supplier<String> verification) {
        String found;
        try {
            found = verification.get();
        } catch (RuntimeException failure) {
            found = failure.toString();
        }
        if (!found.equals(CORRECT)) {
            System.out.println(VERIFICATION + ": " + found);
        }
        return found;
    }

    @Override
    public void before() {
        begun = Instant.now();
        System.out.printf(
                "%s, load profile %s: %s, on %s (%s PostgreSQL)%n",
                getClass().getSimpleName(), PROFILE.text(), plan, SERVICE.baseUrl(), SERVICE.server());
        System.out.println("Preparing the store");
        prepare();
        readClocks();
    }

    /* Called again after a warm-up. */
    private void readClocks() {
        before = SERVICE.cpuTime();
    }

    /** Brings the store into the state that the simulation starts from. */
    abstract void prepare();

    @Override
    public void after() {
        Map<String, Object> facts = new LinkedHashMap<>();
        facts.put("simulation", getClass().getSimpleName());
        facts.put("profile", PROFILE.text());
        facts.put("begun", begun.toString());
        facts.put("commit", RunFacts.commit());
        facts.put("server", SERVICE.server());
        facts.put("java", Runtime.version().toString());
        facts.put("processors", Runtime.getRuntime().availableProcessors());
        facts.put("warmedUp", isWarmedUp());
        counted.ifPresent(lasts -> facts.put("secondsOfLoad", lasts.toSeconds()));
        if (SERVICE.runsHere()) {
            CpuTime used = SERVICE.cpuTime().minus(before);
            facts.put("heap", ServiceProcess.heap());
            facts.put("cpuSecondsOfService", used.service().toMillis() / 1e3);
            facts.put("cpuSecondsOfPostgres", used.postgres().toMillis() / 1e3);
        }
        if (PROFILE == Profile.CAPACITY) {
            System.out.print(steps.report());
            steps.lastThatHeld().ifPresent(rate -> facts.put("usersPerSecondHeld", rate));
        }
        facts.putAll(facts());
        System.out.println(facts);
        System.out.printf("The facts of the run: %s%n", RunFacts.write(facts));
    }

    /** Whether the counted requests follow others that warm the service up. */
    boolean isWarmedUp() {
        return counted.isPresent();
    }

    /** The simulation's own results, for the summary. */
    Map<String, Object> facts() {
        return Map.of();
    }
}
