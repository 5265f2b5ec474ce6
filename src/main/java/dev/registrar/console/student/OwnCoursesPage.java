package dev.registrar.console.student;

import dev.registrar.catalog.StudentView;
import dev.registrar.console.Visitor;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.Position;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** A student's own courses and places on waiting lists. */
@Controller
final class OwnCoursesPage {
    static final String PATH = "/console/my";

    private static final String POSITION = "\\d{1,18}";

    private final StudentReads reads;
    private final Whose.Finder whose;
    private final FreedSeats freedSeats;
    private final EnrollmentSettings settings;

    OwnCoursesPage(StudentReads reads, Whose.Finder whose, FreedSeats freedSeats, EnrollmentSettings settings) {
        this.reads = reads;
        this.whose = whose;
        this.freedSeats = freedSeats;
        this.settings = settings;
    }

    /**
     * The page.
     *
     * @param after the position of the last enrollment on the previous page
     * @param waitingAfter the position of the last place on the previous page
     * @param waited ids of courses for which the student waited when the page was loaded before
     */
    @GetMapping(PATH)
    String show(
            @RequestParam(defaultValue = "0") String after,
            @RequestParam(defaultValue = "0") String waitingAfter,
            @RequestParam(defaultValue = "") List<String> waited,
            Visitor visitor,
            HttpServletRequest request,
            Model model) {
        Whose own = whose.of(visitor, request);
        model.addAttribute("whose", own);
        StudentId student = visitor.student();
        if (student != null && own.student() != null) {
            // In this order, a seat that is given meanwhile is in the courses, and at worst in both lists.
            StudentReads.OwnPage waiting = reads.waiting(request, student, position(waitingAfter));
            StudentReads.OwnPage enrolled = reads.enrolled(request, student, position(after), waiting.at());
            model.addAttribute("enrolled", enrolled.courses());
            model.addAttribute("fromWaitingList", freedSeats.among(enrolled.courses(), student));
            model.addAttribute("waiting", waiting.courses());
            model.addAttribute("next", enrolled.next().map(Position::toString).orElse(null));
            model.addAttribute(
                    "nextWaiting", waiting.next().map(Position::toString).orElse(null));
            model.addAttribute("after", position(after).toString());
            model.addAttribute("waitingAfter", position(waitingAfter).toString());
            int limit = limit(own.student());
            model.addAttribute("limit", limit);
            model.addAttribute("atLimit", !waiting.courses().isEmpty() && reads.hasAtLeast(request, student, limit));
            model.addAttribute("got", reads.enrolledAmong(request, student, ids(waited)));
            model.addAttribute(
                    "waited",
                    waiting.courses().stream()
                            .map(course -> course.course().id())
                            .toList());
            model.addAttribute("seats", LiveSeats.address(waiting.courses(), waiting.at()));
        }
        return "console/student/my";
    }

    private static Set<String> ids(List<String> given) {
        return given.stream()
                .filter(id -> id.matches(CourseId.PATTERN))
                .limit(StudentReads.MOST)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static Position position(String given) {
        return given.matches(POSITION) ? Position.of(Long.parseLong(given)) : Position.START;
    }

    private int limit(StudentView student) {
        return student.tier() == null
                ? settings.coursesPerStudent()
                : Tier.of(student.tier()).courses();
    }
}
