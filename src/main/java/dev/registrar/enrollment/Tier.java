package dev.registrar.enrollment;

import dev.registrar.eventstore.KebabCase;
import java.util.Arrays;

/** The tier of a student: how many courses the student may be enrolled in at a time. */
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

    /** The most courses that a student of this tier may be enrolled in at a time. */
    public int courses() {
        return courses;
    }

    /** The name in events and in the API, which never changes: the name in kebab-case. */
    public String code() {
        return KebabCase.of(this);
    }

    /**
     * The tier of a code.
     *
     * @throws IllegalArgumentException if no tier has the code
     */
    public static Tier of(String code) {
        return Arrays.stream(values())
                .filter(tier -> tier.code().equals(code))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "A tier is %s but was '%s'".formatted(String.join(", ", PATTERN.split("\\|")), code)));
    }
}
