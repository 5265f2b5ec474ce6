package dev.registrar.console.student;

import dev.registrar.catalog.CourseView;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.Notices;
import dev.registrar.console.Visitor;
import dev.registrar.console.student.Advice.Situation;
import dev.registrar.console.student.ShownCourse.Requirement;
import dev.registrar.decision.Decision;
import dev.registrar.decision.Outcome;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.JoinWaitingList;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.StudentId;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The buttons of a student: each gives a command about the visitor's own student, and shows the same page again. */
@Controller
final class StudentForms {
    private static final String COURSE = ShownCourses.PATH + "/{courseId}";

    private final ConsoleCommands commands;
    private final StudentReads reads;
    private final EnrollmentSettings settings;

    StudentForms(ConsoleCommands commands, StudentReads reads, EnrollmentSettings settings) {
        this.commands = commands;
        this.reads = reads;
        this.settings = settings;
    }

    /** What the page says when a command is accepted, with the course's title. */
    private enum Done {
        ENROLLED("You are enrolled in %s."),
        DROPPED("You have dropped %s. The seat goes to the first student on the waiting list, or is free."),
        WAITING("You are on the waiting list of %s. A free seat goes to the first student on the list."),
        LEFT("You have left the waiting list of %s.");

        private final String sentence;

        Done(String sentence) {
            this.sentence = sentence;
        }
    }

    @PostMapping(COURSE + "/enroll")
    String enroll(
            @PathVariable String courseId,
            PageState page,
            Visitor visitor,
            HttpServletRequest request,
            RedirectAttributes redirect) {
        return give(
                request,
                visitor,
                courseId,
                (student, course) -> new EnrollStudent(student, course, settings.coursesPerStudent()),
                Done.ENROLLED,
                page,
                redirect);
    }

    @PostMapping(COURSE + "/drop")
    String drop(
            @PathVariable String courseId,
            PageState page,
            Visitor visitor,
            HttpServletRequest request,
            RedirectAttributes redirect) {
        return give(request, visitor, courseId, DropStudent::new, Done.DROPPED, page, redirect);
    }

    @PostMapping(COURSE + "/wait")
    String waitForSeat(
            @PathVariable String courseId,
            PageState page,
            Visitor visitor,
            HttpServletRequest request,
            RedirectAttributes redirect) {
        return give(request, visitor, courseId, JoinWaitingList::new, Done.WAITING, page, redirect);
    }

    @PostMapping(COURSE + "/leave")
    String leave(
            @PathVariable String courseId,
            PageState page,
            Visitor visitor,
            HttpServletRequest request,
            RedirectAttributes redirect) {
        return give(request, visitor, courseId, LeaveWaitingList::new, Done.LEFT, page, redirect);
    }

    private <R extends Refusal> String give(
            HttpServletRequest request,
            Visitor visitor,
            String courseId,
            BiFunction<StudentId, CourseId, Decision<EnrollmentEvent, R>> command,
            Done done,
            PageState page,
            RedirectAttributes redirect) {
        StudentId student = visitor.student();
        Optional<String> mistake = page.mistakeOfForm(courseId, visitor);
        if (student == null || mistake.isPresent()) {
            mistake.ifPresent(sentence -> Notices.refused(redirect, sentence));
        } else {
            CourseId course = new CourseId(courseId);
            answer(request, student, course, commands.give(request, command.apply(student, course)), done, redirect);
        }
        return "redirect:" + page.addressAfter(courseId);
    }

    private <R extends Refusal> void answer(
            HttpServletRequest request,
            StudentId student,
            CourseId course,
            Outcome<EnrollmentEvent, R> outcome,
            Done done,
            RedirectAttributes redirect) {
        Optional<ShownCourse> shown =
                reads.course(request, student, course).courses().stream().findFirst();
        String title = Words.typed(shown.map(ShownCourse::title).orElse(course.value()));
        switch (outcome) {
            case Outcome.Accepted<EnrollmentEvent, R> accepted ->
                Notices.done(redirect, done.sentence.formatted(title));
            case Outcome.Rejected<EnrollmentEvent, R>(R reason, String explanation) ->
                Notices.refused(
                        redirect,
                        Advice.on(reason, situation(title, student, shown)).orElse(explanation));
            case Outcome.Contended<EnrollmentEvent, R>(int attempts) ->
                Notices.refused(
                        redirect,
                        "Many students want %s at this moment, and nothing was changed for you. Try again."
                                .formatted(title));
        }
    }

    private static Situation situation(String title, StudentId student, Optional<ShownCourse> shown) {
        List<Requirement> requirements = shown.map(ShownCourse::requirements).orElse(List.of());
        return new Situation(
                title,
                student.value(),
                shown.map(ShownCourse::course)
                        .map((CourseView view) -> Words.window(view))
                        .orElse(""),
                requirements.stream()
                        .filter(requirement -> !requirement.met())
                        .map(requirement -> Words.typed(requirement.title()))
                        .collect(Collectors.joining(", ")));
    }
}
