package dev.registrar.eventstore.postgres;

import dev.registrar.concurrent.Deadline;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A standby of the store's database, for reads that may be a moment behind. Decisions, conditions and appends do not
 * use it. What it cannot answer, the primary does.
 */
public final class ReadReplica implements AutoCloseable {
    /*
     * Why no reader sees another history: a standby may follow a server that is no longer the primary, or one of before
     * a restore. Each second the primary is asked whether it has the last event of the replica. As positions have no
     * gaps and the id of that event is the same, the replica has the beginning of the primary's history. Until the first
     * check has passed, and after a failure until the next one, the primary answers.
     *
     * Why erased data goes: an erasure appends no event, so its number is compared, too, and a replica that stopped
     * replaying is left.
     */
    private static final Logger LOG = LoggerFactory.getLogger(ReadReplica.class);

    private static final Duration EVERY = Duration.ofSeconds(1);
    private static final Duration LONGEST_PROBE = Duration.ofSeconds(1);
    /** How long a probe may be unanswered, so that the last answered one is at most 3 s old. */
    private static final Duration LONGEST_SILENCE = Duration.ofSeconds(2);

    private static final Duration STOP_TIME = Duration.ofSeconds(5);
    private static final Position UNBOUNDED = Position.of(Long.MAX_VALUE);

    private final PostgresEventStore primary;
    private final PostgresEventStore replica;
    private final Counter own;
    private final Counter others;
    private final ServiceThread thread = new ServiceThread("read-replica", STOP_TIME, this::watch);
    private final ReplicaLag lag = new ReplicaLag();
    /**
     * When a probe was sent that the replica has not answered, as of {@link System#nanoTime}; null if there is none.
     */
    private volatile @Nullable Long probedAt;

    private volatile long behind;
    /** Why the replica is not used, as the log has it; null if it is used. */
    private volatile @Nullable String reason = "";

    private ReadReplica(StoreAddress address, StoreOptions options, PostgresEventStore primary, MeterRegistry metrics) {
        StoreOptions forReads = options.forReplica();
        this.primary = primary;
        this.replica = new PostgresEventStore(
                Database.openReplica(address, forReads),
                forReads,
                StoreContext.standalone().withClock(primary.clock()));
        this.own = reads("replica", metrics);
        this.others = reads("primary", metrics);
        Gauge.builder("registrar.replica.usable", () -> isUsable() ? 1 : 0)
                .description("Whether the read replica is used")
                .register(metrics);
        Gauge.builder("registrar.replica.behind", () -> behind)
                .description("Positions by which the read replica was behind the primary at the last check")
                .baseUnit("positions")
                .register(metrics);
    }

    private static Counter reads(String by, MeterRegistry metrics) {
        return Counter.builder("registrar.replica.reads")
                .description("Reads that a read replica may answer, by the server that has answered")
                .tag("answered.by", by)
                .register(metrics);
    }

    /**
     * Opens the replica of a store, which need not be reachable. The caller must close it before the store.
     *
     * @param options those of the store
     */
    public static ReadReplica open(
            StoreAddress address, StoreOptions options, PostgresEventStore primary, MeterRegistry metrics) {
        ReadReplica opened = new ReadReplica(address, options, primary, metrics);
        opened.thread.start();
        return opened;
    }

    private void watch() throws InterruptedException {
        check();
        thread.pause(EVERY);
    }

    private void check() {
        Probe probe;
        probedAt = System.nanoTime();
        try {
            // The deadline ends a slow statement; a frozen server shows by the age of the probe.
            probe = Deadline.within(LONGEST_PROBE, () -> new Probe(replica.head(), replica.lastErasure()));
        } catch (EventStoreException failure) {
            leave("it does not answer: " + failure.getMessage());
            return;
        } finally {
            probedAt = null;
        }
        Position reached = probe.head().position();
        try (EventStream nothing = primary.read(
                Query.all(), ReadOptions.forwards().after(probe.head()).limit(0))) {
            Position ofPrimary = nothing.head().position();
            behind = ofPrimary.value() - reached.value();
            boolean isLate = lag.isTooLong(reached, ofPrimary, System.nanoTime());
            if (probe.lastErasure() != primary.lastErasure()) {
                leave("it lacks an erasure");
            } else if (isLate) {
                leave("it is more than %s s behind".formatted(ReplicaLag.LONGEST.toSeconds()));
            } else {
                use(reached);
            }
        } catch (StoreReplacedException lost) {
            leave("it has another history than the primary: " + lost.getMessage());
        } catch (EventStoreException primaryIsAway) {
            // The replica answers meanwhile if it did before.
            LOG.debug("The history of the read replica was not compared", primaryIsAway);
        }
    }

    /** What the replica has. */
    private record Probe(Head head, long lastErasure) {}

    private void use(Position from) {
        if (reason != null) {
            LOG.info("The read replica is used, from position {} on", from);
        }
        reason = null;
    }

    private void leave(String because) {
        if (reason == null || reason.isEmpty()) {
            LOG.warn("The read replica is not used, because {}", because);
        }
        reason = because;
    }

    private boolean isUsable() {
        Long unanswered = probedAt;
        return reason == null && (unanswered == null || System.nanoTime() - unanswered < LONGEST_SILENCE.toNanos());
    }

    /**
     * What the replica answers, if it can be used and does not fail. A statement that took too long has failed for the
     * caller, so that it does not burden the primary, too.
     *
     * @param read empty if the replica does not have what the caller needs
     * @return empty if the primary has to answer
     */
    public <T> Optional<T> answer(Supplier<Optional<T>> read) {
        Optional<T> answer = isUsable() ? tried(read) : Optional.empty();
        (answer.isPresent() ? own : others).increment();
        return answer;
    }

    private <T> Optional<T> tried(Supplier<Optional<T>> read) {
        try {
            return read.get();
        } catch (StoreReplacedException lost) {
            // Perhaps the replica does not have that head yet.
            return Optional.empty();
        } catch (EventStoreException failure) {
            FailureCategory category = failure.category().orElse(FailureCategory.TIMEOUT);
            if (category == FailureCategory.TIMEOUT) {
                throw failure;
            }
            if (category.isLoss()) {
                leave("it does not answer: " + failure.getMessage());
            }
            return Optional.empty();
        }
    }

    /** The store as the replica has it, for reads within {@link #answer}. */
    public EventStore store() {
        return replica;
    }

    /**
     * Reads as {@link EventStore#read} does. The events are those of the primary if the replica cannot be used, or does
     * not have all positions that the options name. A failure later in the stream is the caller's.
     */
    public EventStream read(Query query, ReadOptions options) {
        Position needed = needed(options);
        return answer(() -> {
                    EventStream events = replica.read(query, options);
                    if (needed.isAfter(events.head().position())) {
                        events.close();
                        return Optional.empty();
                    }
                    return Optional.of(events);
                })
                .orElseGet(() -> primary.read(query, options));
    }

    private static Position needed(ReadOptions options) {
        return options.upTo().equals(UNBOUNDED) ? options.above() : options.upTo();
    }

    /** The head up to which {@link #read} has all events. */
    public Head head() {
        return answer(() -> Optional.of(replica.head())).orElseGet(primary::head);
    }

    @Override
    public void close() {
        thread.close();
        replica.close();
    }
}
