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
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Services on one database, which can be killed, frozen and replaced. */
final class Services implements AutoCloseable {
    private static final Duration LONGEST_START = Duration.ofMinutes(10);

    private final TestDatabase database;
    private final String url;
    private final List<ServiceInProcess> processes = new ArrayList<>();
    private final List<ServiceInstance> instances = new ArrayList<>();
    private int killed;

    Services(TestDatabase database) throws IOException {
        this(database, database.url());
    }

    /**
     * Starts two of them, one after the other, since the first one creates the store.
     *
     * @param url leads to the database
     */
    Services(TestDatabase database, String url) throws IOException {
        this.database = database;
        this.url = url;
        for (String name : List.of("one", "two")) {
            processes.add(ServiceInProcess.start(database, url, Map.of()));
            awaitReady(processes.getLast());
            instances.add(new ServiceInstance(name, processes.getLast().api()));
        }
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

    Api api(int index) {
        return processes.get(index).api();
    }

    int port(int index) {
        return processes.get(index).port();
    }

    String url() {
        return "http://127.0.0.1:" + port(0);
    }

    /** Whether the circuit breaker of one keeps calls from the database. */
    boolean isCircuitOpen(int index) {
        return meters(index)
                .anyMatch(line -> line.startsWith("resilience4j_circuitbreaker_state{")
                        && line.contains("state=\"open\"")
                        && line.endsWith(" 1.0"));
    }

    /** Whether one has noticed that the database's clock is at least half an hour behind the last event. */
    boolean knowsLateClock(int index) {
        return meters(index)
                .filter(line -> line.startsWith("registrar_store_clock_behind_seconds"))
                .anyMatch(line -> Double.parseDouble(line.substring(line.lastIndexOf(' '))) > 1_800);
    }

    private Stream<String> meters(int index) {
        return api(index).get("/actuator/prometheus").text().lines();
    }

    /** What time it is for one of them. */
    Instant clock(int index) {
        String date = api(index).get("/actuator/health/readiness").header("Date");
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

    /** Ends one as an operator does, by SIGTERM, and waits until it has answered its requests. */
    void stop(int index) {
        ProcessHandle process = processes.get(index).process();
        process.destroy();
        await().until(() -> !process.isAlive());
    }

    /** Starts another process in the place of one that has ended, and waits until it is ready. */
    void replace(int index, Map<String, String> environment) throws IOException {
        processes.set(index, ServiceInProcess.start(database, url, environment));
        awaitReady(processes.get(index));
        instances.get(index).moveTo(processes.get(index).api());
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
