package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendConditionOracle;
import dev.registrar.eventstore.AppendConditionOracle.Report;
import dev.registrar.eventstore.EventStore;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers on two instances of the PostgreSQL store; {@link RacesTest} removes its protection. */
@Timeout(900)
class PostgresOracleTest {

    @Test
    void two_instances_on_one_database_keep_every_condition() {
        assertSound(12, 3);
    }

    @Test
    @Tag("thorough")
    void many_writers_on_two_instances_keep_every_condition() {
        assertSound(40, AppendConditionOracle.batches());
    }

    private static void assertSound(int writers, int batches) {
        try (StoreDatabase database = new StoreDatabase()) {
            List<EventStore> instances = List.of(database.newStore(), database.newStore());
            long seed = Long.getLong("registrar.oracle.seed", new SplittableRandom().nextLong());
            Report report = new AppendConditionOracle(instances, writers, batches, seed).run();

            report.assertSound();
            assertThat(report.appended()).as(report.toString()).isEqualTo(writers * batches);
        }
    }
}
