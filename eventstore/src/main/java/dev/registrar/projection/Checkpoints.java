package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.State;
import dev.registrar.projection.ProjectionStatus.Failure;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The table of checkpoints, which all instances share. */
final class Checkpoints {
    /** Characters of a message that are kept. */
    private static final int LONGEST_MESSAGE = 1_000;

    private final DataSource connections;
    private final String schema;
    private final JdbcClient lookUps;

    /** All checkpoints at one time. */
    record Known(List<Checkpoint> all) {
        Optional<Checkpoint> of(Follower follower, Generation generation) {
            return all.stream()
                    .filter(each -> each.name().equals(follower.name()) && each.generation() == generation)
                    .findAny();
        }
    }

    /** The checkpoints in the schema of a store. */
    Checkpoints(DataSource connections, String schema) {
        this.connections = connections;
        this.schema = schema;
        JdbcTemplate withinTime = new JdbcTemplate(connections);
        withinTime.setQueryTimeout(LookUp.LONGEST_QUERY_SECONDS);
        this.lookUps = JdbcClient.create(withinTime);
    }

    /** A client for look-ups, whose time is bounded. */
    JdbcClient lookUps() {
        return lookUps;
    }

    /** The schema of the store. */
    String schema() {
        return schema;
    }

    /** A client whose statements belong to a connection's transaction. */
    static JdbcClient on(Connection connection) {
        return JdbcClient.create(new SingleConnectionDataSource(connection, true));
    }

    /** The checkpoints of all followers. */
    Known known() {
        return new Known(lookUps.sql(select("")).query(Checkpoints::checkpoint).list());
    }

    Optional<Checkpoint> find(String name, Generation generation) {
        return one(lookUps, "where name = ? and build = ?", name, generation);
    }

    /** A look-up in the live tables of a view; its name matches {@link Follower#NAME}. */
    LookUp lookUp(String name) {
        return new LookUp(connections, """
                select position, incarnation, started_at, state
                from %s.projections
                where name = '%s' and build = 'live'""".formatted(schema, name));
    }

    /** A checkpoint, locked until the end of the transaction; empty if another instance holds it, or there is none. */
    Optional<Checkpoint> lockIfFree(JdbcClient jdbc, String name, Generation generation) {
        return one(jdbc, "where name = ? and build = ? for update skip locked", name, generation);
    }

    /** A checkpoint, locked until the end of the transaction; waits for another instance that holds it. */
    Optional<Checkpoint> lock(JdbcClient jdbc, String name, Generation generation) {
        return one(jdbc, "where name = ? and build = ? for update", name, generation);
    }

    private Optional<Checkpoint> one(JdbcClient jdbc, String condition, String name, Generation generation) {
        return jdbc.sql(select(condition))
                .params(name, generation.text())
                .query(Checkpoints::checkpoint)
                .optional();
    }

    private String select(String condition) {
        return """
                select name, build, version, incarnation, position, last_event_id, state, events, skipped,
                    started_at, moved_at, error, error_position, failed_at,
                    lease_until > clock_timestamp() as is_leased,
                    (select max(latest.position) from ${schema}.retaggings latest) as tagged,
                    array(
                        select addition.tag
                        from ${schema}.tag_additions addition
                        where addition.position > coalesce(
                            (
                                select known.position
                                from ${schema}.retaggings known
                                where known.event_id = projections.retagging
                            ),
                            0
                        )
                        and addition.first_event <= projections.position
                    ) as added_tags
                from ${schema}.projections
                """.replace("${schema}", schema) + condition;
    }

    private static Checkpoint checkpoint(ResultSet row, int number) throws SQLException {
        String error = row.getString("error");
        Long errorPosition = row.getObject("error_position", Long.class);
        return new Checkpoint(
                row.getString("name"),
                Generation.of(row.getString("build")),
                row.getInt("version"),
                row.getObject("incarnation", UUID.class),
                Position.of(row.getLong("position")),
                row.getObject("last_event_id", UUID.class),
                State.of(row.getString("state")),
                row.getLong("events"),
                row.getLong("skipped"),
                instant(row, "started_at"),
                instant(row, "moved_at"),
                error == null
                        ? null
                        : new Failure(
                                error,
                                errorPosition == null ? null : Position.of(errorPosition),
                                instant(row, "failed_at")),
                row.getBoolean("is_leased"),
                Position.of(row.getLong("tagged")),
                Set.copyOf(List.of((String[]) row.getArray("added_tags").getArray())));
    }

    /** The event of the last retagging, up to a position. */
    private String lastRetagging(String condition) {
        return """
                (
                    select latest.event_id
                    from %s.retaggings latest
                    %s
                    order by latest.position desc
                    limit 1
                )""".formatted(schema, condition);
    }

    static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** Adds a checkpoint; false if there is one already. Waits for another instance that is adding it. */
    boolean add(JdbcClient jdbc, Follower follower, Generation generation, Head at) {
        return jdbc.sql("""
                        insert into %s.projections
                            (name, build, version, incarnation, position, last_event_id, retagging)
                        values (?, ?, ?, ?, ?, ?, %s)
                        on conflict do nothing""".formatted(schema, lastRetagging("")))
                        .param(follower.name())
                        .param(generation.text())
                        .param(follower.version())
                        .param(at.incarnation())
                        .param(at.position().value())
                        .param(at.lastEventId())
                        .update()
                == 1;
    }

    /**
     * Moves a checkpoint whose lock is held, clears its failure, and resumes it if it had stopped.
     *
     * @throws IllegalStateException if it is not at the position expected
     */
    void move(JdbcClient jdbc, Checkpoint from, Head to, int events, int skipped) {
        if (!move(jdbc, from, to, events, skipped, null)) {
            throw new IllegalStateException(
                    "The checkpoint of %s is not at %s".formatted(from.name(), from.position()));
        }
    }

    /** Moves a checkpoint behind events, and ends its lease; false if the lease or the position is another one. */
    boolean moveLeased(JdbcClient jdbc, Checkpoint from, Head to, int events, UUID holder) {
        return move(jdbc, from, to, events, 0, holder);
    }

    private boolean move(JdbcClient jdbc, Checkpoint from, Head to, int events, int skipped, @Nullable UUID holder) {
        int moved = jdbc.sql("""
                        update %s.projections
                        set position = ?, last_event_id = ?, events = events + ?, skipped = skipped + ?, moved_at = now(),
                            state = case state when 'stopped' then 'running' else state end, error = null,
                            error_position = null, failed_at = null, lease_holder = null, lease_until = null,
                            retagging = %s
                        where name = ? and build = ? and version = ? and incarnation = ? and position = ?
                        and (lease_holder = ?::uuid or ?::uuid is null)""".formatted(schema, lastRetagging("where latest.position <= ?")))
                .param(to.position().value())
                .param(to.lastEventId())
                .param(events)
                .param(skipped)
                .param(from.tagged().value())
                .param(from.name())
                .param(from.generation().text())
                .param(from.version())
                .param(from.incarnation())
                .param(from.position().value())
                .param(holder)
                .param(holder)
                .update();
        return moved == 1;
    }

    /** Restarts a checkpoint whose lock is held at a head of the store. */
    void startAt(JdbcClient jdbc, Checkpoint checkpoint, Head head) {
        jdbc.sql("delete from %s.projection_skips where name = ? and build = ?".formatted(schema))
                .params(checkpoint.name(), checkpoint.generation().text())
                .update();
        jdbc.sql("""
                        update %s.projections
                        set incarnation = ?, position = ?, last_event_id = ?,
                            state = case state when 'paused' then state else 'running' end, events = 0, skipped = 0,
                            started_at = now(), moved_at = now(), error = null, error_position = null,
                            failed_at = null, lease_holder = null, lease_until = null, retagging = %s
                        where name = ? and build = ?""".formatted(schema, lastRetagging("")))
                .param(head.incarnation())
                .param(head.position().value())
                .param(head.lastEventId())
                .param(checkpoint.name())
                .param(checkpoint.generation().text())
                .update();
    }

    /** Sets the state of all generations of a follower; their locks are held. */
    void setState(JdbcClient jdbc, String name, State state) {
        jdbc.sql("update %s.projections set state = ? where name = ?".formatted(schema))
                .params(state.text(), name)
                .update();
    }

    /** Stores a failure in a checkpoint; false if it has moved since, or another instance reacts to the event. */
    boolean fail(JdbcClient jdbc, Checkpoint checkpoint, State state, String message, @Nullable Position position) {
        return jdbc.sql("""
                        update %s.projections
                        set state = case state when 'running' then ? else state end, error = ?, error_position = ?::bigint,
                            failed_at = now()
                        where name = ? and build = ? and version = ? and incarnation = ? and position = ?
                        and coalesce(lease_until <= clock_timestamp(), true)""".formatted(schema))
                        .param(state.text())
                        .param(storable(message))
                        .param(position == null ? null : position.value())
                        .param(checkpoint.name())
                        .param(checkpoint.generation().text())
                        .param(checkpoint.version())
                        .param(checkpoint.incarnation())
                        .param(checkpoint.position().value())
                        .update()
                == 1;
    }

    /* A message may quote an event, with a character that PostgreSQL's text cannot hold. */
    static String storable(String message) {
        String start = message.codePointCount(0, message.length()) <= LONGEST_MESSAGE
                ? message
                : message.substring(0, message.offsetByCodePoints(0, LONGEST_MESSAGE));
        return start.replace('\0', '\uFFFD');
    }

    void remove(JdbcClient jdbc, String name, Generation generation) {
        jdbc.sql("delete from %s.projections where name = ? and build = ?".formatted(schema))
                .params(name, generation.text())
                .update();
    }

    /** Makes the next generation of a view the live one; both locks are held. */
    void promote(JdbcClient jdbc, String name) {
        remove(jdbc, name, Generation.LIVE);
        jdbc.sql("update %s.projections set build = 'live' where name = ? and build = 'next'".formatted(schema))
                .params(name)
                .update();
    }
}
