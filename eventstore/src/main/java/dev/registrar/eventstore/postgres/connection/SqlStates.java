package dev.registrar.eventstore.postgres.connection;

import dev.registrar.eventstore.FailureCategory;
import org.jspecify.annotations.Nullable;

/** The failure category of each SQLSTATE (PostgreSQL documentation, appendix A). */
final class SqlStates {

    /**
     * The category of an SQLSTATE.
     *
     * @param state five characters, or fewer for errors of the driver; null if the connection broke
     */
    static FailureCategory category(@Nullable String state) {
        if (state == null) {
            return FailureCategory.CONNECTION;
        }
        return switch (state) {
            // The server is read-only, such as a standby after a failover, or the database was dropped.
            case "25006", "57P04" -> FailureCategory.CONNECTION;
            case "57P01", "57P02", "57P03" -> FailureCategory.TRANSIENT;
            case "57014", "57P05", "25P03", "25P04" -> FailureCategory.TIMEOUT;
            case "55P03" -> FailureCategory.LOCK_TIMEOUT;
            case "40001" -> FailureCategory.SERIALIZATION;
            case "40P01" -> FailureCategory.DEADLOCK;
            default ->
                switch (state.substring(0, Math.min(2, state.length()))) {
                    case "08" -> FailureCategory.CONNECTION;
                    case "22", "23" -> FailureCategory.CONSTRAINT;
                    case "42", "0A" -> FailureCategory.SYNTAX;
                    case "53", "58" -> FailureCategory.OUT_OF_RESOURCES;
                    default -> FailureCategory.UNKNOWN;
                };
        };
    }

    private SqlStates() {}
}
