package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.subscription.AppendSignals;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.dao.DataAccessException;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;

/**
 * The views and automations of a service: runs them, looks after them, and reads the views. Any number of instances
 * share them.
 */
public final class Projections implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Projections.class);

    private static final Duration LOOKS_AFTER_EVERY = Duration.ofSeconds(1);
    private static final Duration TELLS_EVERY = Duration.ofSeconds(10);
    private static final Duration LONGEST_QUERY = Duration.ofSeconds(10);
    private static final int MOST_TRIES = 3;
    private static final Duration SHORTEST_LOOK = Duration.ofMillis(5);
    private static final Duration LONGEST_LOOK = Duration.ofMillis(100);
    private static final Duration STOPS = Duration.ofSeconds(10);

    private final Map<String, Follower> followers = new LinkedHashMap<>();
    private final EventStore store;
    private final AppendSignals arrivals;
    private final ProjectionSettings settings;
    private final JdbcClient jdbc;
    private final Checkpoints checkpoints;
    private final BatchProcessor stepper;
    private final ProjectionMeters meters;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final FollowerLoops loops;
    private final Statuses statuses;
    private @Nullable Thread caretaker;

    /**
     * The projections beside a store.
     *
     * @param connections to the store's database, not the store's own: views are not read under its planner settings
     * @param schema of the store
     * @param clock tells how old an event is
     * @param registry takes the meters of each
     * @throws IllegalArgumentException if two followers have the same name, or a name is none
     */
    public Projections(
            List<? extends Follower> followers,
            EventStore store,
            AppendSignals arrivals,
            DataSource connections,
            String schema,
            ProjectionSettings settings,
            InstantSource clock,
            MeterRegistry registry) {
        this.store = store;
        this.arrivals = arrivals;
        this.settings = settings;
        JdbcTemplate lookUps = new JdbcTemplate(connections);
        lookUps.setQueryTimeout(Math.toIntExact(LONGEST_QUERY.toSeconds()));
        this.jdbc = JdbcClient.create(lookUps);
        this.checkpoints = new Checkpoints(schema);
        this.stepper = new BatchProcessor(connections, store, checkpoints);
        this.meters = new ProjectionMeters(registry);
        for (Follower follower : followers) {
            if (!follower.name().matches(Follower.NAME)) {
                throw new IllegalArgumentException(
                        "A projection's name matches %s but was '%s'".formatted(Follower.NAME, follower.name()));
            }
            if (this.followers.put(follower.name(), follower) != null) {
                throw new IllegalArgumentException("Two projections are called '%s'".formatted(follower.name()));
            }
            checkpoints.schema(follower.name(), Generation.NEXT);
            meters.register(follower);
        }
        this.loops = new FollowerLoops(this.followers.values(), stepper, arrivals, settings, meters);
        this.statuses = new Statuses(this.followers.values(), store, checkpoints, jdbc, clock);
    }

    /** Begins to run them, unless this instance is not to. Tables that are not there yet are there when it returns. */
    public void start() {
        followers.values().forEach(this::ensure);
        if (settings.enabled()) {
            run();
        }
        Thread cares = Thread.ofVirtual().name("projections").unstarted(this::lookAfter);
        caretaker = cares;
        cares.start();
    }

    /* Also if another instance is just doing the same. */
    private void ensure(Follower follower) {
        Optional<Checkpoint> live = checkpoints.find(jdbc, follower.name(), Generation.LIVE);
        if (live.isEmpty()) {
            Head head = store.head();
            Head begins = follower instanceof View ? head.start() : head;
            stepper.transaction(transaction -> {
                boolean added = checkpoints.add(transaction, follower, Generation.LIVE, begins);
                if (added && follower instanceof View view) {
                    checkpoints.createTables(transaction, view, Generation.LIVE);
                }
                return added;
            });
        }
    }

    /* Rebuilds are begun by any instance, and carried on by all, after a crash, too. */
    private void lookAfter() {
        boolean troubled = false;
        long toldAt = System.nanoTime();
        try {
            while (!closing.await(LOOKS_AFTER_EVERY.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    if (settings.enabled()) {
                        run();
                    }
                    List<ProjectionStatus> told = statuses.all();
                    told.forEach(meters::told);
                    if (System.nanoTime() - toldAt > TELLS_EVERY.toNanos()) {
                        toldAt = System.nanoTime();
                        told.forEach(Projections::tellOfRebuild);
                    }
                    troubled = false;
                } catch (RuntimeException failure) {
                    if (!troubled) {
                        LOG.warn("The projections cannot be looked after: {}", failure.toString());
                    }
                    troubled = true;
                }
            }
        } catch (InterruptedException closed) {
            // Whoever closes it has waited long enough.
        }
    }

    private static void tellOfRebuild(ProjectionStatus status) {
        status.rebuild()
                .ifPresent(rebuild -> LOG.info(
                        "The next build of {} has {} events at {} a second, {} positions remain",
                        status.name(),
                        rebuild.events(),
                        Math.round(rebuild.eventsPerSecond()),
                        rebuild.remaining()));
    }

    private void run() {
        List<Checkpoint> known = checkpoints.all(jdbc);
        beginNewVersions(known);
        loops.keep(known);
    }

    /* Also when an instance with older code has put its own build in the place of ours. */
    private void beginNewVersions(List<Checkpoint> known) {
        for (Checkpoint checkpoint : known) {
            if (checkpoint.build() == Generation.LIVE
                    && followers.get(checkpoint.name()) instanceof View view
                    && checkpoint.version() < view.version()
                    && known.stream()
                            .noneMatch(other -> other.name().equals(view.name())
                                    && other.build() == Generation.NEXT
                                    && other.version() >= view.version())) {
                begin(view, false);
            }
        }
    }

    private Follower named(String name) {
        Follower follower = followers.get(name);
        if (follower == null) {
            throw new UnknownProjectionException(name);
        }
        return follower;
    }

    private View view(String name) {
        return switch (named(name)) {
            case View view -> view;
            case Automation automation -> throw NotRebuildableException.ofAutomation(name);
        };
    }

    /** How all of them are doing, in the order they were given. */
    public List<ProjectionStatus> statuses() {
        return statuses.all();
    }

    /**
     * How one of them is doing.
     *
     * @throws UnknownProjectionException if there is none of that name
     */
    public ProjectionStatus status(String name) {
        named(name);
        return statuses.all().stream()
                .filter(status -> status.name().equals(name))
                .findAny()
                .orElseThrow(() -> new UnknownProjectionException(name));
    }

    /**
     * Keeps a projection from going on, in all instances.
     *
     * @throws UnknownProjectionException if there is none of that name
     */
    public void pause(String name) {
        set(name, State.PAUSED);
    }

    /* Waits for a step that is under way. */
    private void set(String name, State state) {
        named(name);
        stepper.transaction(transaction -> {
            checkpoints.lock(transaction, name, Generation.LIVE);
            checkpoints.lock(transaction, name, Generation.NEXT);
            checkpoints.setState(transaction, name, state);
            return state;
        });
    }

    /**
     * Lets a projection go on that was paused, or was stopped by an event that it could not handle.
     *
     * @throws UnknownProjectionException if there is none of that name
     */
    public void resume(String name) {
        set(name, State.RUNNING);
        arrivals.raiseAll();
    }

    /**
     * Leaves out the one event that a projection has stopped at, records that, and lets it go on.
     *
     * @param position of the event, as {@link ProjectionStatus.Failure} tells it
     * @throws UnknownProjectionException if there is none of that name
     * @throws NotSkippableException if it has not stopped, or at another event
     */
    public void skip(String name, Position position) {
        stepper.skip(named(name), position);
        LOG.warn("{} leaves out the event at {}, as an operator says", name, position);
        arrivals.raiseAll();
    }

    /**
     * Empties a view's tables and fills them again from the first event. Meanwhile it is read as far as it has come.
     *
     * @throws UnknownProjectionException if there is none of that name
     * @throws NotRebuildableException if it is an automation, or another version has built it
     */
    public void reset(String name) {
        View view = view(name);
        Head head = store.head();
        stepper.transaction(transaction -> {
            Optional<Checkpoint> live = checkpoints.lock(transaction, name, Generation.LIVE);
            live.ifPresent(own -> {
                if (own.version() != view.version()) {
                    throw NotRebuildableException.ofOtherVersion(view, own.version());
                }
                stepper.startAgain(transaction, view, own, head);
            });
            return live;
        });
        arrivals.raiseAll();
    }

    /**
     * Makes sure that something is a view.
     *
     * @throws UnknownProjectionException if there is none of that name
     * @throws NotRebuildableException if it is an automation
     */
    public void checkRebuildable(String name) {
        view(name);
    }

    /**
     * Builds a view anew beside the tables that are read, which it replaces once it has caught up. One that is being
     * built already goes on.
     *
     * @throws UnknownProjectionException if there is none of that name
     * @throws NotRebuildableException if it is an automation, or a newer version has built it
     */
    public void rebuild(String name) {
        begin(view(name), true);
        if (settings.enabled()) {
            run();
        }
    }

    /* What an older version has left unfinished is thrown away; a newer one's, too, if an operator wants it. */
    private void begin(View view, boolean wanted) {
        Head head = store.head();
        boolean begun = stepper.transaction(transaction -> {
            Optional<Checkpoint> live = checkpoints.lock(transaction, view.name(), Generation.LIVE);
            if (live.isPresent() && live.get().version() > view.version()) {
                throw NotRebuildableException.ofOtherVersion(view, live.get().version());
            }
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (next.isPresent()) {
                int version = next.get().version();
                if (version == view.version() || (version > view.version() && !wanted)) {
                    return false;
                }
                checkpoints.remove(transaction, view.name(), Generation.NEXT);
                checkpoints.dropTables(transaction, view.name(), Generation.NEXT);
            }
            if (checkpoints.add(transaction, view, Generation.NEXT, head.start())) {
                checkpoints.createTables(transaction, view, Generation.NEXT);
                return true;
            }
            return false;
        });
        if (begun) {
            LOG.info("The next build of {}, version {}, is made beside the present one", view.name(), view.version());
        }
    }

    /**
     * Waits until a projection has seen every event up to a position.
     *
     * @return false if it has not in that time
     * @throws RefusedInputException if the position is beyond the last event's
     * @throws UnknownProjectionException if there is none of that name
     * @throws InterruptedException if interrupted meanwhile
     */
    public boolean waitFor(String name, Position position, Duration atMost) throws InterruptedException {
        Follower follower = named(name);
        long end = System.nanoTime() + atMost.toNanos();
        long look = SHORTEST_LOOK.toNanos();
        while (true) {
            // Asked before the look, so that a move in between is not waited for.
            FollowerLoop own = loops.live(name);
            long moves = own == null ? 0 : own.moves();
            if (hasSeen(follower, position)) {
                return true;
            }
            long left = end - System.nanoTime();
            if (left <= 0) {
                return false;
            }
            Duration rests = Duration.ofNanos(Math.min(left, look));
            if (own == null) {
                TimeUnit.NANOSECONDS.sleep(rests.toNanos());
            } else {
                own.awaitMoveTo(position, moves, rests);
            }
            look = Math.min(2 * look, LONGEST_LOOK.toNanos());
        }
    }

    private Position reached(View view) {
        return checkpoints
                .find(jdbc, view.name(), Generation.LIVE)
                .map(Checkpoint::position)
                .orElse(Position.START);
    }

    /* A checkpoint may be of a history that was replaced since, and it may rest behind events that are none of its own. */
    private boolean hasSeen(Follower follower, Position position) {
        Optional<Checkpoint> live = checkpoints.find(jdbc, follower.name(), Generation.LIVE);
        try {
            check(position, live.isPresent() ? live.get().headOf(store) : store.head());
            return live.isPresent()
                    && (!position.isAfter(live.get().position())
                            || statuses.firstAfter(follower, live.get())
                                    .map(waiting -> waiting.position().isAfter(position))
                                    .orElse(true));
        } catch (StoreReplacedException lost) {
            check(position, lost.head());
            return false;
        }
    }

    /* Positions become visible in their order, so a position beyond the head is none that this history has given. */
    private static void check(Position position, Head head) {
        if (position.isAfter(head.position())) {
            throw new RefusedInputException(
                    "Position %s is beyond the last event's, which is %s".formatted(position, head.position()));
        }
    }

    /**
     * Looks something up in a view's tables.
     *
     * @param after the position that the view must have reached
     * @param query run on the tables that are live
     * @throws RefusedInputException if the position is beyond the last event's
     * @throws ViewBehindException if it did not reach the position in time
     * @throws StoreUnavailableException if the database cannot be reached
     */
    public <T> ViewAt<T> read(View view, Position after, Function<Tables, T> query) {
        try {
            for (int tries = 0; tries < MOST_TRIES; tries++) {
                if (after.isAfter(Position.START) && !waitFor(view.name(), after, settings.longestWait())) {
                    break;
                }
                Optional<ViewAt<T>> read = readOnce(view, after, query);
                if (read.isPresent()) {
                    return read.get();
                }
            }
            throw new ViewBehindException(view.name(), reached(view), after, settings.longestWait());
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new ViewBehindException(view.name(), after);
        } catch (DataAccessException failure) {
            if (BatchProcessor.isPassing(failure)) {
                throw new StoreUnavailableException(
                        "The view '%s' cannot be read".formatted(view.name()), failure, FailureCategory.CONNECTION);
            }
            throw failure;
        }
    }

    /*
     * The rows are of the position that was found before them or of a later one, unless the view was begun anew in between,
     * which the second look shows.
     */
    private <T> Optional<ViewAt<T>> readOnce(View view, Position after, Function<Tables, T> query) {
        Optional<Checkpoint> before = checkpoints.find(jdbc, view.name(), Generation.LIVE);
        T found = query.apply(checkpoints.tables(jdbc, view.name(), Generation.LIVE));
        Optional<Checkpoint> behind = checkpoints.find(jdbc, view.name(), Generation.LIVE);
        if (before.isEmpty()
                || behind.isEmpty()
                || !behind.get().startedAt().equals(before.get().startedAt())
                || before.get().position().isAfter(behind.get().position())) {
            return Optional.empty();
        }
        Position position = before.get().position();
        return Optional.of(new ViewAt<>(
                found, after.isAfter(position) ? after : position, before.get().incarnation()));
    }

    /** Stops all that this instance runs; others go on. */
    @Override
    public void close() {
        closing.countDown();
        loops.close();
        Thread cares = caretaker;
        if (cares != null) {
            try {
                if (!cares.join(STOPS)) {
                    cares.interrupt();
                }
            } catch (InterruptedException interrupted) {
                cares.interrupt();
                Thread.currentThread().interrupt();
            }
        }
    }
}
