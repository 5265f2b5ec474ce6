package dev.registrar.eventstore.postgres.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailuresTest {

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
