package dev.registrar.eventstore.postgres.read;

import dev.registrar.eventstore.Head;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.Collection;

/** Heads to check, as the first two parameters of a statement. */
final class HeadsParameter {
    private HeadsParameter() {}

    static void bind(PreparedStatement statement, Collection<Head> heads) throws SQLException {
        Connection connection = statement.getConnection();
        statement.setArray(
                1,
                connection.createArrayOf(
                        "bigint",
                        heads.stream().map(head -> head.position().value()).toArray()));
        statement.setArray(
                2,
                connection.createArrayOf(
                        "uuid", heads.stream().map(Head::lastEventId).toArray()));
    }
}
