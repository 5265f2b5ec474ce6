package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendConditionOracle;
import dev.registrar.eventstore.AppendConditionOracle.Report;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Many writers on two instances of the PostgreSQL store; {@link RacesTest} removes its protection. */
@Timeout(900)
class PostgresOracleTest {

    @Test
    void two_instances_on_one_database_keep_every_condition() {
        try (StoreDatabase database = new StoreDatabase()) {
            Report report = new AppendConditionOracle(List.of(database.newStore(), database.newStore())).run();

            report.assertSound();
            assertThat(report.appended()).as(report.toString()).isEqualTo(40 * AppendConditionOracle.batches());
        }
    }
}
