package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.console.Notices;
import dev.registrar.console.office.CoursePage.Inputs;
import dev.registrar.console.office.CoursePage.Start;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** One course and its three forms: seats, required courses, one more student. */
@Controller
@RequestMapping(OfficePages.COURSES + "/{courseId}")
final class CoursePageController {
    private final CoursePage page;
    private final OfficeCommands commands;

    CoursePageController(CoursePage page, OfficeCommands commands) {
        this.page = page;
        this.commands = commands;
    }

    @GetMapping
    String show(
            @PathVariable String courseId,
            @RequestParam(defaultValue = "0") long roster,
            @RequestParam(defaultValue = "0") long waiting,
            @RequestParam(defaultValue = "0") int before,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<CourseView> course = page.find(courseId, request);
        return course.isEmpty()
                ? OfficePages.noCourse(courseId, model, response)
                : page.show(
                        course.get(),
                        Inputs.of(course.get()),
                        new Faults(),
                        new Start(roster, waiting, before),
                        model,
                        request);
    }

    @PostMapping("/capacity")
    String changeCapacity(
            @PathVariable String courseId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        String typed = Typed.text(request, "capacity");
        Faults faults = new Faults();
        Optional<CourseId> course = OfficePages.course(courseId);
        Optional<Capacity> seats = CourseForm.capacity(typed, faults);
        if (course.isPresent() && seats.isPresent()) {
            commands.give(request, new ChangeCapacity(course.get(), seats.get()), Advice::after)
                    .ifPresent(refused -> faults.add("capacity", "Seats", refused));
            if (faults.isEmpty()) {
                Notices.done(
                        redirect,
                        "Course %s now has %s."
                                .formatted(courseId, Typed.seats(seats.get().seats())));
                return OfficePages.toCourse(courseId);
            }
        }
        return again(
                courseId, inputs -> inputs.withCapacity(typed), faults, seats.isPresent(), model, request, response);
    }

    @PostMapping("/prerequisites")
    String changePrerequisites(
            @PathVariable String courseId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        String typed = Typed.text(request, "prerequisites");
        Faults faults = new Faults();
        Optional<CourseId> course = OfficePages.course(courseId);
        Optional<Prerequisites> all = CourseForm.prerequisites(typed, faults);
        if (course.isPresent() && all.isPresent()) {
            commands.changePrerequisites(request, course.get(), all.get())
                    .ifPresent(refused -> faults.add("prerequisites", CourseForm.PREREQUISITES, refused));
            if (faults.isEmpty()) {
                Notices.done(
                        redirect,
                        all.get().isEmpty()
                                ? "Course %s no longer requires other courses.".formatted(courseId)
                                : "Course %s now requires: %s."
                                        .formatted(
                                                courseId,
                                                String.join(", ", all.get().ids())));
                return OfficePages.toCourse(courseId);
            }
        }
        return again(
                courseId, inputs -> inputs.withPrerequisites(typed), faults, all.isPresent(), model, request, response);
    }

    @PostMapping("/students")
    String enroll(
            @PathVariable String courseId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        String typed = Typed.text(request, "student");
        Faults faults = new Faults();
        Optional<CourseId> course = OfficePages.course(courseId);
        Optional<StudentId> student = OfficePages.student(typed);
        if (student.isEmpty()) {
            faults.add("student", StudentForm.ID, Typed.noId(typed, "a student"), Link.STUDENTS);
        }
        if (course.isPresent() && student.isPresent()) {
            commands.enroll(request, student.get(), course.get())
                    .ifPresent(refused -> faults.add("student", StudentForm.ID, refused));
            if (faults.isEmpty()) {
                Notices.done(redirect, "Student %s is enrolled in course %s.".formatted(typed, courseId));
                return OfficePages.toCourse(courseId);
            }
        }
        return again(
                courseId, inputs -> inputs.withStudent(typed), faults, student.isPresent(), model, request, response);
    }

    /* The page again, with what was typed and what is wrong with it. */
    private String again(
            String courseId,
            UnaryOperator<Inputs> typed,
            Faults faults,
            boolean isRefused,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<CourseView> course = page.find(courseId, request);
        if (course.isEmpty()) {
            return OfficePages.noCourse(courseId, model, response);
        }
        response.setStatus((isRefused ? HttpStatus.CONFLICT : HttpStatus.UNPROCESSABLE_CONTENT).value());
        return page.show(course.get(), typed.apply(Inputs.of(course.get())), faults, Start.FIRST, model, request);
    }
}
