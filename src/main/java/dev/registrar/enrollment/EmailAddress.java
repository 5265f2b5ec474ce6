package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An e-mail address, as it was given: up to 254 characters (code points), a part before the {@code @} and a host name
 * with a dot. Each part has something visible in it, and there is no space.
 */
public final class EmailAddress extends Text {
    public static final int LONGEST = 254;

    private static final String NO_PART = CONTROLS + SPACES + "@";
    private static final String LABEL = "[" + INVISIBLES + "]*[^" + NO_PART + INVISIBLES + ".][^" + NO_PART + ".]*";
    /** What is between its parts is in none of them, so a mismatch costs one look. */
    public static final String PATTERN = "[" + INVISIBLES + "]*[^" + NO_PART + INVISIBLES + "][^" + NO_PART + "]*@"
            + LABEL + "(?:\\." + LABEL + ")+";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /* The messages of personal values do not repeat them: they may end in a log. */
    public EmailAddress(String value) {
        super(value);
        if (!isNew(value, LONGEST, VALID)) {
            throw new IllegalArgumentException(
                    "An e-mail address looks like name@example.org and has at most %d characters, none of them a space or a control character; this one has %s"
                            .formatted(LONGEST, told(value)));
        }
    }

    private EmailAddress(Stored stored) {
        super(stored.value());
    }

    /** The address in an event, which may be older than today's bounds. */
    static EmailAddress stored(String value) {
        return new EmailAddress(new Stored(value, LONGEST));
    }

    /**
     * The tag of the registration under this address: a hash, the same in upper and lower case, since tags hold no
     * names.
     */
    public Tag tag() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(value().toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
            return new Tag("email:" + HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
