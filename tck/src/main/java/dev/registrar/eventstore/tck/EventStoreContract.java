package dev.registrar.eventstore.tck;

import dev.registrar.decision.testkit.SettableClock;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.StoreLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/**
 * The contract of every {@link EventStore}. S1 to S26 in its parts are the statements of the DCB specification,
 * numbered in its order. The test class of a store extends it; each test gets an empty store.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
public abstract class EventStoreContract
        implements ReadContract,
                StreamContract,
                QueryContract,
                AppendContract,
                TextContract,
                ActorContract,
                AppendConditionContract,
                ConflictContract,
                LongLookContract,
                ProjectContract,
                ReplacedStoreContract,
                IdempotencyContract,
                LimitsContract,
                ConcurrencyContract,
                SeveralConditionsContract {
    private final SettableClock clock = new SettableClock(Instant.parse("2026-09-01T08:00:00.123456Z"));
    private final List<EventStore> instances = new ArrayList<>();

    /** An empty store with {@link StoreLimits#DEFAULT} that keeps idempotency keys for one day. */
    protected abstract EventStore newStore(InstantSource clock);

    /**
     * Further instances on the same events, as other processes would open them; none if the store supports one instance
     * only.
     */
    protected List<EventStore> furtherInstances(InstantSource clock) {
        return List.of();
    }

    /** Empties a store and begins another incarnation of it, on all its instances. */
    protected abstract void clear(EventStore store);

    /** Makes the idempotency keys of the store older by a duration, by the clock that they expire by. */
    protected abstract void ageKeys(Duration time);

    /** Removes the events after a position, as restoring an older copy does; the incarnation stays the same. */
    protected abstract void setBackTo(EventStore store, Position last);

    @BeforeEach
    void openEmptyStore() {
        instances.add(newStore(clock));
        instances.addAll(furtherInstances(clock));
    }

    @Override
    public final EventStore store() {
        return instances.getFirst();
    }

    @Override
    public final List<EventStore> instances() {
        return instances;
    }

    @Override
    public final SettableClock clock() {
        return clock;
    }

    @Override
    public final void clear() {
        clear(store());
    }

    @Override
    public final void keysAge(Duration time) {
        ageKeys(time);
    }

    @Override
    public final void setBackTo(Position last) {
        setBackTo(store(), last);
    }
}
