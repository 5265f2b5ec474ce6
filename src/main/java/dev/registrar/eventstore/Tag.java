package dev.registrar.eventstore;

/**
 * A label that an event carries and a query asks for, compared letter by letter. {@code course:c1} is only a habit: the
 * store reads no meaning into it. It should hold no personal data.
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
