package dev.registrar.decision;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import dev.registrar.concurrent.ServiceThread;
import dev.registrar.concurrent.Throttle;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.StateAt;
import dev.registrar.eventstore.StateStore;
import dev.registrar.eventstore.StateStore.StoredState;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores the states of facts with many events, for decision loops on one store: those with a {@link Fact#storedForm}.
 * Without them a fresh process folds a long history from its first event.
 *
 * <p>States are written in the background. A failure is counted, by the meter {@code registrar.decisions.states}, and
 * at most one in a minute is logged. It never fails a decision.
 */
public final class StoredStates implements AutoCloseable {
    /*
     * Why a stored state can be trusted: it is a state that a loop has read or appended, and it has a head. A fold that
     * continues from it checks that head, as for a cached state. The key, the version and a digest of the query say
     * that it is a state of this very fact.
     *
     * Why other decisions pay nothing: a stored state is looked up by a fold that has already read as many events as
     * lie between two stored states, and by no other. A fact with fewer events has no stored state.
     */
    private static final Logger LOG = LoggerFactory.getLogger(StoredStates.class);

    private static final int MAX_WAITING = 100;
    private static final int MAX_NOTED = 10_000;
    private static final int SHARE_OF_EVENTS = 100;
    private static final Duration STOP_TIME = Duration.ofSeconds(5);

    private final @Nullable StateStore store;
    private final MeterRegistry metrics;
    private final Throttle lines = new Throttle(Duration.ofMinutes(1));
    private final BlockingQueue<Runnable> waiting = new ArrayBlockingQueue<>(MAX_WAITING);
    private final ServiceThread thread = new ServiceThread("stored-states", STOP_TIME, new Writing());

    /** The number of events of a fact's last stored state, as far as this process knows. */
    private final Cache<Projection<?>, Long> noted =
            Caffeine.newBuilder().maximumSize(MAX_NOTED).executor(Runnable::run).build();

    private StoredStates(@Nullable StateStore store, MeterRegistry metrics) {
        this.store = store;
        this.metrics = metrics;
    }

    /**
     * Stores states in a store that is a {@link StateStore}, and none in another one. The caller must close it before
     * the store.
     */
    public static StoredStates in(EventStore store, MeterRegistry metrics) {
        StoredStates states = new StoredStates(store instanceof StateStore able ? able : null, metrics);
        if (states.store != null) {
            states.thread.start();
        }
        return states;
    }

    /** Neither stores states nor uses stored ones. */
    public static StoredStates off() {
        return new StoredStates(null, new CompositeMeterRegistry());
    }

    /** Brings states up to date like {@link EventStore#project}; a long fold goes on from a later stored state. */
    Projected project(EventStore events, List<? extends StateAt<?>> known, Consumer<List<StateAt<?>>> progress) {
        return store == null ? events.project(known, progress) : project(events, known, progress, new HashSet<>());
    }

    /* Each fact is looked up once. */
    private Projected project(
            EventStore events,
            List<? extends StateAt<?>> known,
            Consumer<List<StateAt<?>>> progress,
            Set<Projection<?>> lookedUp) {
        try {
            return events.project(known, reached -> {
                progress.accept(reached);
                List<StateAt<?>> later = new ArrayList<>(reached);
                boolean found = false;
                for (int i = 0; i < later.size(); i++) {
                    StateAt<?> stored = later(known.get(i).events(), later.get(i), lookedUp);
                    if (stored != null) {
                        later.set(i, stored);
                        found = true;
                    }
                }
                if (found) {
                    progress.accept(later);
                    throw new LaterStates(later);
                }
            });
        } catch (LaterStates found) {
            return project(events, found.states, progress, lookedUp);
        }
    }

    /** Ends a fold that can go on from later states. */
    private static final class LaterStates extends RuntimeException {
        private final transient List<StateAt<?>> states;

        private LaterStates(List<StateAt<?>> states) {
            super("A fold goes on from a stored state", null, false, false);
            this.states = states;
        }
    }

    /* A later state of the fact in the store, if the fold has read so many events that there should be one. */
    private <S> @Nullable StateAt<S> later(long eventsBefore, StateAt<S> reached, Set<Projection<?>> lookedUp) {
        DecodedFact<?, S> fact = factOf(reached);
        try {
            StoredForm<S> form = fact.storedForm().orElse(null);
            // A state whose head is lost is folded again, so it has fewer events than before.
            return form != null && Math.abs(reached.events() - eventsBefore) >= form.every() && lookedUp.add(fact)
                    ? laterStored(form, fact, reached)
                    : null;
        } catch (RuntimeException failure) {
            failed("failed", "A stored state of %s could not be looked up".formatted(fact), failure);
            return null;
        }
    }

    @SuppressWarnings("unchecked") // a loop folds only facts, and a state is of its fact's own type
    private static <S> DecodedFact<?, S> factOf(StateAt<S> state) {
        return (DecodedFact<?, S>) state.projection();
    }

    private <S> @Nullable StateAt<S> laterStored(StoredForm<S> form, DecodedFact<?, S> fact, StateAt<S> reached) {
        Optional<StoredState> found = storage()
                .storedState(form.key(), version(form, fact), fact.query())
                .filter(stored -> stored.erasures() == fact.erasures()
                        && stored.head().position().isAfter(reached.position()));
        if (found.isEmpty()) {
            noted.invalidate(fact);
            count("missing");
            return null;
        }
        StoredState stored = found.get();
        try {
            StateAt<S> later = new StateAt<>(fact, form.read().apply(stored.state()), stored.head(), stored.events());
            noted.put(fact, stored.events());
            count("loaded");
            return later;
        } catch (RuntimeException unreadable) {
            failed("unreadable", "The stored state '%s' cannot be read".formatted(form.key()), unreadable);
            return null;
        }
    }

    /**
     * Stores a state that was read or appended, in the background, if it has enough events more than the stored one.
     */
    <S> void offer(StateAt<S> state) {
        if (store == null) {
            return;
        }
        DecodedFact<?, S> fact = factOf(state);
        try {
            fact.storedForm().filter(form -> isDue(form, fact, state.events())).ifPresent(form -> {
                if (waiting.offer(() -> write(form, fact, state))) {
                    noted.put(fact, state.events());
                } else {
                    count("dropped");
                }
            });
        } catch (RuntimeException failure) {
            failed("failed", "A state of %s could not be stored".formatted(fact), failure);
        }
    }

    /* After a replaced history a fact may have fewer events than its stored state. */
    private boolean isDue(StoredForm<?> form, DecodedFact<?, ?> fact, long events) {
        if (events < form.every()) {
            return false;
        }
        Long before = noted.getIfPresent(fact);
        return before == null || Math.abs(events - before) >= Math.max(form.every(), events / SHARE_OF_EVENTS);
    }

    private <S> void write(StoredForm<S> form, DecodedFact<?, S> fact, StateAt<S> state) {
        Head head = state.head();
        if (head == null || thread.isClosing()) {
            return;
        }
        try {
            boolean isStored = storage()
                    .store(new StoredState(
                            form.key(),
                            version(form, fact),
                            head,
                            state.events(),
                            form.write().apply(state.state()),
                            fact.erasures()));
            count(isStored ? "stored" : "outdated");
        } catch (RuntimeException failure) {
            failed("failed", "The state '%s' could not be stored".formatted(form.key()), failure);
        }
    }

    private static String version(StoredForm<?> form, DecodedFact<?, ?> fact) {
        return form.version() + " " + fact.query().digest();
    }

    private StateStore storage() {
        if (store == null) {
            throw new IllegalStateException("States are not stored");
        }
        return store;
    }

    private void failed(String result, String what, RuntimeException failure) {
        count(result);
        if (lines.tryAcquire()) {
            LOG.warn(
                    "{}; decisions go on without it; further failures within a minute are only counted: {}",
                    what,
                    failure.toString());
        }
    }

    private void count(String result) {
        Counter.builder("registrar.decisions.states")
                .description("Stored states of facts, by what became of them")
                .baseUnit("states")
                .tag("result", result)
                .register(metrics)
                .increment();
    }

    /** Writes one waiting state after the other. */
    private final class Writing implements ServiceThread.Work {
        @Override
        public void step() throws InterruptedException {
            waiting.take().run();
        }

        @Override
        public void wake() {
            waiting.clear();
            // Full again already: then no wake-up is needed.
            waiting.offer(() -> {});
        }
    }

    /** Stores no further states, and waits up to 5 s for the one that is being written. */
    @Override
    public void close() {
        thread.close();
    }
}
