package dev.registrar.eventstore;

import java.util.Locale;

/** Names of enum constants in kebab case, as they appear in JSON, in columns and in the tags of meters. */
public final class KebabCase {
    private KebabCase() {}

    /** The name of a constant in lower case, with hyphens: {@code too-slow} for {@code TOO_SLOW}. */
    public static String of(Enum<?> constant) {
        return of(constant.name());
    }

    /** The name of a constant, given its Java name, in lower case with hyphens. */
    public static String of(String constantName) {
        return constantName.toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The constant with this name in kebab case.
     *
     * @throws IllegalArgumentException if the enum has no such constant
     */
    public static <E extends Enum<E>> E parse(Class<E> type, String text) {
        return Enum.valueOf(type, text.toUpperCase(Locale.ROOT).replace('-', '_'));
    }
}
