package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.Position;
import java.time.Instant;

/**
 * An idempotency key as the store keeps it.
 *
 * @param first the position of the first event that was appended under it
 * @param last the position of the last one
 */
public record StoredKey(String key, String fingerprint, Position first, Position last, Instant recordedAt) {}
