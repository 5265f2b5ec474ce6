package dev.registrar.enrollment;

import dev.registrar.eventstore.Tag;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An e-mail address, as it was given.
 *
 * @param value up to 254 characters: a part before the {@code @}, and a host name with a dot
 */
public record EmailAddress(String value) {
    public static final int LONGEST = 254;
    public static final String PATTERN = "[^\\s@]++@[^\\s@.]++(?:\\.[^\\s@.]++)++";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /* The messages of personal values do not repeat them: they may end in a log. */
    public EmailAddress {
        if (value.length() > LONGEST || !VALID.matcher(value).matches()) {
            throw new IllegalArgumentException(
                    "An e-mail address looks like name@example.org and has at most %d characters, but this one has %d"
                            .formatted(LONGEST, value.length()));
        }
    }

    /**
     * The tag of the registration under this address: a hash, the same in upper and lower case, since tags hold no
     * names.
     */
    public Tag tag() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256")
                    .digest(value.toLowerCase(Locale.ROOT).getBytes(StandardCharsets.UTF_8));
            return new Tag("email:" + HexFormat.of().formatHex(hash));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("Every Java platform has SHA-256", impossible);
        }
    }

    @Override
    public String toString() {
        return value;
    }
}
