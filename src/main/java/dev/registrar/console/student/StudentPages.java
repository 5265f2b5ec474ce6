package dev.registrar.console.student;

import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.console.Visitor;
import dev.registrar.console.student.StudentReads.Page;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.Position;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;

/** The catalogue, the page of one course, and a student's own courses and places on waiting lists. */
@Controller
final class StudentPages {
    static final String OWN = "/console/my";

    private final StudentReads reads;
    private final FreedSeats freedSeats;
    private final EnrollmentSettings settings;

    StudentPages(StudentReads reads, FreedSeats freedSeats, EnrollmentSettings settings) {
        this.reads = reads;
        this.freedSeats = freedSeats;
        this.settings = settings;
    }

    @GetMapping(ShownCourses.PATH)
    String courses(PageState asked, Visitor visitor, Model model) {
        ShownCourses shown = asked.shownCourses();
        Page<Cursor> page = reads.catalogue(visitor.student(), shown);
        model.addAttribute("whose", reads.whose(visitor));
        model.addAttribute("shown", shown);
        model.addAttribute("courses", page.courses());
        model.addAttribute("seats", LiveSeats.address(page.courses(), page.at()));
        model.addAttribute(
                "next", page.next().map(next -> shown.pageAfter(next).address()).orElse(null));
        model.addAttribute("noCourses", page.courses().isEmpty() && !shown.isFiltered() && !reads.hasCourses());
        return "console/student/courses";
    }

    @GetMapping(ShownCourses.PATH + "/{courseId}")
    String course(@PathVariable CourseId courseId, Visitor visitor, Model model) {
        StudentId student = visitor.student();
        Page<Cursor> page = reads.course(student, courseId);
        ShownCourse shown = page.only(courseId);
        model.addAttribute("whose", reads.whose(visitor));
        model.addAttribute("shown", shown);
        model.addAttribute(
                "others",
                student == null || shown.action() != ShownCourse.Action.ENROLL
                        ? List.of()
                        : reads.enrolled(student, Position.START, Position.START).courses().stream()
                                .filter(other -> !shown.requires(other.course().id()))
                                .toList());
        model.addAttribute("seats", LiveSeats.address(page.courses(), page.at()));
        return "console/student/course";
    }

    /**
     * A student's own courses.
     *
     * @param after the position of the last enrollment on the previous page
     * @param waitingAfter the position of the last place on the previous page
     * @param waited ids of courses for which the student waited when the page was loaded before
     */
    @GetMapping(OWN)
    String own(
            @RequestParam(defaultValue = "0") long after,
            @RequestParam(defaultValue = "0") long waitingAfter,
            @RequestParam(defaultValue = "") List<String> waited,
            Visitor visitor,
            Model model) {
        StudentReads.Whose own = reads.whose(visitor);
        model.addAttribute("whose", own);
        StudentId student = visitor.student();
        if (student != null && own.student() != null) {
            Position afterList = Position.of(Math.max(0, waitingAfter));
            Position afterCourse = Position.of(Math.max(0, after));
            // In this order, a seat that is given meanwhile is in the courses, and at worst in both lists.
            Page<Position> waiting = reads.waiting(student, afterList);
            Page<Position> enrolled = reads.enrolled(student, afterCourse, waiting.at());
            String tier = own.student().tier();
            int limit =
                    tier == null ? settings.coursesPerStudent() : Tier.of(tier).courses();
            model.addAttribute("enrolled", enrolled.courses());
            model.addAttribute("clashing", reads.clashing(student));
            model.addAttribute("fromWaitingList", freedSeats.among(enrolled.courses(), student));
            model.addAttribute("waiting", waiting.courses());
            model.addAttribute("next", enrolled.next().map(Position::toString).orElse(null));
            model.addAttribute(
                    "nextWaiting", waiting.next().map(Position::toString).orElse(null));
            model.addAttribute("after", afterCourse.toString());
            model.addAttribute("waitingAfter", afterList.toString());
            model.addAttribute("limit", limit);
            model.addAttribute("atLimit", !waiting.courses().isEmpty() && reads.hasAtLeast(student, limit));
            model.addAttribute("hasWaited", reads.among(student, ids(waited)));
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
                .collect(Collectors.toSet());
    }
}
