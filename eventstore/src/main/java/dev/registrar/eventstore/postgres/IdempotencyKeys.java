package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Parameters;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import java.util.Optional;

/**
 * The idempotency keys of the store and their retention. Keys are recorded and expire by the database's clock, so an
 * instance with a wrong clock cannot expire keys too early or too late.
 */
final class IdempotencyKeys {
    private final Database database;
    private final Duration retention;
    private final String lookup;
    private final String expiry;
    private final String page;

    IdempotencyKeys(Database database, StoreOptions settings) {
        this.database = database;
        this.retention = settings.idempotencyRetention();
        // The row lock is a write, so the commit waits for synchronous standbys, like the commit of the append did.
        this.lookup = """
                select fingerprint, first_position, last_position
                from %s.idempotency_keys
                where key = ?
                and recorded_at > now() - cast(? as interval)
                for key share""".formatted(settings.schema());
        this.expiry = """
                with expired as (
                    select key
                    from %s.idempotency_keys
                    where recorded_at <= now() - cast(? as interval)
                    order by recorded_at
                    limit ?
                    for update skip locked
                )
                delete from %s.idempotency_keys
                using expired
                where idempotency_keys.key = expired.key""".formatted(settings.schema(), settings.schema());
        this.page = """
                select key, fingerprint, first_position, last_position, recorded_at
                from %s.idempotency_keys
                where key > ?
                and last_position <= ?
                order by key
                limit ?""".formatted(settings.schema());
    }

    /** The positions appended with a key; empty if the key is unknown or expired. */
    Optional<Appended> find(IdempotencyKey key) {
        return database.run(lookup, statement -> {
            Optional<Appended> found = new Parameters(statement)
                    .add(key.value())
                    .add(retention)
                    .first(row -> {
                        if (!row.getString(1).equals(key.fingerprint())) {
                            throw new IdempotencyKeyReusedException(key);
                        }
                        return new Appended(Position.of(row.getLong(2)), Position.of(row.getLong(3)), true);
                    });
            database.warnings().check(statement.getWarnings());
            return found;
        });
    }

    /** The next keys in their own order, of appends up to a position. */
    List<StoredKey> after(String key, Position upTo, int most) {
        return database.run(
                page,
                statement -> new Parameters(statement)
                        .add(key)
                        .add(upTo.value())
                        .add(most)
                        .all(row -> new StoredKey(
                                row.getString(1),
                                row.getString(2),
                                Position.of(row.getLong(3)),
                                Position.of(row.getLong(4)),
                                row.getObject(5, OffsetDateTime.class).toInstant())));
    }

    /** Deletes expired keys, at most the given number, and returns how many it has deleted. */
    int forget(int most) {
        return database.run(expiry, statement -> {
            new Parameters(statement).add(retention).add(most);
            return statement.executeUpdate();
        });
    }
}
