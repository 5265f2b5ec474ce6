package dev.registrar.console.office;

import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.catalog.WaitingListsView.Place;
import dev.registrar.console.ConsoleReads;
import dev.registrar.enrollment.CourseId;
import dev.registrar.eventstore.Position;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;
import org.springframework.ui.Model;

/** The page of one course, with a page of its roster and one of its waiting list. */
@Component
final class CoursePage {
    private final ConsoleReads reads;
    private final CoursesView courses;
    private final RostersView rosters;
    private final WaitingListsView waitingLists;
    private final Names names;

    CoursePage(
            ConsoleReads reads, CoursesView courses, RostersView rosters, WaitingListsView waitingLists, Names names) {
        this.reads = reads;
        this.courses = courses;
        this.rosters = rosters;
        this.waitingLists = waitingLists;
        this.names = names;
    }

    /**
     * A student of the course.
     *
     * @param place on the waiting list, from 1; 0 in a roster
     * @param name null if the list of students does not have the student yet
     */
    record Row(int place, String student, @Nullable String name, Instant since) {}

    /** What was typed into the forms of the page. */
    record Inputs(String capacity, String prerequisites, String student) {

        /** What the forms have before anything is typed. */
        static Inputs of(CourseView course) {
            return new Inputs(Integer.toString(course.capacity()), String.join(" ", course.prerequisites()), "");
        }

        Inputs withCapacity(String typed) {
            return new Inputs(typed, prerequisites, student);
        }

        Inputs withPrerequisites(String typed) {
            return new Inputs(capacity, typed, student);
        }

        Inputs withStudent(String typed) {
            return new Inputs(capacity, prerequisites, typed);
        }
    }

    /**
     * Where the pages of the two lists begin.
     *
     * @param roster the position behind which the page of the roster begins
     * @param waiting the position behind which the page of the waiting list begins
     * @param before number of students on earlier pages of the waiting list
     */
    record Start(long roster, long waiting, int before) {
        static final Start FIRST = new Start(0, 0, 0);

        Start {
            roster = Math.max(0, roster);
            waiting = Math.max(0, waiting);
            before = Math.clamp(before, 0, 1_000_000);
        }
    }

    /** The course; empty if there is none with the id. */
    Optional<CourseView> find(String courseId, HttpServletRequest request) {
        return OfficePages.course(courseId)
                .flatMap(course -> reads.read(request, courses, tables -> CoursesView.find(tables, course))
                        .found())
                .map(Current::view);
    }

    /** A student's enrollment in the course; empty if there is none. */
    Optional<Enrollment> enrollment(String courseId, String studentId, HttpServletRequest request) {
        return OfficePages.course(courseId)
                .flatMap(course -> OfficePages.student(studentId)
                        .flatMap(student -> reads.read(
                                        request, rosters, tables -> RostersView.find(tables, course, student))
                                .found()))
                .map(Current::view);
    }

    /** The name of the page, after its contents were added to the model. */
    String show(CourseView course, Inputs inputs, Faults faults, Start start, Model model, HttpServletRequest request) {
        CourseId id = new CourseId(course.id());
        RostersView.Page roster = reads.read(
                        request,
                        rosters,
                        tables -> RostersView.ofCourse(tables, id, Position.of(start.roster()), OfficePages.ROWS))
                .found();
        WaitingListsView.Page waiting = reads.read(
                        request,
                        waitingLists,
                        tables -> WaitingListsView.ofCourse(tables, id, Position.of(start.waiting()), OfficePages.ROWS))
                .found();
        Map<String, String> nameOf = names.ofStudents(
                Stream.concat(
                                roster.enrollments().stream().map(Enrollment::studentId),
                                waiting.places().stream().map(Place::studentId))
                        .toList(),
                request);
        model.addAttribute("course", course);
        model.addAttribute("inputs", inputs);
        model.addAttribute("faults", faults);
        model.addAttribute("start", start);
        model.addAttribute("roster", students(roster, nameOf));
        model.addAttribute("rosterNext", roster.next().map(Position::value).orElse(null));
        model.addAttribute("waiting", places(waiting, start.before(), nameOf));
        model.addAttribute("waitingNext", waiting.next().map(Position::value).orElse(null));
        return "console/office/course";
    }

    private static List<Row> students(RostersView.Page roster, Map<String, String> names) {
        return roster.enrollments().stream()
                .map(entry -> new Row(0, entry.studentId(), names.get(entry.studentId()), entry.enrolledAt()))
                .toList();
    }

    private static List<Row> places(WaitingListsView.Page waiting, int before, Map<String, String> names) {
        List<Row> rows = new ArrayList<>();
        for (Place place : waiting.places()) {
            rows.add(new Row(
                    before + rows.size() + 1, place.studentId(), names.get(place.studentId()), place.joinedAt()));
        }
        return rows;
    }
}
