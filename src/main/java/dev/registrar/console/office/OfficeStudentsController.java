package dev.registrar.console.office;

import dev.registrar.catalog.Current;
import dev.registrar.catalog.EnrollmentsView.Enrollment;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Notices;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.RegisterStudent;
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
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.servlet.mvc.support.RedirectAttributes;

/** The list of students, the form that registers one, and one student's page. */
@Controller
final class OfficeStudentsController {
    private static final String STUDENT = OfficePages.STUDENTS + "/{studentId}";
    private static final String REGISTER = "/console/office/register";

    private final ConsoleReads reads;
    private final StudentsView students;
    private final Names names;
    private final RostersView rosters;
    private final WaitingListsView waitingLists;
    private final OfficeCommands commands;

    OfficeStudentsController(
            ConsoleReads reads,
            StudentsView students,
            Names names,
            RostersView rosters,
            WaitingListsView waitingLists,
            OfficeCommands commands) {
        this.reads = reads;
        this.students = students;
        this.names = names;
        this.rosters = rosters;
        this.waitingLists = waitingLists;
        this.commands = commands;
    }

    /**
     * A course of a student.
     *
     * @param title null if the list of courses does not have the course yet
     */
    record Row(String course, @Nullable String title, Instant since) {}

    @GetMapping(OfficePages.STUDENTS)
    String list(
            @RequestParam(defaultValue = "") String search,
            @RequestParam(required = false) @Nullable String key,
            @RequestParam(required = false) @Nullable String id,
            Model model,
            HttpServletRequest request) {
        String text = OfficePages.search(search);
        StudentsView.@Nullable Cursor after =
                key == null || id == null ? null : new StudentsView.Cursor(key.replace("\0", ""), id.replace("\0", ""));
        StudentsView.Page page = reads.read(
                        request, students, tables -> StudentsView.page(tables, text, after, OfficePages.ROWS))
                .found();
        model.addAttribute("search", text);
        model.addAttribute("students", page.students());
        model.addAttribute("named", after == null ? find(text, request).orElse(null) : null);
        model.addAttribute("next", page.next().orElse(null));
        model.addAttribute("first", after == null);
        return "console/office/students";
    }

    private Optional<StudentView> find(String studentId, HttpServletRequest request) {
        return OfficePages.student(studentId)
                .flatMap(student -> reads.read(request, students, tables -> StudentsView.find(tables, student))
                        .found())
                .map(Current::view);
    }

    @GetMapping(REGISTER)
    String form(Model model) {
        return form(StudentForm.EMPTY, new Faults(), model);
    }

    private static String form(StudentForm typed, Faults faults, Model model) {
        model.addAttribute("form", typed);
        model.addAttribute("faults", faults);
        model.addAttribute("tiers", Tier.values());
        return "console/office/register";
    }

    @PostMapping(REGISTER)
    String register(
            Model model, HttpServletRequest request, HttpServletResponse response, RedirectAttributes redirect) {
        StudentForm typed = StudentForm.of(request);
        Faults faults = new Faults();
        Optional<StudentForm.Commands> all = typed.commands(faults);
        if (all.isEmpty()) {
            response.setStatus(HttpStatus.UNPROCESSABLE_CONTENT.value());
            return form(typed, faults, model);
        }
        RegisterStudent register = all.get().register();
        Optional<OfficeCommands.Refused<RegisterStudent.Refused>> refused =
                commands.give(request, register, Advice::after);
        if (refused.isPresent()) {
            response.setStatus(HttpStatus.CONFLICT.value());
            add(refused.get(), faults);
            return form(typed, faults, model);
        }
        String registered = "Student %s is registered".formatted(register.student());
        all.get()
                .tier()
                .flatMap(tier -> commands.give(request, new ChangeTier(register.student(), tier), Advice::after))
                .ifPresentOrElse(
                        noTier -> Notices.refused(
                                redirect, "%s, but has no tier yet. %s".formatted(registered, noTier.sentence())),
                        () -> Notices.done(redirect, registered + "."));
        return OfficePages.toStudent(register.student().value());
    }

    private static void add(OfficeCommands.Refused<RegisterStudent.Refused> refused, Faults faults) {
        if (refused.reason().filter(RegisterStudent.Refused.EMAIL_TAKEN::equals).isPresent()) {
            faults.add("email", StudentForm.EMAIL, refused.sentence());
        } else {
            faults.add("id", StudentForm.ID, refused.sentence());
        }
    }

    @GetMapping(STUDENT)
    String show(
            @PathVariable String studentId,
            @RequestParam(defaultValue = "0") long waiting,
            Model model,
            HttpServletRequest request,
            HttpServletResponse response) {
        Optional<StudentView> student = find(studentId, request);
        if (student.isEmpty()) {
            return OfficePages.noStudent(studentId, model, response);
        }
        StudentId id = new StudentId(studentId);
        // The largest tier allows 25 courses.
        RostersView.Page enrolled = reads.read(
                        request, rosters, tables -> RostersView.ofStudent(tables, id, Position.START, OfficePages.ROWS))
                .found();
        WaitingListsView.Page waits = reads.read(
                        request,
                        waitingLists,
                        tables -> WaitingListsView.ofStudent(
                                tables, id, Position.of(Math.max(0, waiting)), OfficePages.ROWS))
                .found();
        Map<String, String> titles = names.ofCourses(
                Stream.concat(
                                enrolled.enrollments().stream().map(Enrollment::courseId),
                                waits.places().stream().map(Place::courseId))
                        .toList(),
                request);
        model.addAttribute("student", student.get());
        model.addAttribute("tiers", Tier.values());
        model.addAttribute(
                "enrolled",
                enrolled.enrollments().stream()
                        .map(entry -> new Row(entry.courseId(), titles.get(entry.courseId()), entry.enrolledAt()))
                        .toList());
        model.addAttribute(
                "waits",
                waits.places().stream()
                        .map(place -> new Row(place.courseId(), titles.get(place.courseId()), place.joinedAt()))
                        .toList());
        model.addAttribute("waitsNext", waits.next().map(Position::value).orElse(null));
        return "console/office/student";
    }

    @PostMapping(STUDENT + "/tier")
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
