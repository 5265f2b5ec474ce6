package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.core.Session;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.LongAdder;

/** The rate at which requests of a kind are answered, and the CPU time of each, turn by turn. */
final class Pace {
    final List<Double> perSecond = new CopyOnWriteArrayList<>();
    final List<Double> microsecondsOfCpu = new CopyOnWriteArrayList<>();

    private final RegistrarUnderLoad service;
    private final LongAdder answered = new LongAdder();
    private long answeredBefore;
    private long started;
    private CpuTime before = CpuTime.NONE;

    Pace(RegistrarUnderLoad service) {
        this.service = service;
    }

    /** The number of requests answered so far. */
    long answered() {
        return answered.sum();
    }

    /** Counts the request that a session has just sent, unless it failed. */
    Session count(Session session) {
        if (!session.isFailed()) {
            answered.increment();
        }
        return session;
    }

    synchronized void begin() {
        answeredBefore = answered.sum();
        before = service.cpuTime();
        started = System.nanoTime();
    }

    synchronized void end() {
        long requests = answered.sum() - answeredBefore;
        perSecond.add(requests * 1e9 / (System.nanoTime() - started));
        microsecondsOfCpu.add(service.cpuTime().minus(before).both().toNanos() / 1e3 / requests);
    }

    /** The median ratio of the same turns of two kinds. */
    static double medianRatio(List<Double> some, List<Double> others) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
            ratios.add(some.get(i) / others.get(i));
        }
        return ratios.isEmpty() ? Double.NaN : ratios.stream().sorted().toList().get(ratios.size() / 2);
    }

    /** A user that runs an action once and sends no request. */
    static PopulationBuilder moment(String name, Duration after, Runnable action) {
        return scenario(name)
                .exec(session -> {
                    action.run();
                    return session;
                })
                .injectOpen(nothingFor(after), atOnceUsers(1));
    }
}
