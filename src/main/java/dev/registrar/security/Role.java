package dev.registrar.security;

import java.util.Arrays;
import java.util.Optional;

/** What a person may do. The table in {@code docs/security.md} lists the operations of each role. */
public enum Role {
    /** Reads the catalogue; enrolls, drops, waits and looks up for themselves. */
    STUDENT("student"),
    /** Courses, imports, rosters, waiting lists, and any student. */
    COURSE_OFFICE("course-office"),
    /** Projections, metrics, and the actuator beyond bare health. */
    OPERATOR("operator"),
    /** Payloads and tags of events. */
    AUDITOR("auditor");

    private final String claim;

    Role(String claim) {
        this.claim = claim;
    }

    /** The role's value in the claim of a token that lists roles. */
    public String claim() {
        return claim;
    }

    /** The role as Spring's authority. */
    public String authority() {
        return "ROLE_" + name();
    }

    /** The role of a claim's value; empty for values of other services. */
    static Optional<Role> of(String claim) {
        return Arrays.stream(values()).filter(role -> role.claim.equals(claim)).findFirst();
    }
}
