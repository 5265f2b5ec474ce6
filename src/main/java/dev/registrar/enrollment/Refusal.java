package dev.registrar.enrollment;

import dev.registrar.eventstore.KebabCase;

/** A reason for which a command is refused. Its code is part of the API and never changes. */
public interface Refusal {

    /** The name of the reason, as an enum's constant has it. */
    String name();

    /** The name in kebab-case. */
    default String code() {
        return KebabCase.of(name());
    }

    /** Whether the command names something that does not exist, rather than something in a state that forbids it. */
    default boolean isAboutUnknown() {
        return name().endsWith("_UNKNOWN");
    }
}
