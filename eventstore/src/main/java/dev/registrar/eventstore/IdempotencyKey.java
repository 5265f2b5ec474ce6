package dev.registrar.eventstore;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;

/**
 * A caller's key for one append, which makes it safe to send the append again.
 *
 * @param value the key, chosen by the caller; unique for each append
 * @param fingerprint a digest of the request; the same key with another fingerprint is refused
 */
public record IdempotencyKey(String value, String fingerprint) {
    public IdempotencyKey {
        if (value.isBlank()) {
            throw new RefusedInputException("An idempotency key must not be blank");
        }
        if (fingerprint.isEmpty()) {
            throw new RefusedInputException("The fingerprint of an idempotency key must not be empty");
        }
    }

    /**
     * A key whose fingerprint covers the types, tags and payloads of the events, but not their ids, metadata and order
     * of tags.
     */
    public static IdempotencyKey of(String value, List<Event> events) {
        MessageDigest digest = Sha256.digest();
        for (Event event : events) {
            update(digest, event.type());
            digest.update(ByteBuffer.allocate(Integer.BYTES)
                    .putInt(event.tags().size())
                    .flip());
            event.tags().stream().map(Tag::value).sorted().forEach(tag -> update(digest, tag));
            update(digest, event.payload());
        }
        return new IdempotencyKey(value, HexFormat.of().formatHex(digest.digest()));
    }

    /** A key whose fingerprint covers byte strings and their lengths. */
    public static IdempotencyKey of(String value, byte[]... parts) {
        MessageDigest digest = Sha256.digest();
        for (byte[] part : parts) {
            update(digest, part);
        }
        return new IdempotencyKey(value, HexFormat.of().formatHex(digest.digest()));
    }

    private static void update(MessageDigest digest, String text) {
        update(digest, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void update(MessageDigest digest, byte[] bytes) {
        digest.update(ByteBuffer.allocate(Integer.BYTES).putInt(bytes.length).flip());
        digest.update(bytes);
    }
}
