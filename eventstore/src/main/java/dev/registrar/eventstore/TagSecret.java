package dev.registrar.eventstore;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret under which tags are made from values that must not be guessed, such as e-mail addresses: the tag of a value
 * is its HMAC (SHA-256). Without the secret, which is kept outside the database, no one finds out from a tag whether it
 * is that of a known address, as one could with a plain hash.
 *
 * <p>All instances on a store need the same secret, for ever: under another one, the same value has another tag.
 */
public final class TagSecret {
    /** The minimum length of the text of a secret, in characters. */
    public static final int MIN_LENGTH = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private final SecretKeySpec key;

    private TagSecret(SecretKeySpec key) {
        this.key = key;
    }

    /**
     * The secret of a text.
     *
     * @throws IllegalArgumentException if the text has fewer than {@value #MIN_LENGTH} characters
     */
    public static TagSecret of(String text) {
        if (text.length() < MIN_LENGTH) {
            throw new IllegalArgumentException("A secret of tags must have at least %s characters, but has %s"
                    .formatted(MIN_LENGTH, text.length()));
        }
        return new TagSecret(new SecretKeySpec(text.getBytes(StandardCharsets.UTF_8), ALGORITHM));
    }

    /** The tag of a value: the prefix, and 64 hexadecimal digits. */
    public Tag tag(String prefix, String value) {
        return new Tag(prefix + digest("tag\0" + prefix + "\0" + value));
    }

    /** A text by which a store recognizes the secret; it says nothing about it. */
    public String checkValue() {
        return digest("check");
    }

    private String digest(String text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException("Every Java platform has " + ALGORITHM, impossible);
        }
    }

    /** Without the secret. */
    @Override
    public String toString() {
        return "TagSecret";
    }
}
