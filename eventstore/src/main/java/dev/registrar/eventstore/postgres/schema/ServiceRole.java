package dev.registrar.eventstore.postgres.schema;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Map;
import java.util.regex.Pattern;
import javax.sql.DataSource;

/** Grants a role that does not own a schema what a service needs to work with its store. */
final class ServiceRole {
    private static final String SCRIPT = "/" + StoreSchema.SERVICE_ROLE;

    /* Whatever the defaults of the owner are: other instances may grant at the same time. */
    private static final String LIMITS = """
            set transaction isolation level read committed;
            set local statement_timeout = 0;
            set local lock_timeout = 0;
            set local transaction_timeout = 0""";

    /** Without the characters that end a name or a text in the script. */
    private static final Pattern NAME = Pattern.compile("[^\"'$\\\\\\p{Cntrl}]{1,63}");

    private static final Map<String, String> ACTIONS = Map.of(
            "DCB04",
            "Let the service connect as a role that has no rights but those that are granted to it.",
            "DCB05",
            "Make the role the owner of these schemas and of their tables.");

    private ServiceRole() {}

    static void grant(DataSource owner, String schema, String role, boolean erasure, boolean retagging) {
        if (!NAME.matcher(role).matches()) {
            throw new IllegalArgumentException(
                    "The name of a role must have 1 to 63 characters, without quotes, backslashes, dollar signs and control characters, but is '%s'"
                            .formatted(role));
        }
        String script = script().replace("${schema}", schema)
                .replace("${role}", role)
                .replace("${erasure}", Boolean.toString(erasure))
                .replace("${retagging}", Boolean.toString(retagging));
        try (Connection connection = owner.getConnection();
                Statement statement = connection.createStatement()) {
            connection.setAutoCommit(false);
            statement.execute(LIMITS);
            statement.execute(script);
            connection.commit();
        } catch (SQLException failure) {
            throw new StoreStartFailure(
                    "The role '%s' is not granted the use of the schema '%s': %s."
                            .formatted(role, schema, failure.getMessage()),
                    ACTIONS.getOrDefault(
                            String.valueOf(failure.getSQLState()),
                            "Grant as the role that owns the schema, to a role that exists."),
                    failure);
        }
    }

    private static String script() {
        try (InputStream file = ServiceRole.class.getResourceAsStream(SCRIPT)) {
            if (file == null) {
                throw new IllegalStateException("The class path has no " + SCRIPT);
            }
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
