package dev.registrar.enrollment;

import dev.registrar.eventstore.KebabCase;

/** The reason why a command is refused. Its code is part of the API and never changes. */
public interface Refusal {

    /** The name of the enum constant. */
    String name();

    /** The name in kebab-case. */
    default String code() {
        return KebabCase.of(name());
    }

    /**
     * Whether the command was made of a look at the store that is out of date, so that its caller has to look again.
     * Such a refusal is for the caller alone.
     */
    default boolean isOutdated() {
        return false;
    }

    /** Whether the command names something that does not exist. Otherwise the present state forbids the command. */
    default boolean isAboutUnknown() {
        return name().endsWith("_UNKNOWN");
    }
}
