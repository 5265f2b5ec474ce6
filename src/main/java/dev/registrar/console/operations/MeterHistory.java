package dev.registrar.console.operations;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.stereotype.Component;

/**
 * Values of meters during the last five minutes, sampled every two seconds: the lag of each projection, and what the
 * store has done.
 */
@Component
@EnableScheduling
final class MeterHistory {
    /*
     * Sampled whether an operator looks or not: the first look at a page then shows how the last minutes were. A sample
     * costs no call of the database, because the projections update their gauges every second in any case.
     */
    private static final long EVERY_MILLIS = 2_000;

    /** The period that the history covers. */
    static final Duration WINDOW = Duration.ofMinutes(5);

    /** The maximum number of samples. */
    static final int MOST_SAMPLES = Math.toIntExact(WINDOW.toMillis() / EVERY_MILLIS);

    private static final int SAMPLES_OF_A_RATE = 5;

    private final MeterRegistry meters;
    private final Deque<Sample> samples = new ArrayDeque<>();

    MeterHistory(MeterRegistry meters) {
        this.meters = meters;
    }

    /** What the store does: the growth of a total, per second or for each of something else. */
    enum Measure {
        /** Accepted append requests. */
        APPENDS("Appends per second"),
        /** Append requests whose condition failed. */
        CONFLICTS("Conflicts per second"),
        /** Reads that shared a statement with others. */
        SMALL_READS("Small reads per second"),
        CALLS("Calls of the database per second"),
        /** The mean number of append requests in a group. */
        GROUP_SIZE("Appends in a group"),
        /** The mean time for which an append request waited for its group. */
        QUEUE_WAIT("Wait for a group, in ms");

        private final String title;

        Measure(String title) {
            this.title = title;
        }

        String title() {
            return title;
        }

        private Reading read(MeterRegistry meters, double seconds) {
            return switch (this) {
                case APPENDS -> new Reading(verdicts(meters, "appended"), seconds);
                case CONFLICTS -> new Reading(verdicts(meters, "conflict"), seconds);
                case SMALL_READS ->
                    new Reading(sizes(meters, "registrar.store.read.group.size").total(), seconds);
                case CALLS ->
                    new Reading(
                            meters.find("resilience4j.circuitbreaker.calls").timers().stream()
                                    .mapToDouble(Timer::count)
                                    .sum(),
                            seconds);
                case GROUP_SIZE -> sizes(meters, "registrar.store.group.size");
                case QUEUE_WAIT -> {
                    Timer wait = meters.find("registrar.store.queue.wait").timer();
                    yield wait == null
                            ? Reading.NONE
                            : new Reading(wait.totalTime(TimeUnit.MILLISECONDS), wait.count());
                }
            };
        }

        private static double verdicts(MeterRegistry meters, String verdict) {
            Counter counter = meters.find("registrar.store.verdicts")
                    .tag("verdict", verdict)
                    .counter();
            return counter == null ? 0 : counter.count();
        }

        private static Reading sizes(MeterRegistry meters, String name) {
            DistributionSummary sizes = meters.find(name).summary();
            return sizes == null ? Reading.NONE : new Reading(sizes.totalAmount(), sizes.count());
        }
    }

    /**
     * A total since the start of the service.
     *
     * @param units by which its growth is divided, such as seconds
     */
    private record Reading(double total, double units) {
        static final Reading NONE = new Reading(0, 0);

        double growthSince(Reading earlier) {
            double more = units - earlier.units;
            return more > 0 ? (total - earlier.total) / more : 0;
        }
    }

    private record Sample(long nanoTime, Map<String, Double> lags, Map<Measure, Reading> readings) {
        double growthSince(Sample earlier, Measure measure) {
            return readings.getOrDefault(measure, Reading.NONE)
                    .growthSince(earlier.readings.getOrDefault(measure, Reading.NONE));
        }
    }

    @Scheduled(fixedDelay = EVERY_MILLIS)
    void sample() {
        sample(System.nanoTime());
    }

    /** Takes a sample, and forgets the one that is too old. */
    void sample(long nanoTime) {
        Map<String, Double> lags = new HashMap<>();
        for (Gauge lag : meters.find("registrar.projection.lag").gauges()) {
            String name = lag.getId().getTag("name");
            if (name != null) {
                lags.put(name, lag.value());
            }
        }
        Map<Measure, Reading> readings = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            readings.put(measure, measure.read(meters, nanoTime / 1e9));
        }
        synchronized (samples) {
            samples.addLast(new Sample(nanoTime, lags, readings));
            if (samples.size() > MOST_SAMPLES) {
                samples.removeFirst();
            }
        }
    }

    /** The lags of a projection in events, the earliest first. */
    List<Double> lags(String projection) {
        List<Double> lags = new ArrayList<>();
        for (Sample sample : copy()) {
            Double lag = sample.lags().get(projection);
            if (lag != null && !lag.isNaN()) {
                lags.add(lag);
            }
        }
        return lags;
    }

    /**
     * The store's work of the last ten seconds.
     *
     * @param over the time between the samples
     */
    record Now(Duration over, Map<Measure, Double> rates) {}

    /** The present rates; empty until there are two samples. */
    Optional<Now> now() {
        List<Sample> all = copy();
        if (all.size() < 2) {
            return Optional.empty();
        }
        Sample last = all.getLast();
        Sample first = all.get(Math.max(0, all.size() - 1 - SAMPLES_OF_A_RATE));
        Map<Measure, Double> rates = new EnumMap<>(Measure.class);
        for (Measure measure : Measure.values()) {
            rates.put(measure, last.growthSince(first, measure));
        }
        return Optional.of(new Now(Duration.ofNanos(last.nanoTime() - first.nanoTime()), rates));
    }

    /** The rates between each sample and the next, the earliest first. */
    List<Double> overTime(Measure measure) {
        List<Sample> all = copy();
        List<Double> rates = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            rates.add(all.get(i).growthSince(all.get(i - 1), measure));
        }
        return rates;
    }

    private List<Sample> copy() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }
}
