package dev.registrar.eventstore.postgres;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.eventstore.tck.AppendSourceContract;
import dev.registrar.eventstore.tck.ChainContract;
import dev.registrar.eventstore.tck.EventStoreContract;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The PostgreSQL store passes the contract tests; racers are spread over two instances. */
class PostgresContractTest extends EventStoreContract implements ChainContract, AppendSourceContract {
    private static final StoreOptions SETTINGS = StoreDatabase.settings(Map.of("idempotency-retention", "1d"));
    private static StoreDatabase database;
    private static HikariDataSource here;
    private static HikariDataSource there;

    @BeforeAll
    static void open() {
        database = new StoreDatabase();
        here = database.pool(SETTINGS);
        there = database.pool(SETTINGS);
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @Override
    protected EventStore newStore(InstantSource clock) {
        database.clear();
        return new PostgresEventStore(here, SETTINGS, StoreDatabase.context(clock, new CompositeMeterRegistry()));
    }

    @Override
    protected List<EventStore> furtherInstances(InstantSource clock) {
        return List.of(
                new PostgresEventStore(there, SETTINGS, StoreDatabase.context(clock, new CompositeMeterRegistry())));
    }

    @Override
    protected void ageKeys(Duration time) {
        database.ageKeys(time);
    }

    @Override
    protected void clear(EventStore store) {
        database.clear();
    }

    @Override
    protected void setBackTo(EventStore store, Position last) {
        database.setBackTo(Math.toIntExact(last.value()));
    }
}
