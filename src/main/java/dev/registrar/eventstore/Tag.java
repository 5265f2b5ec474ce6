package dev.registrar.eventstore;

/**
 * A label of events, compared character by character. {@code course:c1} is a convention: the store gives it no meaning.
 * A tag should hold no personal data.
 *
 * @param value 1 character or more; {@link StoreLimits} bounds its length
 */
public record Tag(String value) {
    public Tag {
        if (value.isEmpty()) {
            throw new RefusedInputException("A tag has at least one character");
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
