package dev.registrar.console;

import dev.registrar.enrollment.StudentId;
import dev.registrar.security.Caller;
import dev.registrar.security.Role;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The person at the browser, for whom a page is made. Controllers of the console take it as an argument.
 *
 * @param roles whose pages are shown; in the mode {@code local} those that the person has chosen
 * @param student whose own pages are shown; null if the person is no student, or has not chosen one
 */
public record Visitor(
        Caller caller, Set<Role> roles, @Nullable StudentId student) {
    public Visitor {
        roles = Set.copyOf(roles);
    }

    /** Whether the pages of a student are shown. */
    public boolean showsStudents() {
        return roles.contains(Role.STUDENT);
    }

    public boolean showsOffice() {
        return roles.contains(Role.COURSE_OFFICE);
    }

    public boolean showsOperators() {
        return roles.contains(Role.OPERATOR);
    }

    /** Whether payloads and tags of events are shown. */
    public boolean showsAuditors() {
        return roles.contains(Role.AUDITOR);
    }

    /** Whether the service does not ask who is calling. */
    public boolean isLocal() {
        return caller.isLocal();
    }
}
