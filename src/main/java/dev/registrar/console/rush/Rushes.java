package dev.registrar.console.rush;

import dev.registrar.console.rush.DisposableSchemas.Disposable;
import dev.registrar.console.rush.RaceTrack.SlowRaceException;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreContext;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.security.ConditionalOnLocalMode;
import java.time.Duration;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.locks.ReentrantLock;
import org.flywaydb.core.api.FlywayException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.SmartLifecycle;
import org.springframework.dao.DataAccessException;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/**
 * Runs rushes, one at a time, in schemas of their own, and remembers the last few. At the start of the service it drops
 * the schemas of rushes whose service was killed.
 */
@Component
@ConditionalOnLocalMode
public final class Rushes implements SmartLifecycle {
    static final String PREFIX = "rush_";
    static final String MARK = "A rush of Registrar; dropped when the rush is over, or at the next start";

    private static final Logger LOG = LoggerFactory.getLogger(Rushes.class);
    private static final int KEPT = 5;
    private static final int READ_CONNECTIONS = 3;
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration MAX_WAIT_AT_STOP = Duration.ofSeconds(5);
    private static final String STOPPED = "The service is stopping. Start a rush when it runs again.";

    private final StoreAddress address;
    private final EnrollmentEventCodec codec;
    private final DisposableSchemas schemas;

    private final ReentrantLock lock = new ReentrantLock();
    private final Deque<Rush> latest = new ConcurrentLinkedDeque<>();
    private @Nullable Thread running;
    private @Nullable Thread cleaning;
    private volatile boolean started;
    private long next = 1;

    Rushes(StoreAddress address, EnrollmentEventCodec codec) {
        this.address = address;
        this.codec = codec;
        this.schemas = new DisposableSchemas(address, PREFIX, MARK);
    }

    /** Starts a rush; returns the one that runs, if there is one. None starts when the service stops. */
    Rush run() {
        lock.lock();
        try {
            Rush last = latest.peekFirst();
            if (last != null && !last.shown().isOver()) {
                return last;
            }
            Rush rush = new Rush(Long.toString(next++));
            latest.addFirst(rush);
            if (latest.size() > KEPT) {
                latest.removeLast();
            }
            if (!started) {
                rush.fail(STOPPED);
                return rush;
            }
            running = Thread.ofVirtual().name("rush").start(() -> run(rush));
            return rush;
        } finally {
            lock.unlock();
        }
    }

    /** One of the last rushes. */
    Optional<Rush> find(String id) {
        return latest.stream().filter(rush -> rush.id().equals(id)).findFirst();
    }

    Optional<Rush> latest() {
        return latest.stream().filter(rush -> rush.shown().failure() == null).findFirst();
    }

    /** Adds the rush that runs, or else the last one that took place, to the model of a page; nothing without one. */
    public void addLatest(Model model) {
        latest().ifPresent(rush -> add(rush, model));
    }

    /** Adds what the fragment {@code console/rush/parts} shows. */
    static void add(Rush rush, Model model) {
        model.addAttribute("id", rush.id());
        model.addAttribute("rush", rush.shown());
    }

    private void run(Rush rush) {
        try {
            if (!schemas.isPermitted()) {
                rush.fail(
                        "The database role of the service may not create schemas, and a rush needs two. Start the service with a role that may, or without a database setting: then it brings its own.");
                return;
            }
            Race safe;
            Race unsafe;
            try (Dropped one = new Dropped(schemas.create());
                    Dropped other = new Dropped(schemas.create())) {
                safe = race(one.schema(), true);
                unsafe = race(other.schema(), false);
            }
            rush.show(safe, unsafe);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            rush.fail(STOPPED);
        } catch (EventStoreException | DataAccessException | FlywayException | SlowRaceException failure) {
            // The service's own schema has the same migrations: if one fails here, the database does.
            if (!started) {
                rush.fail(STOPPED);
                return;
            }
            LOG.warn("The database failed or was too slow during a rush", failure);
            rush.fail(
                    "The database cannot be reached or is too busy. The courses of the service are not affected: try again in a moment.");
        } catch (RuntimeException | Error failure) {
            LOG.error("Unexpected error during a rush", failure);
            rush.fail(
                    "The rush failed for an unexpected reason, which is in the log of the service. The courses of the service are not affected.");
        }
    }

    /**
     * A schema that is dropped even if its thread was interrupted: an interrupt closes the connections that a virtual
     * thread uses.
     */
    private record Dropped(Disposable schema) implements AutoCloseable {
        @Override
        public void close() {
            boolean interrupted = Thread.interrupted();
            try {
                schema.close();
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }
    }

    private Race race(Disposable schema, boolean withCondition) throws InterruptedException {
        StoreOptions options = StoreOptions.with(own -> {
            own.schema = schema.name();
            own.readConnections = READ_CONNECTIONS;
            own.resourceLockConnections = 1;
            own.connectionTimeout = TIMEOUT;
            own.statementTimeout = TIMEOUT;
            own.lockTimeout = TIMEOUT;
        });
        PostgresEventStore.migrate(address.url(), address.username(), address.password(), options);
        try (PostgresEventStore store = PostgresEventStore.open(address, options, StoreContext.standalone())) {
            RaceTrack track = new RaceTrack(store, codec);
            track.prepare();
            return withCondition ? track.withCondition() : track.withoutCondition();
        }
    }

    @Override
    public void start() {
        started = true;
        cleaning = Thread.ofVirtual().name("rush-leftovers").start(this::dropLeftovers);
    }

    private void dropLeftovers() {
        try {
            List<String> dropped = schemas.dropLeftovers();
            if (!dropped.isEmpty()) {
                LOG.info("Dropped {} schemas of rushes whose service was killed", dropped.size());
            }
        } catch (DataAccessException failure) {
            LOG.info("Schemas of earlier rushes stay until the next start: {}", failure.getMessage());
        }
    }

    /** Ends the rush that runs, and waits until its schemas are dropped. */
    @Override
    public void stop() {
        Thread rush;
        lock.lock();
        try {
            started = false;
            rush = running;
        } finally {
            lock.unlock();
        }
        try {
            for (Thread thread : new Thread[] {rush, cleaning}) {
                if (thread != null) {
                    thread.interrupt();
                    thread.join(MAX_WAIT_AT_STOP);
                }
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public boolean isRunning() {
        return started;
    }
}
