package dev.registrar.security.demo;

import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.Role;
import dev.registrar.security.Scope;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Who may log in to the demo: persons with one role each, and a machine client. */
enum DemoActor {
    STUDENT(Role.STUDENT, "ann"),
    OFFICE(Role.COURSE_OFFICE, null),
    OPERATOR(Role.OPERATOR, null),
    AUDITOR(Role.AUDITOR, null),
    /** Has the scopes of the store's own API. */
    MACHINE(null, null);

    /** The issuer of the actors. No other has this name, since an issuer is a URL. */
    private static final String ISSUER = "demo";

    private final @Nullable Role role;
    private final @Nullable String student;

    /** @param student the id of the student whose data are the actor's own */
    DemoActor(@Nullable Role role, @Nullable String student) {
        this.role = role;
        this.student = student;
    }

    static DemoActor of(String login) {
        return valueOf(login.toUpperCase(Locale.ROOT));
    }

    /** The name at the login. */
    String login() {
        return name().toLowerCase(Locale.ROOT);
    }

    boolean isPerson() {
        return role != null;
    }

    /** The actor as the caller of a request, or of the requests of a session. */
    CallerAuthentication authenticated() {
        Set<Role> roles = role == null ? Set.of() : Set.of(role);
        Set<Scope> scopes = role == null ? Set.of(Scope.values()) : Set.of();
        return CallerAuthentication.of(new Caller(ISSUER, login(), null, student, roles), scopes, null);
    }
}
