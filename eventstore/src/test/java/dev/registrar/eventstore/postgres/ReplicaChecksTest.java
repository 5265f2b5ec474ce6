package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.DatabaseProxy;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Masking.Masked;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.testdatabase.TestDatabase;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A replica is left while it lacks an erasure, or does not answer. Its database is a copy that the test changes. */
class ReplicaChecksTest {
    private final StoreDatabase primary = copy();
    private final StoreDatabase standby = copy();
    private final PostgresEventStore store = primary.newStore();
    private final PostgresEventStore replayed = standby.newStore();
    private final DatabaseProxy proxy = DatabaseProxy.to(standby.database().url());
    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ReadReplica replica = ReadReplica.open(
            new StoreAddress(
                    proxy.url(),
                    standby.database().username(),
                    standby.database().password()),
            // The watchdog of a call would end it long after the test.
            StoreDatabase.settings(Map.of("statement-timeout", "10m")),
            store,
            meters);

    /** A store with the same incarnation each time. */
    private static StoreDatabase copy() {
        return StoreDatabase.of(TestDatabase.createCopy("migrated", empty -> StoreSchema.migrate(empty, "registrar")));
    }

    @BeforeEach
    void use() {
        Event registered = Event.of("Registered", "{\"name\": \"Ann\"}");
        store.append(Append.of(registered));
        replayed.append(Append.of(registered));
        await().until(this::isUsed);
    }

    @AfterEach
    void close() {
        proxy.thaw();
        replica.close();
        proxy.close();
        primary.close();
        standby.close();
    }

    private boolean isUsed() {
        return meters.get("registrar.replica.usable").gauge().value() == 1;
    }

    private List<String> payloads() {
        return replica.read(Query.all(), ReadOptions.forwards()).toList().stream()
                .map(event -> event.event().payload())
                .toList();
    }

    private static void erase(PostgresEventStore at) {
        at.erase(
                Query.all(),
                event -> new Masked("{}", "{}", event.actor(), Set.of()),
                Actor.of("issuer", "office"),
                "request 17");
    }

    @Test
    void a_replica_that_lacks_an_erasure_is_not_used_until_it_has_it() {
        erase(store);

        await().until(() -> !isUsed());
        assertThat(payloads()).containsExactly("{}");

        erase(replayed);
        await().until(this::isUsed);
    }

    /* Its pool has just found that the connection is alive. */
    @Test
    void a_replica_that_answers_no_check_is_not_used_until_it_answers() {
        proxy.freezeAfterReplies(1);

        await().until(() -> !isUsed());
        assertThat(payloads()).containsExactly("{\"name\": \"Ann\"}");

        proxy.thaw();
        await().until(this::isUsed);
    }
}
