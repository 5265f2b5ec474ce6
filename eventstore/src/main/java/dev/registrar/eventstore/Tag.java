package dev.registrar.eventstore;

/**
 * A label of events, compared character by character. The form {@code course:c1} is a convention; the store does not
 * interpret it. A tag should not contain personal data.
 *
 * @param value the text, 1 character or more; {@link StoreLimits} bounds its length
 */
public record Tag(String value) {
    public Tag {
        if (value.isEmpty()) {
            throw new RefusedInputException("A tag must have at least one character");
        }
    }

    public static Tag of(String value) {
        return new Tag(value);
    }

    @Override
    public String toString() {
        return value;
    }
}
