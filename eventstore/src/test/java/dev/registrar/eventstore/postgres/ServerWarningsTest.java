package dev.registrar.eventstore.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ResourceLocks;
import dev.registrar.eventstore.postgres.connection.ServerWarnings;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLWarning;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.postgresql.util.PSQLWarning;
import org.postgresql.util.ServerErrorMessage;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/**
 * A server that warns of something with each append, as PostgreSQL does for days before transaction ids wrap around.
 * {@link StandbyWaitTest} has the warning that concerns the commit.
 */
@ExtendWith(OutputCaptureExtension.class)
class ServerWarningsTest {
    private static StoreDatabase database;

    private final SimpleMeterRegistry meters = new SimpleMeterRegistry();
    private HikariDataSource pool;
    private PostgresEventStore store;

    @BeforeAll
    static void warn() {
        database = new StoreDatabase();
        database.execute("""
                create function registrar.warn() returns trigger
                    language plpgsql
                as $$
                begin
                    raise warning 'database "registrar" must be vacuumed within 39985967 transactions';
                    return null;
                end
                $$""");
        database.execute("""
                create trigger events_warn
                    after insert on registrar.events
                    for each statement execute function registrar.warn()""");
    }

    @AfterAll
    static void close() {
        database.close();
    }

    @BeforeEach
    void open() {
        database.clear();
        StoreOptions options = StoreDatabase.defaultSettings();
        pool = database.pool(options);
        store = new PostgresEventStore(pool, options, StoreDatabase.context(InstantSource.system(), meters));
    }

    @AfterEach
    void disconnect() {
        store.close();
        pool.close();
    }

    private static Append append() {
        return Append.of(Event.of("Happened", "{}", "seat:1"));
    }

    @Test
    void an_append_is_stored_although_the_server_warns(CapturedOutput log) {
        assertThat(store.append(append())).isInstanceOf(Appended.class);
        assertThat(store.append(append().under(new IdempotencyKey("key", "same"))))
                .isInstanceOf(Appended.class);
        assertThat(store.append(append().holding(ResourceLocks.of(List.of("room:1"), Duration.ofSeconds(30)))))
                .isInstanceOf(Appended.class);
        assertThat(store.appendChain(List.of(append(), append())))
                .allSatisfy(result -> assertThat(result).isInstanceOf(Appended.class));

        assertThat(store.count(Query.all())).isEqualTo(5);
        assertThat(warnings()).isEqualTo(4);
        assertThat(log).containsOnlyOnce("The database's server warns (SQLSTATE 01000)");
    }

    @Test
    void an_append_in_the_callers_transaction_is_stored_although_the_server_warns() throws SQLException {
        try (Connection connection = database.connect()) {
            connection.setAutoCommit(false);
            assertThat(store.joining(connection).append(append())).isInstanceOf(Appended.class);
            connection.commit();
        }

        assertThat(store.count(Query.all())).isEqualTo(1);
    }

    @Test
    void a_cancelled_wait_for_a_standby_is_recognized_in_every_language() {
        ServerWarnings read = new ServerWarnings(meters);
        SQLWarning other = warning("01000", "Datenbank muss bald gevacuumt werden", "GetNewTransactionId");
        other.setNextWarning(warning(
                "01000", "storniere Warten auf synchrone Replikation wegen Benutzeraufforderung", "SyncRepWaitForLSN"));

        assertThatThrownBy(() -> read.check(other)).isInstanceOf(OutcomeUnknownException.class);
    }

    @Test
    void a_notice_is_no_warning() {
        new ServerWarnings(meters).check(warning("00000", "held", "exec_stmt_raise"));

        assertThat(warnings()).isZero();
    }

    private static SQLWarning warning(String state, String text, String routine) {
        return new PSQLWarning(new ServerErrorMessage("SWARNING\0C%s\0M%s\0R%s\0".formatted(state, text, routine)));
    }

    private double warnings() {
        return meters.get("registrar.store.warnings").counter().count();
    }
}
