package dev.registrar.console.office;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.Clashes.Clash;
import dev.registrar.catalog.CourseLimits;
import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.RequiredCourses;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.catalog.RostersView.RosterEntry;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.console.AbsentException;
import dev.registrar.console.ConsoleCommands;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.ChangeCapacity;
import dev.registrar.enrollment.ChangeTimes;
import dev.registrar.enrollment.ChangeTitle;
import dev.registrar.enrollment.ChangeWindow;
import dev.registrar.enrollment.CloseCourse;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DropStudent;
import dev.registrar.enrollment.EnrollByOverride;
import dev.registrar.enrollment.EnrollStudent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.http.download.CatalogFiles;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Controller;
import org.springframework.ui.Model;
import org.springframework.validation.BindingResult;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;

/**
 * One course, its forms, and its history. What cannot be taken back is confirmed first: a course's end, a student's
 * drop.
 */
@Controller
@RequestMapping(OfficeReads.COURSES + "/{courseId}")
final class CoursePageController {
    /** Maximum number of students whom a sentence names. */
    private static final int NAMED = 5;

    private final ConsoleReads views;
    private final RostersView rosters;
    private final WaitingListsView waitingLists;
    private final CourseLimits limits;
    private final Clashes clashes;
    private final OfficeReads reads;
    private final ConsoleCommands commands;
    private final CatalogFiles files;
    private final EventStore store;
    private final EnrollmentEventCodec codec;
    private final EnrollmentSettings settings;

    CoursePageController(
            ConsoleReads views,
            RostersView rosters,
            WaitingListsView waitingLists,
            CourseLimits limits,
            Clashes clashes,
            OfficeReads reads,
            ConsoleCommands commands,
            CatalogFiles files,
            EventStore store,
            EnrollmentEventCodec codec,
            EnrollmentSettings settings) {
        this.views = views;
        this.rosters = rosters;
        this.waitingLists = waitingLists;
        this.limits = limits;
        this.clashes = clashes;
        this.reads = reads;
        this.commands = commands;
        this.files = files;
        this.store = store;
        this.codec = codec;
        this.settings = settings;
    }

    record TitleForm(@NotNull CourseTitle title) {
        @SuppressWarnings("NullAway") // a title that cannot be typed
        static TitleForm of(CourseView course) {
            return new TitleForm(FieldFormats.typed(course.title(), CourseTitle::new));
        }
    }

    record CapacityForm(@NotNull Capacity capacity) {}

    record PrerequisitesForm(@Nullable Prerequisites prerequisites) {
        Prerequisites all() {
            return prerequisites == null ? Prerequisites.NONE : prerequisites;
        }
    }

    record TimesForm(@Nullable WeeklyTimes times) {
        WeeklyTimes all() {
            return times == null ? WeeklyTimes.NONE : times;
        }
    }

    record EnrollmentForm(@NotNull StudentId student) {
        @SuppressWarnings("NullAway") // a form before anything is typed
        static final EnrollmentForm EMPTY = new EnrollmentForm(null);
    }

    record OverrideForm(
            @NotNull StudentId admitted, @NotNull OverrideReason reason) {
        @SuppressWarnings("NullAway") // a form before anything is typed
        static final OverrideForm EMPTY = new OverrideForm(null, null);
    }

    /**
     * Where the pages of the two lists begin.
     *
     * @param roster the position behind which the page of the roster begins
     * @param waiting the position behind which the page of the waiting list begins
     */
    record Start(long roster, long waiting) {
        static final Start FIRST = new Start(0, 0);

        Start {
            roster = Math.max(0, roster);
            waiting = Math.max(0, waiting);
        }
    }

    @GetMapping
    String show(
            @PathVariable CourseId courseId,
            @RequestParam(defaultValue = "0") long roster,
            @RequestParam(defaultValue = "0") long waiting,
            Model model) {
        return show(courseId, new Start(roster, waiting), model);
    }

    private String show(CourseId id, Start start, Model model) {
        CourseView course = reads.course(id);
        RostersView.Roster roster = views.read(
                        rosters,
                        tables -> RostersView.ofCourse(tables, id, Position.of(start.roster()), OfficeReads.ROWS))
                .found();
        WaitingListsView.Page waiting = views.read(
                        waitingLists,
                        tables -> WaitingListsView.ofCourse(tables, id, Position.of(start.waiting()), OfficeReads.ROWS))
                .found();
        model.addAttribute("course", course);
        model.addAttribute("start", start);
        model.addAttribute("roster", roster);
        model.addAttribute("overriddenBy", OfficeReads.overriddenBy(roster, RosterEntry::studentId));
        model.addAttribute("clashing", clashing(id, roster));
        model.addAttribute("waiting", waiting);
        model.addAttribute("atLimit", limits.reached(waiting.places(), views::read));
        model.addAttribute(
                "names",
                reads.names(Stream.concat(
                        roster.enrollments().stream().map(RosterEntry::studentId),
                        waiting.places().stream().map(Place::studentId))));
        model.addAttribute("windowType", WindowForm.of(course).inputType());
        // The form that was sent is in the model already.
        model.mergeAttributes(Map.of(
                "titleForm",
                TitleForm.of(course),
                "windowForm",
                WindowForm.of(course),
                "capacityForm",
                new CapacityForm(new Capacity(course.capacity())),
                "prerequisitesForm",
                new PrerequisitesForm(Prerequisites.of(course.prerequisites())),
                "timesForm",
                new TimesForm(course.times()),
                "enrollmentForm",
                EnrollmentForm.EMPTY,
                "overrideForm",
                OverrideForm.EMPTY));
        return "console/office/course";
    }

    /* The courses that meet at the same time, by the ids of the students who are here by override. */
    private Map<String, List<String>> clashing(CourseId course, RostersView.Roster roster) {
        List<String> byOverride = roster.enrollments().stream()
                .filter(row -> row.override() != null)
                .map(RosterEntry::studentId)
                .toList();
        return clashes.of(course, byOverride, views::search);
    }

    /** All pages of the roster, as a file for a spreadsheet. */
    @GetMapping(params = OfficeReads.DOWNLOAD)
    void download(@PathVariable CourseId courseId, HttpServletResponse response) throws IOException {
        CourseView course = reads.course(courseId);
        files.sendRoster(new CourseId(course.id()), true, views, response);
    }

    private static String toPage(CourseId course) {
        return "redirect:%s/%s".formatted(OfficeReads.COURSES, course);
    }

    @PostMapping("/title")
    String changeTitle(
            @PathVariable CourseId courseId, @Valid @ModelAttribute TitleForm typed, BindingResult form, Model model) {
        if (!commands.give(form, "title", () -> new ChangeTitle(courseId, typed.title()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done("Course %s has a new title.".formatted(courseId));
        return toPage(courseId);
    }

    @PostMapping("/capacity")
    String changeCapacity(
            @PathVariable CourseId courseId,
            @Valid @ModelAttribute CapacityForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(form, "capacity", () -> new ChangeCapacity(courseId, typed.capacity()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done("Course %s now has %s."
                .formatted(courseId, CourseHistory.seats(typed.capacity().seats())));
        return toPage(courseId);
    }

    @PostMapping("/window")
    String changeWindow(
            @PathVariable CourseId courseId, @Valid @ModelAttribute WindowForm typed, BindingResult form, Model model) {
        Optional<EnrollmentWindow> window = typed.window(form);
        if (window.isEmpty()
                || !commands.give(form, "opensAt", () -> new ChangeWindow(courseId, window.orElseThrow()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done("Course %s now takes enrollments %s.".formatted(courseId, window.get()));
        return toPage(courseId);
    }

    @PostMapping("/prerequisites")
    String changePrerequisites(
            @PathVariable CourseId courseId,
            @Valid @ModelAttribute PrerequisitesForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(form, "prerequisites", () -> RequiredCourses.change(store, codec, courseId, typed.all()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done(
                typed.all().isEmpty()
                        ? "Course %s no longer requires other courses.".formatted(courseId)
                        : "Course %s now requires: %s."
                                .formatted(
                                        courseId, String.join(", ", typed.all().ids())));
        return toPage(courseId);
    }

    @PostMapping("/times")
    String changeTimes(
            @PathVariable CourseId courseId, @Valid @ModelAttribute TimesForm typed, BindingResult form, Model model) {
        if (!commands.give(form, "times", () -> new ChangeTimes(courseId, typed.all()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done(
                typed.all().isEmpty()
                        ? "Course %s no longer has weekly times.".formatted(courseId)
                        : "Course %s now meets weekly: %s. %s".formatted(courseId, typed.all(), clashing(courseId)));
        return toPage(courseId);
    }

    /* Who clashes now, as a sentence. */
    private String clashing(CourseId course) {
        return views.afterCommand(searches ->
                        clashes.of(course, Position.START, NAMED, searches).found())
                .map(CoursePageController::described)
                .orElse("Which students are now in another course at these times, is not known yet: open the list of"
                        + " students whose courses overlap.");
    }

    private static String described(Clashes.Page page) {
        if (page.count() == 0) {
            return page.isCut()
                    ? "The first students are in no other course at these times; there are too many to compare all."
                    : "No student of the course is in another course at these times.";
        }
        String names = page.students().stream().map(Clash::studentId).collect(Collectors.joining(", "));
        return "%s%s now in another course at the same time: %s%s."
                .formatted(
                        page.isCut() ? "At least " : "",
                        page.count() == 1 ? "1 student is" : page.count() + " students are",
                        names,
                        page.count() > page.students().size() ? " and others" : "");
    }

    @PostMapping("/students")
    String enroll(
            @PathVariable CourseId courseId,
            @Valid @ModelAttribute EnrollmentForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(
                form, "student", () -> new EnrollStudent(typed.student(), courseId, settings.coursesPerStudent()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done("Student %s is enrolled in course %s.".formatted(typed.student(), courseId));
        return toPage(courseId);
    }

    @PostMapping("/override")
    String override(
            @PathVariable CourseId courseId,
            @Valid @ModelAttribute OverrideForm typed,
            BindingResult form,
            Model model) {
        if (!commands.give(form, "admitted", () -> new EnrollByOverride(typed.admitted(), courseId, typed.reason()))) {
            return show(courseId, Start.FIRST, model);
        }
        commands.done("Student %s is enrolled in course %s by override.".formatted(typed.admitted(), courseId));
        return toPage(courseId);
    }

    @GetMapping("/close")
    String confirmClose(@PathVariable CourseId courseId, Model model) {
        model.addAttribute("course", reads.course(courseId));
        return "console/office/close";
    }

    @PostMapping("/close")
    String close(@PathVariable CourseId courseId) {
        commands.give(new CloseCourse(courseId), "Course %s is closed.".formatted(courseId));
        return toPage(courseId);
    }

    @GetMapping("/students/{studentId}/drop")
    String confirmDrop(@PathVariable CourseId courseId, @PathVariable StudentId studentId, Model model) {
        Optional<Enrollment> enrolled = views.read(rosters, tables -> RostersView.find(tables, courseId, studentId))
                .found()
                .map(Current::view);
        model.addAttribute("course", reads.course(courseId));
        model.addAttribute("enrollment", enrolled.orElseThrow(CoursePageController::notEnrolled));
        model.addAttribute("name", reads.names(Stream.of(studentId.value())).get(studentId.value()));
        return "console/office/drop";
    }

    private static AbsentException notEnrolled() {
        return new AbsentException(
                "This student is not enrolled in this course.",
                "The page appears when the view has caught up; until then it is not found.",
                OfficeReads.COURSES,
                "Search for a course");
    }

    @PostMapping("/students/{studentId}/drop")
    String drop(@PathVariable CourseId courseId, @PathVariable StudentId studentId) {
        commands.give(
                new DropStudent(studentId, courseId),
                "Student %s is dropped from course %s.".formatted(studentId, courseId));
        return toPage(courseId);
    }

    @GetMapping("/history")
    String history(@PathVariable CourseId courseId, @RequestParam(defaultValue = "0") long before, Model model) {
        model.addAttribute("course", reads.course(courseId));
        CourseHistory history =
                CourseHistory.of(store, codec, courseId, before < 1 ? null : Position.of(before), OfficeReads.ROWS);
        model.addAttribute("first", before < 1);
        model.addAttribute("history", history);
        model.addAttribute("names", reads.names(history.students()));
        model.addAttribute("titles", reads.titles(history.courses()));
        return "console/office/history";
    }
}
