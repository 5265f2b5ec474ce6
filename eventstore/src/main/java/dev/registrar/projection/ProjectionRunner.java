package dev.registrar.projection;

import dev.registrar.concurrent.ServiceThread;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.postgres.ReadReplica;
import dev.registrar.projection.Checkpoints.Known;
import dev.registrar.subscription.AppendSignals;
import dev.registrar.subscription.Notifications;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Semaphore;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the views and automations of an application. Any number of instances may run the same ones: each batch of events
 * is processed by one of them. In plain Java:
 *
 * <pre>{@code
 * try (ProjectionRunner runner = ProjectionRunner.open(connections, store, List.of(rooms, reminders))) {
 *     runner.start();
 *     ...
 *     ViewAt<List<Room>> free = runner.views().read(rooms, appended.last(), Rooms::free);
 * }
 * }</pre>
 *
 * <p>Instead of {@link #start}, a test may call {@link #processNext} or {@link #catchUp}, which process batches in the
 * calling thread. The checkpoints and the tables of views are in the store's database, and are accessed through
 * Spring's {@code JdbcClient}: this class needs {@code org.springframework:spring-jdbc} and pgjdbc.
 */
public final class ProjectionRunner implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ProjectionRunner.class);

    private static final Duration MAINTENANCE_EVERY = Duration.ofSeconds(1);
    private static final Duration PROGRESS_EVERY = Duration.ofSeconds(10);

    private static final Duration STOP_TIME = Duration.ofSeconds(10);

    private final EventStore store;
    private final Followers followers;
    private final ProjectionOptions options;
    private final Checkpoints checkpoints;
    private final BatchProcessor processor;
    private final Generations generations;
    private final ProjectionMeters meters;
    private final FollowerLoops loops;
    private final Statuses statuses;
    private final ViewReader views;
    private final ProjectionAdministration administration;
    private final AppendSignals signals;
    /** Null if the application has made the signals. */
    private final @Nullable Notifications ownNotifications;

    private final ServiceThread maintenance = new ServiceThread("projections", STOP_TIME, this::maintain);
    private boolean started;
    private boolean failing;
    private long progressAt = System.nanoTime();

    private ProjectionRunner(Builder builder) {
        this.store = builder.store;
        this.options = builder.options;
        this.followers = new Followers(builder.followers);
        this.checkpoints = new Checkpoints(builder.connections, builder.schema);
        ViewTables tables = new ViewTables(builder.schema);
        followers.names().forEach(name -> tables.schema(name, Generation.NEXT));
        followers.all().forEach(this::check);
        this.meters = new ProjectionMeters(builder.metrics);
        followers.all().forEach(meters::register);
        Transactions transactions = new Transactions(builder.connections);
        DeadLetters deadLetters = new DeadLetters(checkpoints.lookUps(), builder.schema);
        Leases leases = new Leases(transactions, builder.schema, options.lease());
        Publications publications = new Publications(deadLetters, options, builder.clock);
        Reactions reactions = new Reactions(transactions, checkpoints, leases, deadLetters, publications);
        this.processor = new BatchProcessor(
                transactions, store, checkpoints, deadLetters, tables, reactions, options, builder.clock);
        this.generations = new Generations(transactions, store, checkpoints, tables, processor);
        FailedEvents failedEvents = new FailedEvents(transactions, processor, checkpoints, deadLetters, builder.clock);
        this.statuses = new Statuses(followers, store, checkpoints, deadLetters, builder.clock);
        if (builder.signals == null) {
            this.signals = AppendSignals.of(store);
            this.ownNotifications = new Notifications(builder.connections, signals, builder.schema);
        } else {
            this.signals = builder.signals;
            this.ownNotifications = null;
        }
        this.loops = new FollowerLoops(
                followers,
                new FollowerLoop.Parts(processor, generations, failedEvents, new Semaphore(1, true), options, meters),
                signals,
                store.limits().maxItemsPerQuery());
        this.views = new ViewReader(
                followers, store, checkpoints, builder.replicaOfViews(), tables, loops, options, builder.metrics);
        this.administration = new ProjectionAdministration(
                followers,
                checkpoints,
                generations,
                failedEvents,
                deadLetters,
                new Retries(transactions, store, checkpoints, deadLetters, leases, publications),
                statuses,
                loops);
    }

    private void check(Follower follower) {
        int batch = options.batchOf(follower);
        if (batch < 1) {
            throw new IllegalArgumentException(
                    "The batch of '%s' must be 1 event or more but is %s".formatted(follower.name(), batch));
        }
        try {
            store.limits().check(follower.query());
        } catch (RefusedInputException refused) {
            throw new IllegalArgumentException(
                    "The store refuses the query of '%s': %s".formatted(follower.name(), refused.getMessage()),
                    refused);
        }
    }

    /**
     * Creates a runner with default options, in the schema {@code registrar}; it is not started.
     *
     * @param connections to the store's database, other than the store's own: a look-up in a view must not run under
     *     the store's planner settings. A pool must restore auto-commit and network time-out of a returned connection,
     *     as HikariCP does
     * @throws IllegalArgumentException if two followers have the same name, a name is invalid, a query exceeds a limit
     *     of the store, or the batch of an automation is below 1
     */
    public static ProjectionRunner open(DataSource connections, EventStore store, List<? extends Follower> followers) {
        return builder(connections, store, followers).build();
    }

    /** Creates a runner with other options; the parameters are those of {@link #open}. */
    public static Builder builder(DataSource connections, EventStore store, List<? extends Follower> followers) {
        return new Builder(connections, store, followers);
    }

    /** The parts of a runner. */
    public static final class Builder {
        private final DataSource connections;
        private final EventStore store;
        private final List<Follower> followers;
        private String schema = "registrar";
        private ProjectionOptions options = ProjectionOptions.defaults();
        private InstantSource clock;
        private MeterRegistry metrics = new CompositeMeterRegistry();
        private @Nullable AppendSignals signals;
        private @Nullable DataSource replicaConnections;
        private @Nullable ReadReplica replica;

        private Builder(DataSource connections, EventStore store, List<? extends Follower> followers) {
            this.connections = connections;
            this.store = store;
            this.followers = List.copyOf(followers);
            this.clock = store.clock();
        }

        /**
         * Sets the database schema of the store. It holds the checkpoints; the names of the views' schemas begin with
         * it.
         */
        public Builder schema(String name) {
            schema = name;
            return this;
        }

        public Builder options(ProjectionOptions chosen) {
            options = chosen;
            return this;
        }

        /** Sets the clock for the age of events and the time of skips; by default it is the store's. */
        public Builder clock(InstantSource source) {
            clock = source;
            return this;
        }

        public Builder metrics(MeterRegistry target) {
            metrics = target;
            return this;
        }

        /**
         * Shares signals of appends with other readers of the store; the application closes them. Without them, the
         * runner has its own, and keeps one connection for notifications between instances.
         */
        public Builder signals(AppendSignals shared) {
            signals = shared;
            return this;
        }

        /**
         * Reads views on a replica of the store's database; see {@link ViewReader}.
         *
         * @param connections to that replica, as those of {@link #open} are to the primary
         */
        public Builder replica(DataSource connections, ReadReplica opened) {
            replicaConnections = connections;
            replica = opened;
            return this;
        }

        private ViewReader.@Nullable OnReplica replicaOfViews() {
            return replica == null || replicaConnections == null
                    ? null
                    : new ViewReader.OnReplica(replica, new Checkpoints(replicaConnections, schema));
        }

        /** Creates the runner, as {@link #open} does. */
        public ProjectionRunner build() {
            return new ProjectionRunner(this);
        }
    }

    /** Reads the views. */
    public ViewReader views() {
        return views;
    }

    /** Statuses and operations for operators. */
    public ProjectionAdministration administration() {
        return administration;
    }

    /**
     * Creates missing tables, and starts the threads that process events unless {@link ProjectionOptions#enabled()} is
     * false. Called once.
     */
    public void start() {
        if (started) {
            throw new IllegalStateException("The runner is already started");
        }
        started = true;
        followers.all().forEach(generations::create);
        if (ownNotifications != null) {
            ownNotifications.start();
        }
        if (options.enabled()) {
            loops.start(checkpoints.known());
            loops.update(checkpoints.known());
        }
        maintenance.start();
    }

    /* Any instance may begin a rebuild, and all instances continue it, also after a crash. */
    private void maintain() throws InterruptedException {
        maintenance.pause(MAINTENANCE_EVERY);
        if (maintenance.isClosing()) {
            return;
        }
        try {
            Known known = checkpoints.known();
            loops.update(known);
            List<ProjectionStatus> current = statuses.of(known);
            current.forEach(meters::update);
            if (System.nanoTime() - progressAt > PROGRESS_EVERY.toNanos()) {
                progressAt = System.nanoTime();
                current.forEach(ProjectionRunner::logRebuild);
            }
            failing = false;
        } catch (Throwable failure) {
            if (!failing) {
                LOG.warn("Maintenance of the projections failed", Printable.of(failure));
            }
            failing = true;
        }
    }

    private static void logRebuild(ProjectionStatus status) {
        status.rebuild()
                .ifPresent(rebuild -> LOG.info(
                        "Building the next generation of {}: {} events so far at {} per second, {} positions left",
                        status.name(),
                        rebuild.events(),
                        Math.round(rebuild.eventsPerSecond()),
                        rebuild.remaining()));
    }

    /**
     * Processes the next batch of one view or automation in the calling thread: up to {@link ProjectionOptions#batch()}
     * events of a view, or {@link Automation#batch()} events of an automation. Creates missing tables. Safe beside
     * running threads and other instances. It does not build the next generation of a view.
     *
     * @throws UnhandledEventException if the follower could not handle the events; nothing was changed or recorded
     * @throws UnknownProjectionException if no follower has that name
     */
    public BatchResult processNext(String name) {
        Follower follower = followers.named(name);
        generations.create(follower);
        return processor.process(
                follower,
                Generation.LIVE,
                from -> processor.read(follower.query(), from.reached(), options.batchOf(follower)));
    }

    /**
     * Processes batches of all views and automations in the calling thread, until every stored event is handled,
     * including those that automations cause. It leaves out followers that rest, that another instance processes, or
     * whose next event is left to other instances ({@link ProjectionOptions#skipUnreadableAfter}).
     *
     * @throws UnhandledEventException if a follower could not handle its events
     */
    public void catchUp() {
        Position before;
        do {
            before = store.head().position();
            for (String name : followers.names()) {
                BatchResult result;
                do {
                    result = processNext(name);
                } while (result instanceof BatchResult.Moved);
            }
        } while (store.head().position().isAfter(before));
    }

    /** Stops the threads of this instance, and waits up to 10 s for each; other instances continue. */
    @Override
    public void close() {
        maintenance.end();
        loops.close();
        maintenance.close();
        if (ownNotifications != null) {
            ownNotifications.close();
            signals.close();
        }
    }
}
