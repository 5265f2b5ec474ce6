package dev.registrar.console.office;

import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Notices;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.Tier;
import dev.registrar.eventstore.Position;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpStatus;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** One student and two forms: one more course, and the tier. */
@Controller
@RequestMapping(OfficePages.STUDENTS + "/{studentId}")
final class StudentPageController {
    private final ConsoleReads reads;
    private final StudentFinder finder;
    private final Names names;
    private final RostersView rosters;
    private final WaitingListsView waitingLists;
    private final OfficeCommands commands;
    private final EnrollmentSettings settings;

    StudentPageController(
            ConsoleReads reads,
            StudentFinder finder,
            Names names,
            RostersView rosters,
            WaitingListsView waitingLists,
            OfficeCommands commands,
            EnrollmentSettings settings) {
        this.reads = reads;
        this.finder = finder;
        this.names = names;
        this.rosters = rosters;
        this.waitingLists = waitingLists;
        this.commands = commands;
        this.settings = settings;
    }

    /**
     * A course of a student.
     *
     * @param title null if the list of courses does not have the course yet
     */
    record Row(String course, @Nullable String title, Instant since) {}

    /** The positions behind which the pages of the two lists begin. */
    private record Start(Position enrolled, Position waiting) {
        static final Start FIRST = new Start(Position.START, Position.START);
    }

    @GetMapping
    String show(
            @PathVariable String studentId,
            @RequestParam(defaultValue = "0") long enrolled,
            @RequestParam(defaultValue = "0") long waiting,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Start start = new Start(Position.of(Math.max(0, enrolled)), Position.of(Math.max(0, waiting)));
        return show(studentId, start, "", new Faults(), model, request, response);
    }

    private String show(
            String studentId,
            Start start,
            String typedCourse,
            Faults faults,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<StudentView> student = finder.find(studentId, request);
        if (student.isEmpty()) {
            return OfficePages.noStudent(studentId, model, response);
        }
        StudentId id = new StudentId(studentId);
        RostersView.Page enrolled = reads.read(
                        request,
                        rosters,
                        tables -> RostersView.ofStudent(tables, id, start.enrolled(), OfficePages.ROWS))
                .found();
        WaitingListsView.Page waits = reads.read(
                        request,
                        waitingLists,
                        tables -> WaitingListsView.ofStudent(tables, id, start.waiting(), OfficePages.ROWS))
                .found();
        Map<String, String> titles = names.ofCourses(
                Stream.concat(
                                enrolled.enrollments().stream().map(Enrollment::courseId),
                                waits.places().stream().map(Place::courseId))
                        .toList(),
                request);
        model.addAttribute("student", student.get());
        model.addAttribute("tiers", Tier.values());
        model.addAttribute("typedCourse", typedCourse);
        model.addAttribute("faults", faults);
        model.addAttribute(
                "enrolled",
                enrolled.enrollments().stream()
                        .map(entry -> new Row(entry.courseId(), titles.get(entry.courseId()), entry.enrolledAt()))
                        .toList());
        model.addAttribute("enrolledNext", enrolled.next().map(Position::value).orElse(null));
        model.addAttribute(
                "waits",
                waits.places().stream()
                        .map(place -> new Row(place.courseId(), titles.get(place.courseId()), place.joinedAt()))
                        .toList());
        model.addAttribute("isFirst", start.equals(Start.FIRST));
        model.addAttribute("usualCourses", settings.coursesPerStudent());
        model.addAttribute("enrolledAfter", start.enrolled().value());
        model.addAttribute("waitingAfter", start.waiting().value());
        model.addAttribute("waitsNext", waits.next().map(Position::value).orElse(null));
        return "console/office/student";
    }

    @PostMapping("/courses")
    String enroll(
            @PathVariable String studentId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        String typed = Typed.text(request, "course");
        Faults faults = new Faults();
        Optional<StudentId> student = OfficePages.student(studentId);
        Optional<CourseId> course = OfficePages.course(typed);
        if (course.isEmpty()) {
            faults.add("course", CourseForm.ID, Typed.noId(typed, "a course"), Link.COURSES);
        }
        if (student.isPresent() && course.isPresent()) {
            commands.enroll(request, student.get(), course.get())
                    .ifPresent(refused -> faults.add("course", CourseForm.ID, refused));
            if (faults.isEmpty()) {
                Notices.done(redirect, "Student %s is enrolled in course %s.".formatted(studentId, typed));
                return OfficePages.toStudent(studentId);
            }
        }
        response.setStatus((course.isPresent() ? HttpStatus.CONFLICT : HttpStatus.UNPROCESSABLE_CONTENT).value());
        return show(studentId, Start.FIRST, typed, faults, model, request, response);
    }

    @PostMapping("/tier")
    String changeTier(
            @PathVariable String studentId,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response,
            RedirectAttributes redirect) {
        Optional<StudentId> student = OfficePages.student(studentId);
        if (student.isEmpty()) {
            return OfficePages.noStudent(studentId, model, response);
        }
        String code = Typed.text(request, "tier");
        if (!code.matches(Tier.PATTERN)) {
            Notices.refused(redirect, "Choose one of the tiers, then change it.");
            return OfficePages.toStudent(studentId);
        }
        commands.give(request, new ChangeTier(student.get(), Tier.of(code)), Advice::after)
                .ifPresentOrElse(
                        refused -> Notices.refused(redirect, refused.sentence()),
                        () -> Notices.done(redirect, "Student %s now has the tier %s.".formatted(studentId, code)));
        return OfficePages.toStudent(studentId);
    }
}
