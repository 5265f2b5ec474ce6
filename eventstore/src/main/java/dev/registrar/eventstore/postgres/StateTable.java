package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.StateStore;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagsAdded;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import java.sql.PreparedStatement;
import java.util.Optional;
import java.util.UUID;

/** The table of stored states. */
final class StateTable implements StateStore {
    private final Database database;
    private final String lookup;
    private final String upsert;
    private final String deletion;

    StateTable(Database database, String schema) {
        this.database = database;
        this.lookup = """
                select
                    stored.position,
                    stored.incarnation,
                    stored.last_event_id,
                    stored.events,
                    stored.state,
                    (select coalesce(max(erasure.number), 0) from ${schema}.erasures erasure)
                from ${schema}.stored_states stored
                join ${schema}.store on store.incarnation = stored.incarnation
                join ${schema}.events on events.position = stored.position and events.id = stored.last_event_id
                where stored.key = ?
                and stored.version = ?
                and not exists (
                    select
                    from ${schema}.tag_additions addition
                    where addition.position > stored.position
                    and addition.first_event <= stored.position
                    and addition.tag = any (?)
                )""".replace("${schema}", schema);
        this.upsert = """
                insert into ${schema}.stored_states as stored
                    (key, version, position, incarnation, last_event_id, events, state)
                select ?, ?, ?, ?, ?, ?, ?
                where ? = (select coalesce(max(erasure.number), 0) from ${schema}.erasures erasure)
                on conflict (key) do update
                set version = excluded.version,
                    position = excluded.position,
                    incarnation = excluded.incarnation,
                    last_event_id = excluded.last_event_id,
                    events = excluded.events,
                    state = excluded.state,
                    stored_at = excluded.stored_at
                where stored.version <> excluded.version
                or stored.incarnation <> excluded.incarnation
                or stored.position < excluded.position
                or not exists (
                    select
                    from ${schema}.events
                    where events.position = stored.position
                    and events.id = stored.last_event_id
                )""".replace("${schema}", schema);
        this.deletion = "delete from ${schema}.stored_states".replace("${schema}", schema);
    }

    @Override
    public Optional<StoredState> storedState(String key, String version, Query query) {
        String[] tags = TagsAdded.tagsOf(query).stream().map(Tag::value).toArray(String[]::new);
        return database.run(
                lookup,
                statement -> new Parameters(statement)
                        .add(key)
                        .add(version)
                        .add(tags)
                        .first(row -> new StoredState(
                                key,
                                version,
                                new Head(
                                        Position.of(row.getLong(1)),
                                        row.getObject(2, UUID.class),
                                        row.getObject(3, UUID.class)),
                                row.getLong(4),
                                row.getString(5),
                                row.getLong(6))));
    }

    @Override
    public boolean store(StoredState state) {
        if (state.state().length() > MAX_STATE_LENGTH) {
            throw new RefusedInputException(
                    "The text of a stored state has at most %s characters but that of '%s' has %s"
                            .formatted(
                                    MAX_STATE_LENGTH, state.key(), state.state().length()));
        }
        return database.run(upsert, statement -> {
            new Parameters(statement)
                    .add(state.key())
                    .add(state.version())
                    .add(state.head().position().value())
                    .add(state.head().incarnation())
                    .add(state.head().lastEventId())
                    .add(state.events())
                    .add(state.state())
                    .add(state.erasures());
            return statement.executeUpdate() > 0;
        });
    }

    @Override
    public int deleteStoredStates() {
        return database.run(deletion, PreparedStatement::executeUpdate);
    }
}
