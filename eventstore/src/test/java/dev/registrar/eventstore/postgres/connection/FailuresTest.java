package dev.registrar.eventstore.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.EventStoreException;
import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a failure of the database means to the caller: it is away, it is busy, it refuses a value, or it is a bug. */
class FailuresTest {
    enum Meaning {
        AWAY,
        BUSY,
        INPUT,
        BUG
    }

    private static Meaning meaning(EventStoreException failure) {
        Optional<FailureCategory> category = failure.category();
        return switch (failure) {
            case RefusedInputException refused -> Meaning.INPUT;
            case StoreTimeoutException late -> Meaning.BUSY;
            case StoreUnavailableException unavailable
            when category.filter(FailureCategory::isLoss).isPresent() -> Meaning.AWAY;
            case StoreUnavailableException unavailable
            when category.filter(FailureCategory::isMistake).isPresent() -> Meaning.BUG;
            case StoreUnavailableException unavailable -> Meaning.BUSY;
            default -> throw new AssertionError(failure);
        };
    }

    @ParameterizedTest
    @CsvSource({
        // cannot connect, connection lost, shutting down, starting, read-only, no state: the connection broke
        "08001, AWAY",
        "08006, AWAY",
        "57P01, AWAY",
        "57P03, AWAY",
        "25006, AWAY",
        "     , AWAY",
        // cancelled by a time-out, lock time-out, serialization failure, deadlock, memory, disk, connections, disk
        // error
        "57014, BUSY",
        "55P03, BUSY",
        "40001, BUSY",
        "40P01, BUSY",
        "53200, BUSY",
        "53100, BUSY",
        "53300, BUSY",
        "58030, BUSY",
        // bytes and characters that the encoding lacks, numbers and times out of range, unreadable text
        "22021, INPUT",
        "22P05, INPUT",
        "22003, INPUT",
        "22008, INPUT",
        "22P02, INPUT",
        // syntax, undefined table and function, no privilege, not supported, division by zero, internal error
        "42601, BUG",
        "42P01, BUG",
        "42883, BUG",
        "42501, BUG",
        "0A000, BUG",
        "22012, BUG",
        "XX000, BUG"
    })
    void a_failed_read_has_the_meaning_of_its_sqlstate(String state, Meaning meaning) {
        SQLException failure = new SQLException("failed", state);

        assertThat(meaning(Failures.read(failure))).isEqualTo(meaning);
        assertThat(meaning(Failures.check(failure, Duration.ofSeconds(1)))).isEqualTo(meaning);
    }

    @Test
    void a_pool_without_a_free_connection_is_busy_and_one_that_cannot_connect_is_away() {
        SQLException refused = new SQLException("refused", "08001");
        SQLException none = new SQLTransientConnectionException("no connection");

        assertThat(meaning(Failures.noConnection(none, Optional.empty()))).isEqualTo(Meaning.BUSY);
        assertThat(meaning(Failures.noConnection(none, Optional.of(refused)))).isEqualTo(Meaning.AWAY);
    }

    @Test
    void a_server_that_accepts_no_more_connections_can_be_reached() {
        SQLException full = new SQLException("too many clients", "53300");

        for (EventStoreException failure : new EventStoreException[] {
            Failures.connect(full),
            Failures.noConnection(new SQLTransientConnectionException("no connection"), Optional.of(full))
        }) {
            assertThat(meaning(failure)).isEqualTo(Meaning.BUSY);
            assertThat(failure).hasMessage("The event store's database accepts no more connections");
        }
    }

    /* Repeated without a key, an append whose outcome is unknown could be stored twice. */
    @ParameterizedTest
    @CsvSource({
        "     , OutcomeUnknownException",
        "''   , OutcomeUnknownException",
        "08006, OutcomeUnknownException",
        "57P01, OutcomeUnknownException",
        "40003, OutcomeUnknownException",
        "40001, StoreUnavailableException",
        "53100, StoreUnavailableException",
        "23505, StoreUnavailableException",
        "22021, RefusedInputException",
        "57014, StoreTimeoutException",
        "55P03, StoreTimeoutException"
    })
    void only_an_error_of_the_server_proves_that_an_append_did_not_commit(String state, String exception) {
        assertThat(Failures.append(new SQLException("an error", state))
                        .getClass()
                        .getSimpleName())
                .isEqualTo(exception);
    }
}
