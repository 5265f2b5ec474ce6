package dev.registrar.enrollment;

import dev.registrar.eventstore.KebabCase;
import java.util.Arrays;

/** The tier of a student, which limits the number of courses at a time. */
public enum Tier {
    BASIC(2),
    STANDARD(5),
    PROFESSIONAL(10),
    MASTER(25);

    /** Matches the codes of all tiers. */
    public static final String PATTERN = "basic|standard|professional|master";

    private final int courses;

    Tier(int courses) {
        this.courses = courses;
    }

    /** Maximum number of courses of a student of this tier at a time. */
    public int courses() {
        return courses;
    }

    /** The name in events and in the API, which never changes: the name in kebab-case. */
    public String code() {
        return KebabCase.of(this);
    }

    /**
     * The tier with the code.
     *
     * @throws IllegalArgumentException if no tier has the code
     */
    public static Tier of(String code) {
        return Arrays.stream(values())
                .filter(tier -> tier.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "A tier is one of %s but was '%s'".formatted(String.join(", ", PATTERN.split("\\|")), code)));
    }
}
