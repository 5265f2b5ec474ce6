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
     * Whether the command was made from an outdated read of the store, so that its caller must read again. Such a
     * refusal is not reported to clients.
     */
    default boolean isOutdated() {
        return false;
    }

    /** Whether the command names something that does not exist. Otherwise the current state forbids the command. */
    default boolean isAboutUnknown() {
        return name().endsWith("_UNKNOWN");
    }
}
