package dev.registrar.console.office;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.RosterEntry;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.console.AbsentException;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.ChangeEmail;
import dev.registrar.enrollment.ChangeName;
import dev.registrar.enrollment.ChangeTier;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EmailAddress;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.EraseStudent;
import dev.registrar.enrollment.LeaveWaitingList;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.StudentName;
import dev.registrar.enrollment.SwapCourse;
import dev.registrar.enrollment.Tier;
import dev.registrar.erasure.StudentErasure;
import dev.registrar.eventstore.Position;
import dev.registrar.http.admission.CallingActor;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/** One student and the forms: one more course, a course instead of another one, the name, the address, the tier. */
@Controller
@RequestMapping(OfficeReads.STUDENTS + "/{studentId}")
final class StudentPageController {
    private final ConsoleReads views;
    private final RostersView rosters;
    private final Clashes clashes;
    private final WaitingListsView waitingLists;
    private final OfficeReads reads;
    private final ConsoleCommands commands;
    private final EnrollmentSettings settings;
    private final StudentErasure erasure;

    StudentPageController(
            ConsoleReads views,
            RostersView rosters,
            Clashes clashes,
            WaitingListsView waitingLists,
            OfficeReads reads,
            ConsoleCommands commands,
            EnrollmentSettings settings,
            StudentErasure erasure) {
        this.views = views;
        this.rosters = rosters;
        this.clashes = clashes;
        this.waitingLists = waitingLists;
        this.reads = reads;
        this.commands = commands;
        this.settings = settings;
        this.erasure = erasure;
    }

    record EnrollmentForm(@NotNull CourseId course) {
        @SuppressWarnings("NullAway") // a form before anything is typed
        static final EnrollmentForm EMPTY = new EnrollmentForm(null);
    }

    record NameForm(@NotNull StudentName name) {
        @SuppressWarnings("NullAway") // a name that cannot be typed
        static NameForm of(StudentView student) {
            return new NameForm(FieldFormats.typed(student.name(), StudentName::new));
        }
    }

    record EmailForm(@NotNull EmailAddress email) {
        @SuppressWarnings("NullAway") // an address that cannot be typed
        static EmailForm of(StudentView student) {
            return new EmailForm(FieldFormats.typed(student.email(), EmailAddress::new));
        }
    }

    record SwapForm(@NotNull CourseId wanted, @NotNull CourseId other) {
        @SuppressWarnings("NullAway") // a form before anything is typed
        static final SwapForm EMPTY = new SwapForm(null, null);
    }

    record TierForm(@NotNull Tier tier) {
        @SuppressWarnings("NullAway") // a student without a tier
        static TierForm of(StudentView student) {
            return new TierForm(student.tier() == null ? null : FieldFormats.typed(student.tier(), Tier::of));
        }
    }

    /**
     * The page.
     *
     * @param enrolled the position behind which the page of the courses begins
     * @param waiting the position behind which the page of the waiting lists begins
     */
    @GetMapping
    String show(
            @PathVariable StudentId studentId,
            @RequestParam(defaultValue = "0") long enrolled,
            @RequestParam(defaultValue = "0") long waiting,
            Model model) {
        StudentView student = reads.student(studentId);
        Position afterCourse = Position.of(Math.max(0, enrolled));
        Position afterList = Position.of(Math.max(0, waiting));
        RostersView.Roster courses = views.read(
                        rosters,
                        tables -> RostersView.overridesOfStudent(tables, studentId, afterCourse, OfficeReads.ROWS))
                .found();
        WaitingListsView.Page lists = views.read(
                        waitingLists,
                        tables -> WaitingListsView.ofStudent(tables, studentId, afterList, OfficeReads.ROWS))
                .found();
        model.addAttribute("student", student);
        model.addAttribute("courses", courses);
        model.addAttribute("overriddenBy", OfficeReads.overriddenBy(courses, RosterEntry::courseId));
        model.addAttribute("lists", lists);
        model.addAttribute("clashing", clashes.ofStudent(studentId, views::search));
        model.addAttribute("afterCourse", afterCourse.value());
        model.addAttribute("afterList", afterList.value());
        model.addAttribute(
                "described",
                reads.courses(Stream.concat(
                        courses.enrollments().stream().map(RosterEntry::courseId),
                        lists.places().stream().map(Place::courseId))));
        model.addAttribute("tiers", Tier.values());
        model.addAttribute("mayErase", erasure.isEnabled());
        model.addAttribute("usualCourses", settings.coursesPerStudent());
        // The form that was sent is in the model already.
        model.mergeAttributes(Map.of(
                "enrollmentForm", EnrollmentForm.EMPTY,
                "swapForm", SwapForm.EMPTY,
                "tierForm", TierForm.of(student),
                "nameForm", NameForm.of(student),
                "emailForm", EmailForm.of(student)));
        return "console/office/student";
    }

    private static String toPage(StudentId student) {
        return "redirect:%s/%s".formatted(OfficeReads.STUDENTS, student);
    }

    @PostMapping("/courses")
    String enroll(
            @PathVariable StudentId studentId,
            @Valid @ModelAttribute EnrollmentForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(
                form, "course", () -> new EnrollStudent(studentId, typed.course(), settings.coursesPerStudent()))) {
            return show(studentId, 0, 0, model);
        }
        commands.done("Student %s is enrolled in course %s.".formatted(studentId, typed.course()));
        return toPage(studentId);
    }

    @PostMapping("/swap")
    String swap(
            @PathVariable StudentId studentId, @Valid @ModelAttribute SwapForm typed, BindingResult form, Model model) {
        if (!form.hasErrors()) {
            commands.give(() -> new SwapCourse(studentId, typed.wanted(), typed.other(), settings.coursesPerStudent()))
                    .ifPresent(refused -> ConsoleCommands.reject(
                            form,
                            refused.code().equals(SwapCourse.Refused.NOT_ENROLLED_IN_OTHER.code()) ? "other" : "wanted",
                            refused));
        }
        if (form.hasErrors()) {
            return show(studentId, 0, 0, model);
        }
        commands.done("Student %s is enrolled in course %s, and no longer in course %s."
                .formatted(studentId, typed.wanted(), typed.other()));
        return toPage(studentId);
    }

    @PostMapping("/waiting-lists/{courseId}/leave")
    String leave(@PathVariable StudentId studentId, @PathVariable CourseId courseId) {
        commands.give(
                new LeaveWaitingList(studentId, courseId),
                "Student %s has left the waiting list of course %s.".formatted(studentId, courseId));
        return toPage(studentId);
    }

    @PostMapping("/name")
    String changeName(
            @PathVariable StudentId studentId, @Valid @ModelAttribute NameForm typed, BindingResult form, Model model) {
        if (!commands.give(form, "name", () -> new ChangeName(studentId, typed.name()))) {
            return show(studentId, 0, 0, model);
        }
        commands.done("Student %s has a new name.".formatted(studentId));
        return toPage(studentId);
    }

    @PostMapping("/email")
    String changeEmail(
            @PathVariable StudentId studentId,
            @Valid @ModelAttribute EmailForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(form, "email", () -> new ChangeEmail(studentId, typed.email()))) {
            return show(studentId, 0, 0, model);
        }
        commands.done("Student %s has a new e-mail address.".formatted(studentId));
        return toPage(studentId);
    }

    @PostMapping("/tier")
    String changeTier(
            @PathVariable StudentId studentId, @Valid @ModelAttribute TierForm typed, BindingResult form, Model model) {
        if (!commands.give(form, "tier", () -> new ChangeTier(studentId, typed.tier()))) {
            return show(studentId, 0, 0, model);
        }
        commands.done("Student %s now has the tier %s."
                .formatted(studentId, typed.tier().code()));
        return toPage(studentId);
    }

    /** @param reason one line of 1 to {@value StudentErasure#MAX_REASON_LENGTH} characters, without personal data */
    record ErasureForm(@NotNull OverrideReason reason) {
        @SuppressWarnings("NullAway") // a form before anything is typed
        static final ErasureForm EMPTY = new ErasureForm(null);
    }

    @GetMapping("/erase")
    String confirmErasure(@PathVariable StudentId studentId, Model model) {
        requireErasures();
        model.addAttribute("student", reads.student(studentId));
        model.mergeAttributes(Map.of("erasureForm", ErasureForm.EMPTY));
        return "console/office/erase";
    }

    @PostMapping("/erase")
    String erase(
            @PathVariable StudentId studentId,
            @Valid @ModelAttribute ErasureForm typed,
            BindingResult form,
            Model model) {
        requireErasures();
        if (!commands.give(form, "reason", () -> new EraseStudent(studentId))) {
            return confirmErasure(studentId, model);
        }
        erasure.erase(
                studentId, CallingActor.currentFor(studentId), typed.reason().value());
        commands.done("The personal data of student %s is erased.".formatted(studentId));
        return toPage(studentId);
    }

    private void requireErasures() {
        if (!erasure.isEnabled()) {
            throw new AbsentException(
                    "Erasures are disabled here.",
                    "Erasures are disabled here.",
                    OfficeReads.STUDENTS,
                    "Search for a student");
        }
    }
}
