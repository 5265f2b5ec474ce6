package dev.registrar.console;

import dev.registrar.enrollment.StudentId;
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.Role;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletRequest;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.http.ResponseCookie;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.util.WebUtils;

/** Finds out who is at the browser. */
public final class Visitors {
    /*
     * In the mode "local" the person chooses. The choice decides what pages show, not what the person may do, so a
     * cookie can carry it: a dot separates the role from the student's id, which is in Base64.
     */
    private static final String COOKIE = "registrar-role";

    private Visitors() {}

    /** The visitor of the current request; empty if the service does not know the caller. */
    public static Optional<Visitor> current(HttpServletRequest request) {
        if (!(SecurityContextHolder.getContext().getAuthentication() instanceof CallerAuthentication known)) {
            return Optional.empty();
        }
        Caller caller = known.getPrincipal();
        return Optional.of(
                caller.isLocal()
                        ? chosen(caller, WebUtils.getCookie(request, COOKIE))
                        : new Visitor(caller, caller.roles(), student(caller.student())));
    }

    private static Visitor chosen(Caller local, @Nullable Cookie cookie) {
        String[] parts = cookie == null ? new String[] {""} : cookie.getValue().split("\\.", 2);
        Set<Role> roles = role(parts[0]).map(Set::of).orElse(local.roles());
        return new Visitor(local, roles, parts.length < 2 ? null : student(decoded(parts[1])));
    }

    /** The role of this name; empty for every other text. */
    public static Optional<Role> role(String name) {
        return Arrays.stream(Role.values())
                .filter(role -> role.claim().equals(name))
                .findFirst();
    }

    private static @Nullable StudentId student(@Nullable String id) {
        return id != null && id.matches(StudentId.PATTERN) ? new StudentId(id) : null;
    }

    private static @Nullable String decoded(String text) {
        try {
            return new String(Base64.getUrlDecoder().decode(text), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return null;
        }
    }

    /**
     * The cookie with a person's choice in the mode {@code local}.
     *
     * @param role null for all roles
     * @param student null for none
     */
    public static ResponseCookie choice(@Nullable Role role, @Nullable StudentId student) {
        String value = (role == null ? "" : role.claim())
                + (student == null
                        ? ""
                        : "."
                                + Base64.getUrlEncoder()
                                        .withoutPadding()
                                        .encodeToString(student.value().getBytes(StandardCharsets.UTF_8)));
        return ResponseCookie.from(COOKIE, value)
                .path("/")
                .httpOnly(true)
                .sameSite("Lax")
                .build();
    }
}
