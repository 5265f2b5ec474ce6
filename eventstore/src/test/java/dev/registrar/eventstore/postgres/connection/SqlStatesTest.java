package dev.registrar.eventstore.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.FailureCategory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SqlStatesTest {

    @ParameterizedTest
    @CsvSource({
        // no state at all: the connection broke
        "     , CONNECTION",
        // could not connect, failed, does not exist, protocol violation
        "08001, CONNECTION",
        "08006, CONNECTION",
        "08003, CONNECTION",
        "08P01, CONNECTION",
        // read-only transaction: the server is a standby or is configured to refuse writes; database dropped
        "25006, CONNECTION",
        "57P04, CONNECTION",
        // admin shutdown, crash shutdown, cannot connect now
        "57P01, TRANSIENT",
        "57P02, TRANSIENT",
        "57P03, TRANSIENT",
        // query cancelled, idle session, idle in transaction, transaction
        "57014, TIMEOUT",
        "57P05, TIMEOUT",
        "25P03, TIMEOUT",
        "25P04, TIMEOUT",
        // lock not available, and the others of its class
        "55P03, LOCK_TIMEOUT",
        "55006, UNKNOWN",
        // serialization failure, deadlock, and the others of their class
        "40001, SERIALIZATION",
        "40P01, DEADLOCK",
        "40003, UNKNOWN",
        // invalid text representation, unique violation, check violation
        "22P02, CONSTRAINT",
        "23505, CONSTRAINT",
        "23514, CONSTRAINT",
        // syntax error, undefined table, insufficient privilege, not supported
        "42601, SYNTAX",
        "42P01, SYNTAX",
        "42501, SYNTAX",
        "0A000, SYNTAX",
        // disk full, out of memory, too many connections
        "53100, OUT_OF_RESOURCES",
        "53200, OUT_OF_RESOURCES",
        "53300, OUT_OF_RESOURCES",
        // active transaction, internal error, the store's own states, and an invalid state
        "25001, UNKNOWN",
        "XX000, UNKNOWN",
        "RG001, UNKNOWN",
        "''   , UNKNOWN",
        "0    , UNKNOWN",
        "08   , CONNECTION"
    })
    void every_sqlstate_has_a_category(String state, FailureCategory category) {
        assertThat(SqlStates.category(state)).isEqualTo(category);
    }
}
