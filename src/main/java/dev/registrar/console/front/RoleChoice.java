package dev.registrar.console.front;

import dev.registrar.console.Notices;
import dev.registrar.console.Visitors;
import dev.registrar.enrollment.StudentId;
import dev.registrar.security.ConditionalOnLocalMode;
import dev.registrar.security.Role;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpHeaders;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The choice of a role, and of a student, in the mode {@code local}. The actor of what the person does stays local. */
@Controller
@ConditionalOnLocalMode
final class RoleChoice {
    private static final int LONGEST_ID_SHOWN = 100;

    @PostMapping("/console/role")
    String choose(
            @RequestParam(defaultValue = "") String role,
            @RequestParam(defaultValue = "") String student,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        Optional<Role> chosen = Visitors.role(role);
        String id = student.strip();
        boolean isStudent = chosen.isEmpty() || chosen.get() == Role.STUDENT;
        if (isStudent && !id.isEmpty() && !id.matches(StudentId.PATTERN)) {
            String shown = id.substring(0, Math.min(LONGEST_ID_SHOWN, id.length()));
            Notices.refused(
                    redirect,
                    "'%s' is not the id of a student. An id is a letter or a digit, then up to 63 letters, digits, dots, underscores, tildes or hyphens."
                            .formatted(shown));
            redirect.addFlashAttribute("typedStudent", shown);
            return "redirect:/";
        }
        StudentId known = isStudent && !id.isEmpty() ? new StudentId(id) : null;
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                Visitors.choice(chosen.orElse(null), known).toString());
        return known != null || chosen.filter(Role.STUDENT::equals).isPresent()
                ? "redirect:/console/courses"
                : "redirect:/";
    }
}
