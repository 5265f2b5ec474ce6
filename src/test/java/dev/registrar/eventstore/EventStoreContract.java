package dev.registrar.eventstore;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;

/**
 * What every {@link EventStore} does. S1 to S26 in the parts of it are the statements of the DCB specification,
 * numbered in its order.
 *
 * @see <a href="https://dcb.events/specification/">the DCB specification</a>
 */
public abstract class EventStoreContract
        implements ReadContract,
                StreamContract,
                QueryContract,
                AppendContract,
                TextContract,
                AppendConditionContract,
                ConflictContract,
                LongLookContract,
                ProjectContract,
                ReplacedStoreContract,
                IdempotencyContract,
                LimitsContract,
                ConcurrencyContract,
                ChainContract,
                SeveralConditionsContract {
    private final SettableClock clock = new SettableClock();
    private final List<EventStore> instances = new ArrayList<>();

    /** An empty store with {@link StoreLimits#DEFAULT}, which remembers idempotency keys for one day. */
    protected abstract EventStore newStore(InstantSource clock);

    /** Further instances on the same events, as other processes would have them. */
    protected List<EventStore> furtherInstances(InstantSource clock) {
        return List.of();
    }

    /** Empties a store, which then is another incarnation. */
    protected abstract void clear(EventStore store);

    /** Lets a time pass for the idempotency keys of the store, by the clock that they expire by. */
    protected abstract void ageKeys(Duration time);

    /** Sets a store back to the copy that was made at a position. */
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
