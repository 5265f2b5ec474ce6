package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.console.Notices;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Optional;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** What cannot be taken back, each confirmed first: a course's end, a student's drop. And the course's history. */
@Controller
@RequestMapping(OfficePages.COURSES + "/{courseId}")
final class CourseChangeController {
    private final CoursePage page;
    private final OfficeCommands commands;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final Names names;

    CourseChangeController(
            CoursePage page, OfficeCommands commands, EventStore store, EnrollmentEventCodec codec, Names names) {
        this.page = page;
        this.commands = commands;
        this.store = store;
        this.codec = codec;
        this.names = names;
    }

    @GetMapping("/close")
    String confirmClose(
            @PathVariable String courseId, Model model, HttpServletRequest request, HttpServletResponse response) {
        Optional<CourseView> course = page.find(courseId, request);
        if (course.isEmpty()) {
            return OfficePages.noCourse(courseId, model, response);
        }
        model.addAttribute("course", course.get());
        return "console/office/close";
    }

    @PostMapping("/close")
    String close(
            @PathVariable String courseId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        Optional<CourseId> course = OfficePages.course(courseId);
        if (course.isEmpty()) {
            return OfficePages.noCourse(courseId, model, response);
        }
        return after(
                courseId,
                commands.give(request, new CloseCourse(course.get()), Advice::after),
                "Course %s is closed.".formatted(courseId),
                redirect);
    }

    @GetMapping("/students/{studentId}/drop")
    String confirmDrop(
            @PathVariable String courseId,
            @PathVariable String studentId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<CourseView> course = page.find(courseId, request);
        Optional<Enrollment> enrolled = page.enrollment(courseId, studentId, request);
        if (course.isEmpty() || enrolled.isEmpty()) {
            return OfficePages.absent(
                    "This student is not enrolled in this course.",
                    OfficePages.COURSES,
                    "Search for a course",
                    model,
                    response);
        }
        model.addAttribute("course", course.get());
        model.addAttribute("enrollment", enrolled.get());
        model.addAttribute("name", names.ofStudents(List.of(studentId), request).get(studentId));
        return "console/office/drop";
    }

    @PostMapping("/students/{studentId}/drop")
    String drop(
            @PathVariable String courseId,
            @PathVariable String studentId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        Optional<CourseId> course = OfficePages.course(courseId);
        Optional<StudentId> student = OfficePages.student(studentId);
        if (course.isEmpty()) {
            return OfficePages.noCourse(courseId, model, response);
        }
        if (student.isEmpty()) {
            return OfficePages.noStudent(studentId, model, response);
        }
        return after(
                courseId,
                commands.give(request, new DropStudent(student.get(), course.get()), Advice::after),
                "Student %s is dropped from course %s.".formatted(studentId, courseId),
                redirect);
    }

    private static <R extends Refusal> String after(
            String courseId, Optional<OfficeCommands.Refused<R>> refused, String done, RedirectAttributes redirect) {
        refused.ifPresentOrElse(
                reason -> Notices.refused(redirect, reason.sentence()), () -> Notices.done(redirect, done));
        return OfficePages.toCourse(courseId);
    }

    @GetMapping("/history")
    String history(
            @PathVariable String courseId,
            @RequestParam(defaultValue = "0") long before,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<CourseView> course = page.find(courseId, request);
        if (course.isEmpty()) {
            return OfficePages.noCourse(courseId, model, response);
        }
        model.addAttribute("course", course.get());
        model.addAttribute("first", before < 1);
        CourseHistory history = CourseHistory.of(
                store, codec, new CourseId(courseId), before < 1 ? null : Position.of(before), OfficePages.ROWS);
        model.addAttribute("history", history);
        model.addAttribute("names", names.ofStudents(history.students(), request));
        model.addAttribute("titles", names.ofCourses(history.courses(), request));
        return "console/office/history";
    }
}
