package dev.registrar.projection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.FailureCategory;
import dev.registrar.eventstore.OutcomeUnknownException;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StoreTimeoutException;
import dev.registrar.eventstore.StoreUnavailableException;
import java.net.SocketTimeoutException;
import java.sql.SQLException;
import java.sql.SQLTransientConnectionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;

/** Which failures are repeated, and which stop a follower. */
class OutagesTest {
    @ParameterizedTest
    @CsvSource({
        "08006, true, false",
        "57P01, true, false",
        "57014, true, true",
        "25P03, true, true",
        "25P04, true, true",
        "25006, true, false",
        "40001, true, false",
        "40P01, true, false",
        "53300, true, false",
        "55P03, true, false",
        "58030, true, false",
        "54000, false, false",
        "55006, false, false",
        "23505, false, false",
        "22001, false, false",
        "42501, false, false",
        "42P01, false, false",
        "0A000, false, false"
    })
    void the_sqlstate_decides(String state, boolean isOutage, boolean isTimeout) {
        SQLException failure = new SQLException("no", state);
        Throwable translated = new SQLStateSQLExceptionTranslator().translate("task", null, failure);
        Throwable atCommit = new DataAccessResourceFailureException("The commit failed", failure);

        for (Throwable each : new Throwable[] {failure, translated == null ? failure : translated, atCommit}) {
            assertThat(Outages.isOutage(each)).isEqualTo(isOutage);
            assertThat(Outages.isTimeout(each)).isEqualTo(isTimeout);
        }
    }

    /* With fewer events, a wait for a connection would not be shorter. */
    @Test
    void only_a_statement_that_took_too_long_is_a_timeout() {
        assertThat(Outages.isTimeout(new StoreTimeoutException("late", null, FailureCategory.TIMEOUT)))
                .isTrue();
        assertThat(Outages.isTimeout(
                        new DataAccessResourceFailureException("silent", new SocketTimeoutException("silent"))))
                .isTrue();
        assertThat(Outages.isTimeout(new StoreTimeoutException("busy", null, FailureCategory.OUT_OF_RESOURCES)))
                .isFalse();
    }

    @Test
    void without_an_sqlstate_the_type_decides() {
        assertThat(Outages.isOutage(new DataAccessResourceFailureException("gone")))
                .isTrue();
        assertThat(Outages.isOutage(new OverloadedException("busy"))).isTrue();
        assertThat(Outages.isOutage(new StoreUnavailableException("away"))).isTrue();
        assertThat(Outages.isOutage(new OutcomeUnknownException("lost", null, FailureCategory.UNKNOWN)))
                .isTrue();
        assertThat(Outages.isOutage(new SQLTransientConnectionException("password rejected", "28P01")))
                .isTrue();

        assertThat(Outages.isOutage(new StoreUnavailableException(
                        "no privilege", new SQLException("no", "42501"), FailureCategory.SYNTAX)))
                .isFalse();
        assertThat(Outages.isOutage(new RefusedInputException("too long"))).isFalse();
        assertThat(Outages.isOutage(new DataIntegrityViolationException("no"))).isFalse();
        assertThat(Outages.isOutage(new IllegalStateException("no"))).isFalse();
        assertThat(Outages.isOutage(new NoClassDefFoundError("gone/Missing"))).isFalse();
    }
}
