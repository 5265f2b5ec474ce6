package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.connection.Database;
import dev.registrar.eventstore.postgres.connection.Failures;
import java.sql.ResultSet;
import java.time.Duration;
import java.util.Optional;

/**
 * The idempotency keys that the store remembers, and how long. Keys are recorded and expire by the database's clock: an
 * instance whose own clock is wrong neither forgets the keys of others too early nor keeps its own too long.
 */
final class IdempotencyKeys {
    private final Database database;
    private final Duration retention;
    private final String lookup;
    private final String expiry;

    IdempotencyKeys(Database database, StoreOptions settings) {
        this.database = database;
        this.retention = settings.idempotencyRetention();
        // The lock is a write: like an append, the answer waits until synchronous standbys have what it repeats.
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
    }

    /** What was appended under a key, if it is remembered. */
    Optional<Appended> find(IdempotencyKey key) {
        return database.run(lookup, statement -> {
            statement.setString(1, key.value());
            statement.setString(2, retention.toString());
            try (ResultSet row = statement.executeQuery()) {
                Failures.requireNoWarning(statement.getWarnings());
                if (!row.next()) {
                    return Optional.empty();
                }
                if (!row.getString(1).equals(key.fingerprint())) {
                    throw new IdempotencyKeyReusedException(key);
                }
                return Optional.of(new Appended(Position.of(row.getLong(2)), Position.of(row.getLong(3)), true));
            }
        });
    }

    /** Deletes so many expired keys at most, and tells how many. */
    int forget(int most) {
        return database.run(expiry, statement -> {
            statement.setString(1, retention.toString());
            statement.setInt(2, most);
            return statement.executeUpdate();
        });
    }
}
