package dev.registrar.eventstore;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;

/**
 * A caller's name for one append, under which it can safely be sent again.
 *
 * @param value chosen by the caller; unique for each append
 * @param fingerprint a digest of what the append means: the same key with another fingerprint is refused
 */
public record IdempotencyKey(String value, String fingerprint) {
    public IdempotencyKey {
        if (value.isBlank()) {
            throw new RefusedInputException("An idempotency key is not blank");
        }
        if (fingerprint.isEmpty()) {
            throw new RefusedInputException("The fingerprint of an idempotency key is not empty");
        }
    }

    /** A key bound to these events' types, tags and payloads; their ids, metadata and order of tags may differ. */
    public static IdempotencyKey of(String value, List<Event> events) {
        MessageDigest digest = sha256();
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

    /** A key bound to byte strings and to where each of them ends. */
    public static IdempotencyKey of(String value, byte[]... parts) {
        MessageDigest digest = sha256();
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

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
