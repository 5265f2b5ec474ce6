package dev.registrar.security;

import dev.registrar.security.Role.Names;
import java.util.Arrays;
import java.util.Optional;

/** What a person may do. The table in {@code docs/security.md} lists the operations of each role. */
public enum Role {
    /** Reads the catalogue; enrolls, drops, waits and looks up for themselves. */
    STUDENT("student", Names.STUDENT),
    /** Courses, imports, rosters, waiting lists, and any student. */
    COURSE_OFFICE("course-office", Names.COURSE_OFFICE),
    /** Projections, metrics, and the actuator beyond bare health. */
    OPERATOR("operator", Names.OPERATOR),
    /** Payloads and tags of events. */
    AUDITOR("auditor", Names.AUDITOR);

    private final String claim;
    private final String authority;

    Role(String claim, String authority) {
        this.claim = claim;
        this.authority = authority;
    }

    /** The roles as Spring's authorities, for annotations. */
    public static final class Names {
        public static final String STUDENT = "ROLE_STUDENT";
        public static final String COURSE_OFFICE = "ROLE_COURSE_OFFICE";
        public static final String OPERATOR = "ROLE_OPERATOR";
        public static final String AUDITOR = "ROLE_AUDITOR";

        private Names() {}
    }

    /** The role's value in the claim of a token that lists roles. */
    public String claim() {
        return claim;
    }

    /** The role as Spring's authority. */
    public String authority() {
        return authority;
    }

    /** The role of a claim's value; empty for values of other services. */
    static Optional<Role> of(String claim) {
        return Arrays.stream(values()).filter(role -> role.claim.equals(claim)).findFirst();
    }
}
