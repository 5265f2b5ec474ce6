package dev.registrar.projection;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.PreparedStatementCreator;
import org.springframework.jdbc.core.PreparedStatementSetter;
import org.springframework.jdbc.core.ResultSetExtractor;
import org.springframework.jdbc.core.RowMapper;
import org.springframework.jdbc.core.RowMapperResultSetExtractor;
import org.springframework.jdbc.core.simple.JdbcClient;

/** One look-up in the live tables of a view. Each query reads the view's checkpoint in its own round trip. */
final class LookUp extends JdbcTemplate {
    /*
     * Three statements travel together: the checkpoint, the rows, the checkpoint. The rows belong to the position that
     * was read before them, or to a later one, unless the view was restarted in between. The second read of the
     * checkpoint detects that. A look-up of several queries lasts from the first read of the first one to the second
     * read of the last one.
     */
    /** Maximum time of a query. */
    static final int LONGEST_QUERY_SECONDS = 10;

    private final String checkpoint;
    private @Nullable Mark first;
    private @Nullable Mark last;

    /** What a look-up needs of a checkpoint. */
    record Mark(Position position, UUID incarnation, Instant startedAt, State state) {}

    /** @param checkpoint selects the checkpoint of the view, without parameters */
    LookUp(DataSource connections, String checkpoint) {
        super(connections);
        this.checkpoint = checkpoint;
        setQueryTimeout(LONGEST_QUERY_SECONDS);
    }

    /** The tables in a schema. */
    Tables tables(String schema) {
        return behind(checkpoint, schema);
    }

    /**
     * The tables in a schema, for statements with settings of their own.
     *
     * @param settings calls of {@code set_config}, which the first read of the checkpoint selects, too
     */
    Tables tables(String schema, String settings) {
        return behind("select own.*, %s from (%s) own".formatted(settings, checkpoint), schema);
    }

    private Tables behind(String first, String schema) {
        return new Tables(JdbcClient.create(this), schema, first + ";\n", "\n;\n" + checkpoint);
    }

    /** The checkpoint before the rows; empty if the view was restarted since, or has no checkpoint. */
    Optional<Mark> checkpoint() {
        if (last == null) {
            // The look-up had no query.
            tables("").sql("select").query(row -> {});
        }
        Mark before = first;
        Mark behind = last;
        return before == null
                        || behind == null
                        || !before.startedAt().equals(behind.startedAt())
                        || before.position().isAfter(behind.position())
                ? Optional.empty()
                : Optional.of(before);
    }

    @Override
    public <T extends @Nullable Object> T query(
            PreparedStatementCreator creator,
            @Nullable PreparedStatementSetter parameters,
            ResultSetExtractor<T> rows) {
        return execute(creator, statement -> {
            if (parameters != null) {
                parameters.setValues(statement);
            }
            statement.execute();
            Mark before = mark(statement);
            T found;
            statement.getMoreResults();
            try (ResultSet results = statement.getResultSet()) {
                found = rows.extractData(results);
            }
            statement.getMoreResults();
            last = mark(statement);
            first = first == null ? before : first;
            return found;
        });
    }

    /* A stream would read the checkpoint as its first row. */
    @Override
    public <T extends @Nullable Object> Stream<T> queryForStream(
            PreparedStatementCreator creator, @Nullable PreparedStatementSetter parameters, RowMapper<T> mapper) {
        return query(creator, parameters, new RowMapperResultSetExtractor<>(mapper)).stream();
    }

    private static @Nullable Mark mark(PreparedStatement statement) throws SQLException {
        try (ResultSet row = statement.getResultSet()) {
            return row.next()
                    ? new Mark(
                            Position.of(row.getLong(1)),
                            row.getObject(2, UUID.class),
                            row.getObject(3, OffsetDateTime.class).toInstant(),
                            State.of(row.getString(4)))
                    : null;
        }
    }
}
