package dev.registrar.security.demo;

import dev.registrar.security.Role;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A person of the demo, with one role. */
enum DemoActor {
    STUDENT("student", Role.STUDENT, "ann"),
    OFFICE("office", Role.COURSE_OFFICE, null),
    OPERATOR("operator", Role.OPERATOR, null),
    AUDITOR("auditor", Role.AUDITOR, null);

    private final String login;
    private final Role role;
    private final @Nullable String student;

    DemoActor(String login, Role role, @Nullable String student) {
        this.login = login;
        this.role = role;
        this.student = student;
    }

    /** The actor of a name; empty for a machine client. */
    static Optional<DemoActor> of(String login) {
        return Arrays.stream(values())
                .filter(actor -> actor.login.equals(login))
                .findFirst();
    }

    /** The name of the user at the login form, and of the client at the token endpoint. */
    String login() {
        return login;
    }

    Role role() {
        return role;
    }

    /** The id of the student whose data are the actor's own; null for the others. */
    @Nullable String student() {
        return student;
    }
}
