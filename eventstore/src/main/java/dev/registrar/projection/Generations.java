package dev.registrar.projection;

import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreReplacedException;
import dev.registrar.projection.BatchProcessor.Without;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.Checkpoints.Known;
import dev.registrar.subscription.LogBatch;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Creates, restarts and replaces the generations of followers. */
final class Generations {
    private static final Logger LOG = LoggerFactory.getLogger(Generations.class);

    /** Maximum time that the server may be silent while it creates the indexes of a generation. */
    private static final Duration LONGEST_INDEXING = Duration.ofHours(6);

    private final Transactions transactions;
    private final EventStore store;
    private final Checkpoints checkpoints;
    private final ViewTables tables;
    private final BatchProcessor processor;
    /** The last refusal of an automatic rebuild that was logged, for each view. */
    private final Map<String, String> refused = new ConcurrentHashMap<>();

    Generations(
            Transactions transactions,
            EventStore store,
            Checkpoints checkpoints,
            ViewTables tables,
            BatchProcessor processor) {
        this.transactions = transactions;
        this.store = store;
        this.checkpoints = checkpoints;
        this.tables = tables;
        this.processor = processor;
    }

    /** Creates the first generation of a follower, unless it exists; safe beside instances that do the same. */
    void create(Follower follower) {
        if (checkpoints.find(follower.name(), Generation.LIVE).isPresent()) {
            return;
        }
        Head head = store.head();
        Head begin = follower instanceof Automation ? head : head.start();
        transactions.run(transaction -> {
            boolean added = checkpoints.add(transaction, follower, Generation.LIVE, begin);
            if (added && follower instanceof View view) {
                tables.create(transaction, view, Generation.LIVE);
            }
            return added;
        });
    }

    /**
     * Begins the next generation of each view whose code is newer than its live generation. An instance with older code
     * may have promoted a generation of its own meanwhile.
     */
    void beginNewVersions(List<View> views, Known known) {
        for (View view : views) {
            boolean isOutdated = known.of(view, Generation.LIVE)
                    .filter(live -> live.version() < view.version())
                    .isPresent();
            boolean isBuilt = known.of(view, Generation.NEXT)
                    .filter(next -> next.version() >= view.version())
                    .isPresent();
            if (isOutdated && !isBuilt) {
                begin(view, false);
            }
        }
    }

    /** Begins the next generation of each view that has seen an event, unless newer code has built the live one. */
    void beginAll(List<View> views, Known known) {
        for (View view : views) {
            known.of(view, Generation.LIVE)
                    .filter(live -> live.position().isAfter(Position.START) && live.version() <= view.version())
                    .ifPresent(live -> begin(view, false));
        }
    }

    /**
     * Begins the next generation of a view, unless one of the same version is being built. One of an older version is
     * dropped.
     *
     * @param forced whether to drop one of a newer version, too; if not, a view that a newer version serves is left
     *     alone
     * @throws NotRebuildableException if forced, and a newer version built the live generation, or other objects of the
     *     database depend on its tables
     */
    void begin(View view, boolean forced) {
        Head head = store.head();
        boolean begun = transactions.run(transaction -> {
            Optional<Checkpoint> live = checkpoints.lock(transaction, view.name(), Generation.LIVE);
            if (live.isPresent() && live.get().version() > view.version()) {
                if (!forced) {
                    return false;
                }
                throw NotRebuildableException.ofOtherVersion(view, live.get().version());
            }
            List<String> dependents = tables.dependents(transaction, view.name());
            if (!dependents.isEmpty()) {
                NotRebuildableException refusal = NotRebuildableException.ofDependents(view, dependents);
                if (forced) {
                    throw refusal;
                }
                logOnce(view, String.valueOf(refusal.getMessage()));
                return false;
            }
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (next.isPresent()) {
                int version = next.get().version();
                if (version == view.version() || (version > view.version() && !forced)) {
                    return false;
                }
                checkpoints.remove(transaction, view.name(), Generation.NEXT);
                tables.drop(transaction, view.name(), Generation.NEXT);
            }
            if (checkpoints.add(transaction, view, Generation.NEXT, head.start())) {
                tables.create(transaction, view, Generation.NEXT);
                return true;
            }
            return false;
        });
        if (begun) {
            LOG.info(
                    "Building the next generation of {}, version {}, beside the live one", view.name(), view.version());
        }
    }

    private void logOnce(View view, String refusal) {
        if (!refusal.equals(refused.put(view.name(), refusal))) {
            LOG.warn("{}. Until then, its tables stay as they are", refusal);
        }
    }

    /** Pauses or resumes all generations of a follower. */
    void set(Follower follower, State state) {
        transactions.run(transaction -> {
            checkpoints.lock(transaction, follower.name(), Generation.LIVE);
            checkpoints.lock(transaction, follower.name(), Generation.NEXT);
            checkpoints.setState(transaction, follower.name(), state);
            return state;
        });
    }

    /**
     * Empties the live tables of a view, and restarts it at the first event.
     *
     * @throws NotRebuildableException if another version built them
     */
    void restart(View view) {
        Head head = store.head();
        transactions.run(transaction -> {
            Optional<Checkpoint> live = checkpoints.lock(transaction, view.name(), Generation.LIVE);
            live.ifPresent(own -> {
                if (own.version() != view.version()) {
                    throw NotRebuildableException.ofOtherVersion(view, own.version());
                }
                processor.restart(transaction, view, own, head);
            });
            return live;
        });
    }

    /**
     * Replaces the live generation of a view by the next one, if that has caught up. Waits for instances that process a
     * batch of either.
     *
     * @param most maximum number of events that may still be missing
     * @throws NotRebuildableException if other objects of the database depend on the live tables
     */
    boolean promote(View view, int most) {
        // The live generation continues meanwhile.
        index(view);
        return BatchProcessor.skippingUnreadable(view, without -> promote(view, most, without));
    }

    private boolean promote(View view, int most, Without without) {
        return transactions.run(transaction -> {
            transaction.sql(BatchProcessor.SHORT_LOCK_TIMEOUT).update();
            Optional<Checkpoint> live = checkpoints.lock(transaction, view.name(), Generation.LIVE);
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (live.isEmpty()
                    || live.get().version() > view.version()
                    || next.isEmpty()
                    || next.get().version() != view.version()
                    || next.get().state() != State.RUNNING
                    || next.get().lacks(view.query())) {
                return false;
            }
            LogBatch rest;
            try {
                rest = processor.read(view.query(), next.get().reached(), most);
            } catch (StoreReplacedException lost) {
                // The next batch of that generation restarts it.
                return false;
            }
            if (!rest.isLast() || processor.leftToOthers(view, rest, without).isPresent()) {
                return false;
            }
            List<String> dependents = tables.dependents(transaction, view.name());
            if (!dependents.isEmpty()) {
                throw NotRebuildableException.ofDependents(view, dependents);
            }
            processor.handle(transaction, view, next.get(), rest, without);
            tables.promote(transaction, view.name());
            checkpoints.promote(transaction, view.name());
            if (live.get().state() == State.PAUSED) {
                checkpoints.setState(transaction, view.name(), State.PAUSED);
            }
            return true;
        });
    }

    /* Indexes that exist already are left alone. */
    private void index(View view) {
        transactions.run(LONGEST_INDEXING, transaction -> {
            Optional<Checkpoint> next = checkpoints.lock(transaction, view.name(), Generation.NEXT);
            if (next.isPresent() && next.get().version() == view.version()) {
                view.index(tables.of(transaction, view.name(), Generation.NEXT));
            }
            return next;
        });
    }
}
