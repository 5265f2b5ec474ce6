package dev.registrar.eventstore.postgres;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;

/**
 * The advisory lock keys of named resources, in PostgreSQL's key space of one bigint. A key is the first 8 bytes of the
 * SHA-256 of the store's schema and the name. If two names have the same key, their appends only wait for each other.
 */
final class ResourceLockKeys {
    private final String schema;

    ResourceLockKeys(String schema) {
        this.schema = schema;
    }

    /** The distinct keys of the names, in ascending order. */
    long[] keys(Collection<String> names) {
        return names.stream().mapToLong(this::key).sorted().distinct().toArray();
    }

    private long key(String name) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(schema.getBytes(StandardCharsets.UTF_8));
            digest.update((byte) 0);
            digest.update(name.getBytes(StandardCharsets.UTF_8));
            return ByteBuffer.wrap(digest.digest()).getLong();
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
