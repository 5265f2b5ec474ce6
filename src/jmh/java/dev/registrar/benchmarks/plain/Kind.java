package dev.registrar.benchmarks.plain;

import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** A kind of request, with the results of its turns. */
final class Kind {
    /** The number of connections of a light load. */
    static final int FEW = 16;

    private final int usual;
    private final Set<Integer> expected;
    private final Turns turns;
    private final Map<Integer, Integer> statuses = new TreeMap<>();
    final String name;
    final int connections;
    final List<Turn> measured = new ArrayList<>();
    final List<Double> p99 = new ArrayList<>();

    /** Prepares a turn outside the clock, and makes its requests. */
    interface Turns {
        Supplier<byte[]> next() throws IOException, SQLException;
    }

    /**
     * What one turn measured. The CPU times are those of a request, in microseconds.
     *
     * @param java includes what the views needed for the turn's events, as does the next one
     * @param locked the microseconds for which the lock of appends is held, divided by the requests; 0 if not measured
     */
    record Turn(double perSecond, double java, double postgres, double locked) {
        double cpu() {
            return java + postgres;
        }
    }

    /** @param expected the statuses of right answers; the first is the usual one */
    Kind(String name, int connections, List<Integer> expected, Turns turns) {
        this.name = name;
        this.connections = connections;
        this.expected = Set.copyOf(expected);
        this.usual = expected.getFirst();
        this.turns = turns;
    }

    /**
     * Sends requests without a pause that are not measured, in the first half of the time from few connections: a
     * service whose code is not compiled yet refuses requests of many.
     */
    void warmUp(ServiceProcess service, long nanoseconds) throws IOException, SQLException {
        closed(service, nanoseconds / 2, Math.min(FEW, connections));
        closed(service, nanoseconds / 2, connections);
    }

    /** Sends requests without a pause. */
    void turn(ServiceProcess service, long nanoseconds) throws IOException, SQLException {
        Turn turn = closed(service, nanoseconds, connections);
        measured.add(turn);
        System.out.println(name + " " + turn);
    }

    private Turn closed(ServiceProcess service, long nanoseconds, int open) throws IOException, SQLException {
        Supplier<byte[]> requests = turns.next();
        try (Load load = new Load(service.port, open)) {
            service.awaitViews();
            CpuTime before = service.cpuTime();
            LockShare lock = LockShare.start(service.database);
            Load.Answers answers = load.closed(requests, nanoseconds);
            double locked = lock.stop() * 1e6 / answers.perSecond();
            service.awaitViews();
            CpuTime used = service.cpuTime().minus(before);
            check(answers);
            double sent = answers.count();
            return new Turn(answers.perSecond(), used.java() / sent, used.postgres() / sent, locked);
        }
    }

    /**
     * Sends requests at a part of the median rate of the other turns, and keeps the 99th percentile.
     *
     * @param most maximum number of requests that are not answered yet
     */
    void open(ServiceProcess service, int most, long nanoseconds, double part) throws IOException, SQLException {
        Supplier<byte[]> requests = turns.next();
        double perSecond = part * median(Turn::perSecond);
        long[] delays = new long[(int) (perSecond * nanoseconds / 1e9)];
        try (Load load = new Load(service.port, most)) {
            service.awaitViews();
            check(load.open(requests, perSecond, delays));
        }
        p99.add(Load.percentile(delays, 0.99));
        System.out.printf(Locale.ROOT, "%s at %,.0f/s: p99 %.1f ms%n", name, perSecond, p99.getLast());
    }

    private void check(Load.Answers answers) {
        answers.statuses().forEach((status, count) -> statuses.merge(status, count, Integer::sum));
        if (!expected.containsAll(answers.statuses().keySet())
                || answers.statuses().getOrDefault(usual, 0) < 0.95 * answers.count()) {
            throw new IllegalStateException("%s was answered with these statuses, of which %s is usual: %s"
                    .formatted(name, usual, answers.statuses()));
        }
    }

    /** The number of answers of a status in all turns, the warm-up included. */
    int answered(int status) {
        return statuses.getOrDefault(status, 0);
    }

    double median(ToDoubleFunction<Turn> value) {
        return median(measured.stream().map(value::applyAsDouble).toList());
    }

    static double median(List<Double> values) {
        List<Double> sorted = values.stream().sorted().toList();
        int half = sorted.size() / 2;
        return sorted.size() % 2 == 1 ? sorted.get(half) : (sorted.get(half - 1) + sorted.get(half)) / 2;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT,
                "%-16s %4d connections %,8.0f/s (%s)  CPU a request: Java %,6.0f µs, PostgreSQL %,6.0f µs%s  answers %s",
                name,
                connections,
                median(Turn::perSecond),
                String.join(" ", rates().map("%,.0f"::formatted).toList()),
                median(Turn::java),
                median(Turn::postgres),
                LockShare.MEASURED ? ", lock %s µs".formatted(Math.round(median(Turn::locked))) : "",
                statuses);
    }

    /**
     * The rate that a number of processors allows for the service and PostgreSQL, and the share of time in which the
     * lock of appends is held then. Above a share of 1 the lock is the ceiling.
     */
    String onPaper(int processors) {
        double perSecond = processors * 1e6 / median(Turn::cpu);
        return String.format(
                Locale.ROOT,
                "%s on %s processors: CPU allows %,.0f/s, of which the lock is held %.2f of the time; it allows %,.0f/s",
                name,
                processors,
                perSecond,
                perSecond * median(Turn::locked) / 1e6,
                1e6 / median(Turn::locked));
    }

    private Stream<Double> rates() {
        return measured.stream().map(Turn::perSecond);
    }
}
