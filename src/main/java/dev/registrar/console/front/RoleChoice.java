package dev.registrar.console.front;

import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Notices;
import dev.registrar.console.Visitors;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
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
    private static final String CATALOGUE = "/console/courses";

    /** The pages of a student, each with its query. */
    private static final String STUDENT_PAGE =
            "(/console/my|%1$s(/%2$s)?)(\\?[\\w.%%&=+~!*'()-]*)?".formatted(CATALOGUE, CourseId.PATTERN);

    private final EventStore store;
    private final ConsoleReads reads;

    RoleChoice(EventStore store, ConsoleReads reads) {
        this.store = store;
        this.reads = reads;
    }

    /** @param page the student's page on which the form was; empty for the front page */
    @PostMapping("/console/role")
    String choose(
            @RequestParam(defaultValue = "") String role,
            @RequestParam(defaultValue = "") String student,
            @RequestParam(defaultValue = "") String page,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        Optional<Role> chosen = Visitors.role(role);
        String id = student.strip();
        boolean isStudent = chosen.isEmpty() || chosen.get() == Role.STUDENT;
        boolean onStudentPage = page.matches(STUDENT_PAGE);
        if (isStudent && !id.isEmpty()) {
            Optional<String> refusal = refusal(id);
            if (refusal.isPresent()) {
                Notices.refused(redirect, refusal.get());
                redirect.addFlashAttribute("typedRole", chosen.map(Role::claim).orElse(""));
                redirect.addFlashAttribute("typedStudent", shown(id));
                redirect.addFlashAttribute("studentFault", refusal.get());
                return "redirect:" + (onStudentPage ? page : "/");
            }
        }
        StudentId known = isStudent && !id.isEmpty() ? new StudentId(id) : null;
        response.addHeader(
                HttpHeaders.SET_COOKIE,
                Visitors.choice(chosen.orElse(null), known).toString());
        if (onStudentPage) {
            return "redirect:" + page;
        }
        return known != null || chosen.filter(Role.STUDENT::equals).isPresent()
                ? "redirect:" + CATALOGUE
                : "redirect:/";
    }

    /* Asks the store, because a view may be behind. The next page waits for the view. */
    private Optional<String> refusal(String id) {
        if (!id.matches(StudentId.PATTERN)) {
            return Optional.of(
                    "'%s' is not the id of a student. An id is a letter or a digit, then up to 63 letters, digits, dots, underscores, tildes or hyphens."
                            .formatted(shown(id)));
        }
        Query registration = Query.of(EnrollmentEventCodec.types(StudentRegistered.class)
                .tagged(new StudentId(id).tag().value()));
        Optional<SequencedEvent> registered = store.last(registration);
        registered.ifPresent(event -> reads.nextPageWaitsFor(event.position()));
        return registered.isPresent()
                ? Optional.empty()
                : Optional.of(
                        "No student is registered with the id '%s'. Choose another id, or register the student at the course office first."
                                .formatted(id));
    }

    private static String shown(String id) {
        return id.substring(0, Math.min(LONGEST_ID_SHOWN, id.length()));
    }
}
