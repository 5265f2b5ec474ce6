package dev.registrar.eventstore;

import java.util.Locale;

/** The names of enum constants outside of Java: in JSON, in columns, in the tags of metrics. */
public final class KebabCase {
    private KebabCase() {}

    /** The name of a constant in lower case, with hyphens: {@code too-slow} for {@code TOO_SLOW}. */
    public static String of(Enum<?> constant) {
        return of(constant.name());
    }

    /** The same, where only the name of a constant is known. */
    public static String of(String constantName) {
        return constantName.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The constant that a name stands for.
     *
     * @throws IllegalArgumentException if the enum has no such constant
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
