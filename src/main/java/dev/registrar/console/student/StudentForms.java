package dev.registrar.console.student;

import dev.registrar.catalog.CourseView;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleCommands.Refused;
import dev.registrar.console.Visitor;
import dev.registrar.console.student.ShownCourse.Requirement;
import dev.registrar.decision.Decision;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.SwapCourse;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** The buttons of a student: each gives a command about the visitor's own student, and shows the same page again. */
@Controller
@RequestMapping(ShownCourses.PATH + "/{courseId}")
final class StudentForms {
    /** The prefix of the sentences that say why a command was refused. */
    static final String SENTENCES = "student.";

    private final ConsoleCommands commands;
    private final StudentReads reads;
    private final EnrollmentSettings settings;

    StudentForms(ConsoleCommands commands, StudentReads reads, EnrollmentSettings settings) {
        this.commands = commands;
        this.reads = reads;
        this.settings = settings;
    }

    @PostMapping("/enroll")
    String enroll(@PathVariable CourseId courseId, PageState page, Visitor visitor) {
        return give(
                courseId,
                page,
                visitor,
                (student, course) -> new EnrollStudent(student, course, settings.coursesPerStudent()),
                "You are enrolled in %s.");
    }

    /** @param other the id of the course to give up */
    @PostMapping("/swap")
    String swap(
            @PathVariable CourseId courseId,
            @RequestParam(defaultValue = "") String other,
            PageState page,
            Visitor visitor) {
        if (!other.matches(CourseId.PATTERN)) {
            commands.refused("You have not chosen the course to give up. Nothing was changed.");
            return "redirect:" + page.addressAfter(courseId);
        }
        return give(
                courseId,
                page,
                visitor,
                (student, course) -> new SwapCourse(student, course, new CourseId(other), settings.coursesPerStudent()),
                "You are enrolled in %s, and have dropped the course that you gave up for it.");
    }

    /** Says what will happen, before a student drops a course. */
    @GetMapping("/drop")
    String confirmDrop(@PathVariable CourseId courseId, PageState page, Visitor visitor, Model model) {
        String back = page.addressAfter(courseId);
        StudentId student = visitor.student();
        Optional<String> mistake = page.mistake(visitor);
        if (student == null || mistake.isPresent()) {
            mistake.ifPresent(commands::refused);
            return "redirect:" + back;
        }
        ShownCourse shown = reads.course(student, courseId).only(courseId);
        if (shown.enrolledSince() == null) {
            commands.refused(commands.sentence(
                    SENTENCES, new Refused("not-enrolled", "You are not enrolled"), Words.typed(shown.title())));
            return "redirect:" + back;
        }
        model.addAttribute("shown", shown);
        model.addAttribute("student", student.value());
        model.addAttribute("back", back);
        return "console/student/drop";
    }

    @PostMapping("/drop")
    String drop(@PathVariable CourseId courseId, PageState page, Visitor visitor) {
        return give(
                courseId,
                page,
                visitor,
                DropStudent::new,
                "You have dropped %s. The seat goes to the first student on the waiting list, or is free.");
    }

    @PostMapping("/wait")
    String waitForSeat(@PathVariable CourseId courseId, PageState page, Visitor visitor) {
        return give(
                courseId,
                page,
                visitor,
                JoinWaitingList::new,
                "You are on the waiting list of %s. A free seat goes to the first student on the list.");
    }

    @PostMapping("/leave")
    String leave(@PathVariable CourseId courseId, PageState page, Visitor visitor) {
        return give(courseId, page, visitor, LeaveWaitingList::new, "You have left the waiting list of %s.");
    }

    private String give(
            CourseId course,
            PageState page,
            Visitor visitor,
            BiFunction<StudentId, CourseId, Decision<EnrollmentEvent, ? extends Refusal>> command,
            String done) {
        StudentId student = visitor.student();
        Optional<String> mistake = page.mistakeOfForm(visitor);
        if (student == null || mistake.isPresent()) {
            mistake.ifPresent(commands::refused);
        } else {
            Optional<Refused> refused = commands.give(() -> command.apply(student, course));
            Optional<ShownCourse> shown =
                    reads.course(student, course).courses().stream().findFirst();
            String title = Words.typed(shown.map(ShownCourse::title).orElse(course.value()));
            refused.ifPresentOrElse(
                    reason -> commands.refused(
                            commands.sentence(SENTENCES, reason, title, student.value(), window(shown), missing(shown)),
                            titles(student, reason.clashesWith())),
                    () -> commands.done(done.formatted(title)));
        }
        return "redirect:" + page.addressAfter(course);
    }

    /* Sorted by id, as the ids are; a course that the view does not have yet has its id for a title. */
    private Map<String, String> titles(StudentId student, List<String> ids) {
        Map<String, String> titles = new TreeMap<>();
        ids.forEach(id -> titles.put(id, id));
        reads.among(student, ids).forEach(each -> titles.put(each.course().id(), each.title()));
        return titles;
    }

    private static String window(Optional<ShownCourse> shown) {
        return afterColon(shown.map(ShownCourse::course)
                .map((CourseView view) -> Words.window(view))
                .orElse(""));
    }

    private static String missing(Optional<ShownCourse> shown) {
        return afterColon(shown.map(ShownCourse::missing).orElse(List.of()).stream()
                .map(Requirement::title)
                .map(Words::typed)
                .collect(Collectors.joining(", ")));
    }

    private static String afterColon(String detail) {
        return detail.isEmpty() ? "" : ": " + detail;
    }
}
