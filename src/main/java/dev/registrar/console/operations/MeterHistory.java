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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.event.EventListener;
import org.springframework.stereotype.Component;

/**
 * Values of meters during the last five minutes, sampled every two seconds: the lag of each projection, and what the
 * store has done.
 */
@Component
final class MeterHistory implements AutoCloseable {
    /*
     * Sampled whether an operator looks or not: the first look at a page then shows how the last minutes were. A sample
     * costs no call of the database, because the projections update their gauges every second in any case.
     */
    private static final Logger LOG = LoggerFactory.getLogger(MeterHistory.class);
    private static final Duration EVERY = Duration.ofSeconds(2);
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    /** The period that the history covers. */
    static final Duration WINDOW = Duration.ofMinutes(5);

    /** The maximum number of samples. */
    static final int MOST_SAMPLES = Math.toIntExact(WINDOW.dividedBy(EVERY));

    private static final int SAMPLES_OF_A_RATE = 5;

    private final MeterRegistry meters;
    private final Deque<Sample> samples = new ArrayDeque<>();
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread = Thread.ofVirtual().name("console-history").unstarted(this::run);

    MeterHistory(MeterRegistry meters) {
        this.meters = meters;
    }

    /** Totals since the start of the service. */
    private record Totals(
            double appended,
            double conflicts,
            double smallReads,
            double calls,
            double groups,
            double grouped,
            double waits,
            double waitSeconds) {}

    private record Sample(long nanoTime, Map<String, Double> lags, Totals totals) {}

    /**
     * What the store did per second lately.
     *
     * @param appends accepted append requests
     * @param conflicts append requests whose condition failed
     * @param smallReads reads that shared a statement with others
     * @param calls calls of the database
     * @param groupSize append requests in a group; 0 if there was none
     * @param queueWait the mean time for which an append request waited for its group
     */
    record Rates(
            Duration over,
            double appends,
            double conflicts,
            double smallReads,
            double calls,
            double groupSize,
            Duration queueWait) {}

    @EventListener(ApplicationReadyEvent.class)
    void start() {
        if (thread.getState() == Thread.State.NEW) {
            thread.start();
        }
    }

    private void run() {
        try {
            do {
                try {
                    sample(System.nanoTime());
                } catch (RuntimeException failure) {
                    LOG.warn("Meters could not be sampled: {}", failure.toString());
                }
            } while (!closing.await(EVERY.toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException closed) {
            // close() interrupts a thread that has not ended in time.
        }
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
        Sample sample = new Sample(nanoTime, lags, totals());
        synchronized (samples) {
            samples.addLast(sample);
            if (samples.size() > MOST_SAMPLES) {
                samples.removeFirst();
            }
        }
    }

    private Totals totals() {
        DistributionSummary groups = meters.find("registrar.store.group.size").summary();
        DistributionSummary reads =
                meters.find("registrar.store.read.group.size").summary();
        Timer wait = meters.find("registrar.store.queue.wait").timer();
        return new Totals(
                verdicts("appended"),
                verdicts("conflict"),
                reads == null ? 0 : reads.totalAmount(),
                meters.find("resilience4j.circuitbreaker.calls").timers().stream()
                        .mapToDouble(Timer::count)
                        .sum(),
                groups == null ? 0 : groups.count(),
                groups == null ? 0 : groups.totalAmount(),
                wait == null ? 0 : wait.count(),
                wait == null ? 0 : wait.totalTime(TimeUnit.SECONDS));
    }

    private double verdicts(String verdict) {
        Counter counter =
                meters.find("registrar.store.verdicts").tag("verdict", verdict).counter();
        return counter == null ? 0 : counter.count();
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

    /** The rates of the last ten seconds; empty until there are two samples. */
    Optional<Rates> rates() {
        List<Sample> all = copy();
        if (all.size() < 2) {
            return Optional.empty();
        }
        Sample last = all.getLast();
        Sample first = all.get(Math.max(0, all.size() - 1 - SAMPLES_OF_A_RATE));
        return Optional.of(rates(first, last));
    }

    /** The rates between each sample and the next, the earliest first. */
    List<Rates> ratesOverTime() {
        List<Sample> all = copy();
        List<Rates> rates = new ArrayList<>();
        for (int i = 1; i < all.size(); i++) {
            rates.add(rates(all.get(i - 1), all.get(i)));
        }
        return rates;
    }

    private static Rates rates(Sample first, Sample last) {
        return rates(first.totals(), last.totals(), Duration.ofNanos(last.nanoTime() - first.nanoTime()));
    }

    private static Rates rates(Totals from, Totals to, Duration over) {
        double seconds = over.toNanos() / 1e9;
        double groups = to.groups() - from.groups();
        double waits = to.waits() - from.waits();
        return new Rates(
                over,
                (to.appended() - from.appended()) / seconds,
                (to.conflicts() - from.conflicts()) / seconds,
                (to.smallReads() - from.smallReads()) / seconds,
                (to.calls() - from.calls()) / seconds,
                groups > 0 ? (to.grouped() - from.grouped()) / groups : 0,
                waits > 0
                        ? Duration.ofNanos((long) ((to.waitSeconds() - from.waitSeconds()) / waits * 1e9))
                        : Duration.ZERO);
    }

    private List<Sample> copy() {
        synchronized (samples) {
            return List.copyOf(samples);
        }
    }

    @Override
    public void close() {
        closing.countDown();
        try {
            if (thread.getState() != Thread.State.NEW && !thread.join(STOP_TIME)) {
                thread.interrupt();
            }
        } catch (InterruptedException interrupted) {
            thread.interrupt();
            Thread.currentThread().interrupt();
        }
    }
}
