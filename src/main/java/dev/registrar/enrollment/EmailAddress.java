package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
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
     * The tags of a registration under this address: hashes, since tags hold no names. The first one is of the
     * address's {@link UniqueForm}. Registrations were once tagged with the address in lower case alone: where that
     * differs, it is the second tag, so that those addresses stay unique in their spelling.
     */
    public Set<Tag> tags() {
        Set<Tag> tags = new LinkedHashSet<>();
        tags.add(tag(UniqueForm.of(value())));
        tags.add(tag(value().toLowerCase(Locale.ROOT)));
        return Collections.unmodifiableSet(tags);
    }

    private static Tag tag(String form) {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(form.getBytes(StandardCharsets.UTF_8));
            return new Tag("email:" + HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }
}
