package dev.registrar.enrollment;

import dev.registrar.eventstore.Sha256;
import dev.registrar.eventstore.Tag;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * An e-mail address as the client wrote it: up to 254 characters (code points), a local part, an {@code @} and a host
 * name with a dot. Each part has a visible character, and there is no space.
 */
public final class EmailAddress extends Text {
    public static final int MAX_LENGTH = 254;
    /** The prefix of the tags of addresses. */
    static final String KIND = "email:";

    private static final String NO_PART = CONTROLS + SPACES + "@";
    private static final String LABEL = "[" + INVISIBLES + "]*[^" + NO_PART + INVISIBLES + ".][^" + NO_PART + ".]*";
    /** No part can match a separator of the parts, so the pattern matches in linear time. */
    public static final String PATTERN = "[" + INVISIBLES + "]*[^" + NO_PART + INVISIBLES + "][^" + NO_PART + "]*@"
            + LABEL + "(?:\\." + LABEL + ")+";

    private static final Pattern VALID = Pattern.compile(PATTERN);

    /** What stands in the place of an erased address. */
    public static final EmailAddress ERASED = new EmailAddress("erased@registrar.invalid");

    /* The error does not repeat the value: it is personal data, and errors may be logged. */
    public EmailAddress(String value) {
        super(value);
        if (!isNew(value, MAX_LENGTH, VALID)) {
            throw new IllegalArgumentException(
                    "An e-mail address looks like name@example.org and has at most %s characters, none of them a space or a control character; this one has %s"
                            .formatted(MAX_LENGTH, description(value)));
        }
    }

    private EmailAddress(Stored stored) {
        super(stored.value());
    }

    /** An address from an event, which may have been stored before the current bounds. */
    static EmailAddress stored(String value) {
        return new EmailAddress(new Stored(value, MAX_LENGTH));
    }

    /**
     * The tags of a registration under this address. They are hashes, because tags must not contain personal data; the
     * store has, instead of each, the tag that the codec makes of it under a secret. The first tag is the hash of the
     * address's {@link UniqueForm}. Earlier versions hashed the address in lower case; if that hash differs, it is the
     * second tag, so that addresses registered by them stay unique.
     */
    public Set<Tag> tags() {
        Set<Tag> tags = new LinkedHashSet<>();
        tags.add(tag(UniqueForm.of(value())));
        tags.add(tag(value().toLowerCase(Locale.ROOT)));
        return Collections.unmodifiableSet(tags);
    }

    /** Whether a tag is of an address. */
    static boolean isTag(Tag tag) {
        return tag.value().startsWith(KIND);
    }

    private static Tag tag(String form) {
        return new Tag(KIND + Sha256.hex(form));
    }
}
