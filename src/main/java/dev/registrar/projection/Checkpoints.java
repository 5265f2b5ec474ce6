package dev.registrar.projection;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.Checkpoint.Failure;
import dev.registrar.projection.Checkpoint.State;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;

/** The table of checkpoints, which all instances share, and the schemas of the views' tables. */
final class Checkpoints {
    /** The longest name of a schema. */
    private static final int LONGEST_NAME = 63;

    /** Characters of a message that are kept. */
    private static final int LONGEST_MESSAGE = 1_000;

    private static final String NEXT = "-next";

    private final String schema;

    /** The checkpoints beside a store. */
    Checkpoints(String schema) {
        this.schema = schema;
    }

    /** The schema of a follower's tables, in one build of them. */
    String schema(String name, Generation build) {
        if (name.endsWith(NEXT)) {
            throw new IllegalArgumentException(
                    "'%s' is how the next build of another projection would be called".formatted(name));
        }
        String own = "%s_%s%s".formatted(schema, name.replace('-', '_'), build == Generation.LIVE ? "" : "_next");
        if (own.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "The schema's name %s has more than %d characters: a shorter".formatted(own, LONGEST_NAME)
                            + " registrar.store.schema is needed");
        }
        return own;
    }

    /** The statements that belong to a connection's transaction. */
    static JdbcClient on(Connection connection) {
        return JdbcClient.create(new SingleConnectionDataSource(connection, true));
    }

    /** What is known of all followers. */
    List<Checkpoint> all(JdbcClient jdbc) {
        return jdbc.sql(select("")).query(Checkpoints::checkpoint).list();
    }

    Optional<Checkpoint> find(JdbcClient jdbc, String name, Generation build) {
        return one(jdbc, "where name = ? and build = ?", name, build);
    }

    /** The same, alone until the end of the transaction; nothing if another instance has it, or there is none. */
    Optional<Checkpoint> lockIfFree(JdbcClient jdbc, String name, Generation build) {
        return one(jdbc, "where name = ? and build = ? for update skip locked", name, build);
    }

    /** The same, once nobody else has it. */
    Optional<Checkpoint> lock(JdbcClient jdbc, String name, Generation build) {
        return one(jdbc, "where name = ? and build = ? for update", name, build);
    }

    private Optional<Checkpoint> one(JdbcClient jdbc, String which, String name, Generation build) {
        return jdbc.sql(select(which))
                .params(name, build.text())
                .query(Checkpoints::checkpoint)
                .optional();
    }

    private String select(String which) {
        return """
                select name, build, version, incarnation, position, last_event_id, state, events, skipped,
                    started_at, moved_at, error, error_position, failed_at
                from %s.projections
                %s""".formatted(schema, which);
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
                                instant(row, "failed_at")));
    }

    private static Instant instant(ResultSet row, String column) throws SQLException {
        return row.getObject(column, OffsetDateTime.class).toInstant();
    }

    /** Adds a checkpoint; false if there is one already. Waits for another instance that is adding it. */
    boolean add(JdbcClient jdbc, Follower follower, Generation build, Head at) {
        return jdbc.sql("""
                        insert into %s.projections (name, build, version, incarnation, position, last_event_id)
                        values (?, ?, ?, ?, ?, ?)
                        on conflict do nothing""".formatted(schema))
                        .param(follower.name())
                        .param(build.text())
                        .param(follower.version())
                        .param(at.incarnation())
                        .param(at.position().value())
                        .param(at.lastEventId())
                        .update()
                == 1;
    }

    /**
     * Moves a checkpoint whose lock is held.
     *
     * @throws IllegalStateException if it was not where it was expected
     */
    void move(JdbcClient jdbc, Checkpoint from, Head to, int events, int skipped) {
        int moved = jdbc.sql("""
                        update %s.projections
                        set position = ?, last_event_id = ?, events = events + ?, skipped = skipped + ?, moved_at = now(),
                            error = null, error_position = null, failed_at = null
                        where name = ? and build = ? and version = ? and incarnation = ? and position = ?""".formatted(schema))
                .param(to.position().value())
                .param(to.lastEventId())
                .param(events)
                .param(skipped)
                .param(from.name())
                .param(from.build().text())
                .param(from.version())
                .param(from.incarnation())
                .param(from.position().value())
                .update();
        if (moved != 1) {
            throw new IllegalStateException(
                    "The checkpoint of %s is not at %s".formatted(from.name(), from.position()));
        }
    }

    /** Sets a checkpoint whose lock is held to a head of the store, as if it had just been added. */
    void startAt(JdbcClient jdbc, Checkpoint checkpoint, Head head) {
        jdbc.sql("delete from %s.projection_skips where name = ? and build = ?".formatted(schema))
                .params(checkpoint.name(), checkpoint.build().text())
                .update();
        jdbc.sql("""
                        update %s.projections
                        set incarnation = ?, position = ?, last_event_id = ?,
                            state = case state when 'paused' then state else 'running' end, events = 0, skipped = 0,
                            started_at = now(), moved_at = now(), error = null, error_position = null,
                            failed_at = null
                        where name = ? and build = ?""".formatted(schema))
                .param(head.incarnation())
                .param(head.position().value())
                .param(head.lastEventId())
                .param(checkpoint.name())
                .param(checkpoint.build().text())
                .update();
    }

    /** Says whether the builds of a follower, whose locks are held, are to go on. */
    void setState(JdbcClient jdbc, String name, State state) {
        jdbc.sql("update %s.projections set state = ? where name = ?".formatted(schema))
                .params(state.text(), name)
                .update();
    }

    /** Notes what went wrong, in a checkpoint that has not moved since. */
    void fail(JdbcClient jdbc, Checkpoint checkpoint, State state, String message, @Nullable Position position) {
        jdbc.sql("""
                        update %s.projections
                        set state = case state when 'running' then ? else state end, error = ?, error_position = ?::bigint,
                            failed_at = now()
                        where name = ? and build = ? and version = ? and incarnation = ? and position = ?""".formatted(schema))
                .param(state.text())
                .param(storable(message))
                .param(position == null ? null : position.value())
                .param(checkpoint.name())
                .param(checkpoint.build().text())
                .param(checkpoint.version())
                .param(checkpoint.incarnation())
                .param(checkpoint.position().value())
                .update();
    }

    /** Records events that are left out. */
    void skip(JdbcClient jdbc, Checkpoint checkpoint, List<Skip> skips) {
        jdbc.sql("""
                        insert into %s.projection_skips (name, build, position, error, skipped_by, skipped_at)
                        select ?, ?, given.position, given.error, given.skipped_by, given.skipped_at
                        from unnest(?::bigint[], ?::text[], ?::text[], ?::timestamptz[])
                            given (position, error, skipped_by, skipped_at)""".formatted(schema))
                .param(checkpoint.name())
                .param(checkpoint.build().text())
                .param(skips.stream().mapToLong(skip -> skip.position().value()).toArray())
                .param(skips.stream().map(skip -> storable(skip.reason())).toArray(String[]::new))
                .param(skips.stream().map(skip -> skip.by().text()).toArray(String[]::new))
                .param(skips.stream().map(skip -> skip.at().toString()).toArray(String[]::new))
                .update();
    }

    /** The events that a build has left out last, the last one first. */
    List<Skip> skips(JdbcClient jdbc, Checkpoint checkpoint, int most) {
        return jdbc.sql("""
                        select position, error, skipped_by, skipped_at
                        from %s.projection_skips
                        where name = ?
                        and build = ?
                        order by position desc
                        limit ?""".formatted(schema))
                .params(checkpoint.name(), checkpoint.build().text(), most)
                .query((row, number) -> new Skip(
                        Position.of(row.getLong("position")),
                        Skip.By.of(row.getString("skipped_by")),
                        row.getString("error"),
                        instant(row, "skipped_at")))
                .list();
    }

    /* A message may repeat what an event holds, with a character that PostgreSQL's text cannot hold. */
    private static String storable(String message) {
        String start = message.codePointCount(0, message.length()) <= LONGEST_MESSAGE
                ? message
                : message.substring(0, message.offsetByCodePoints(0, LONGEST_MESSAGE));
        return start.replace('\0', '\uFFFD');
    }

    /** Lets a build that has stopped go on, whose lock is held. */
    void goOn(JdbcClient jdbc, Checkpoint checkpoint) {
        jdbc.sql("update %s.projections set state = ? where name = ? and build = ?".formatted(schema))
                .params(
                        State.RUNNING.text(),
                        checkpoint.name(),
                        checkpoint.build().text())
                .update();
    }

    /**
     * Makes the tables of a build, empty; those that are read have all indexes from the start. A schema of that name
     * that is there already is left alone: it fails.
     */
    void createTables(JdbcClient jdbc, View view, Generation build) {
        Tables tables = tables(jdbc, view.name(), build);
        jdbc.sql("create schema " + tables.schema()).update();
        view.create(tables);
        if (build == Generation.LIVE) {
            view.index(tables);
        }
    }

    void dropTables(JdbcClient jdbc, String name, Generation build) {
        jdbc.sql("drop schema if exists %s cascade".formatted(schema(name, build)))
                .update();
    }

    Tables tables(JdbcClient jdbc, String name, Generation build) {
        return new Tables(jdbc, schema(name, build));
    }

    void remove(JdbcClient jdbc, String name, Generation build) {
        jdbc.sql("delete from %s.projections where name = ? and build = ?".formatted(schema))
                .params(name, build.text())
                .update();
    }

    /** Puts the next build in the live one's place. Both locks are held. */
    void promote(JdbcClient jdbc, String name) {
        dropTables(jdbc, name, Generation.LIVE);
        jdbc.sql("alter schema %s rename to %s".formatted(schema(name, Generation.NEXT), schema(name, Generation.LIVE)))
                .update();
        remove(jdbc, name, Generation.LIVE);
        jdbc.sql("update %s.projections set build = 'live' where name = ? and build = 'next'".formatted(schema))
                .params(name)
                .update();
    }
}
