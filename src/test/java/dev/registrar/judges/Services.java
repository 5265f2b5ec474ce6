package dev.registrar.judges;

import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.ServiceInProcess;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Services on one database, which can be killed, frozen and replaced. */
final class Services implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    /** Long enough to notice, under load, that a service is no longer ready. */
    private static final Map<String, String> DRAIN = Map.of("REGISTRAR_HTTP_DRAIN", "5s");

    private final TestDatabase database;
    private final String url;
    private final Map<String, String> environment;
    private final List<ServiceInProcess> processes = new ArrayList<>();
    private final List<ServiceInstance> instances = new ArrayList<>();
    private int killed;
    private volatile boolean starting;

    Services(TestDatabase database) throws IOException {
        this(database, database.url(), Map.of());
    }

    /**
     * Starts two of them, one after the other, since the first one creates the store.
     *
     * @param url leads to the database
     * @param environment of each process
     */
    Services(TestDatabase database, String url, Map<String, String> environment) throws IOException {
        this.database = database;
        this.url = url;
        this.environment = merged(DRAIN, environment);
        for (String name : List.of("one", "two")) {
            processes.add(ServiceInProcess.start(database, url, this.environment));
            awaitReady(processes.getLast());
            instances.add(new ServiceInstance(name, processes.getLast().api()));
        }
    }

    private static Map<String, String> merged(Map<String, String> one, Map<String, String> other) {
        Map<String, String> all = new HashMap<>(one);
        all.putAll(other);
        return all;
    }

    /* A busy machine needs minutes. */
    private static void awaitReady(ServiceInProcess process) {
        await().atMost(LONGEST_START).until(process::isReady);
    }

    List<ServiceInstance> instances() {
        return instances;
    }

    Api api() {
        return api(0);
    }

    /** The process that answers for one of them: its own, or the other one's if it does not accept requests. */
    Api api(int index) {
        return instances.get(index).api();
    }

    /** The number of calls that ended without an answer. */
    int connectionsLost() {
        return instances.stream().mapToInt(ServiceInstance::connectionsLost).sum();
    }

    int port(int index) {
        return processes.get(index).port();
    }

    String url() {
        return "http://127.0.0.1:" + port(0);
    }

    /** Whether the circuit breaker of one keeps calls from the database. */
    boolean isCircuitOpen(int index) {
        return isCircuit(index, "open");
    }

    /** Whether the circuit breakers of all of them let calls through. */
    boolean areCircuitsClosed() {
        return IntStream.range(0, instances.size()).allMatch(index -> isCircuit(index, "closed"));
    }

    private boolean isCircuit(int index, String state) {
        return meters(index)
                .anyMatch(line -> line.startsWith("resilience4j_circuitbreaker_state{")
                        && line.contains("state=\"%s\"".formatted(state))
                        && line.endsWith(" 1.0"));
    }

    /** Whether one has noticed that the database's clock is at least half an hour behind the last event. */
    boolean knowsLateClock(int index) {
        return meters(index)
                .filter(line -> line.startsWith("registrar_store_clock_behind_seconds"))
                .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) > 1_800);
    }

    private Stream<String> meters(int index) {
        return processes.get(index).api().get("/actuator/prometheus").text().lines();
    }

    /** What time it is for one of them. */
    Instant clock(int index) {
        String date =
                processes.get(index).api().get("/actuator/health/readiness").header("Date");
        return Instant.from(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date));
    }

    /** Kills one of them, by turns, and waits until another process has taken its place. */
    void killNext() {
        int index = killed++ % processes.size();
        try {
            kill(index);
            replace(index, Map.of());
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    void kill(int index) {
        processes.get(index).kill();
    }

    /**
     * Ends one as an operator does, by SIGTERM, and waits until it has ended. Like a proxy, it sends calls to the other
     * one from the moment this one is not ready.
     */
    void stop(int index) {
        ServiceInProcess stopping = processes.get(index);
        stopping.process().destroy();
        await().until(() -> !stopping.isReady());
        instances.get(index).moveTo(processes.get(1 - index).api());
        await().until(() -> !stopping.process().isAlive());
    }

    /** Starts another process in the place of one that has ended, and waits until it is ready. */
    void replace(int index, Map<String, String> besides) throws IOException {
        starting = true;
        try {
            processes.set(index, ServiceInProcess.start(database, url, merged(environment, besides)));
            awaitReady(processes.get(index));
            instances.get(index).moveTo(processes.get(index).api());
        } finally {
            starting = false;
        }
    }

    /** Whether one starts in the place of another. */
    boolean isStarting() {
        return starting;
    }

    void freeze(int index) throws IOException {
        Signals.send("STOP", Stream.of(processes.get(index).process()));
    }

    void thaw(int index) throws IOException {
        Signals.send("CONT", Stream.of(processes.get(index).process()));
    }

    @Override
    public void close() {
        processes.forEach(ServiceInProcess::close);
    }
}
