package dev.registrar.console.student;

import dev.registrar.console.Visitor;
import dev.registrar.enrollment.CourseId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** The catalogue, and the page of one course. */
@Controller
final class CataloguePages {
    private final StudentReads reads;
    private final Whose.Finder whose;

    CataloguePages(StudentReads reads, Whose.Finder whose) {
        this.reads = reads;
        this.whose = whose;
    }

    @GetMapping(ShownCourses.PATH)
    String courses(PageState asked, Visitor visitor, HttpServletRequest request, Model model) {
        ShownCourses shown = asked.shownCourses();
        StudentReads.CoursePage page = reads.catalogue(request, visitor.student(), shown);
        model.addAttribute("whose", whose.of(visitor, request));
        model.addAttribute("shown", shown);
        model.addAttribute("courses", page.courses());
        model.addAttribute("seats", LiveSeats.address(page.courses(), page.at()));
        page.next()
                .ifPresent(
                        next -> model.addAttribute("next", shown.pageAfter(next).address()));
        model.addAttribute("noCourses", page.courses().isEmpty() && !shown.isFiltered() && !reads.hasCourses(request));
        return "console/student/courses";
    }

    @GetMapping(ShownCourses.PATH + "/{courseId}")
    String course(
            @PathVariable String courseId,
            Visitor visitor,
            HttpServletRequest request,
            HttpServletResponse response,
            Model model) {
        Optional<StudentReads.CoursePage> found = courseId.matches(CourseId.PATTERN)
                ? Optional.of(reads.course(request, visitor.student(), new CourseId(courseId)))
                : Optional.empty();
        model.addAttribute("courseId", courseId);
        if (found.isEmpty() || found.get().courses().isEmpty()) {
            response.setStatus(HttpStatus.NOT_FOUND.value());
            return "console/student/unknown-course";
        }
        model.addAttribute("whose", whose.of(visitor, request));
        model.addAttribute("shown", found.get().courses().getFirst());
        model.addAttribute(
                "seats", LiveSeats.address(found.get().courses(), found.get().at()));
        return "console/student/course";
    }
}
