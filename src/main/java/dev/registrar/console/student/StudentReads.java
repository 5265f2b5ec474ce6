package dev.registrar.console.student;

import dev.registrar.catalog.Clashes;
import dev.registrar.catalog.CourseView;
import dev.registrar.catalog.CoursesView;
import dev.registrar.catalog.CoursesView.Cursor;
import dev.registrar.catalog.Current;
import dev.registrar.catalog.RostersView;
import dev.registrar.catalog.StudentView;
import dev.registrar.catalog.StudentsView;
import dev.registrar.catalog.WaitingListsView;
import dev.registrar.console.AbsentException;
import dev.registrar.console.ConsoleReads;
import dev.registrar.console.Visitor;
import dev.registrar.console.student.ShownCourse.Requirement;
import dev.registrar.console.student.ShownCourse.State;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.projection.ViewAt;
import jakarta.servlet.http.HttpServletRequest;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Reads what the pages of a student show: courses, and what the student is to each. */
@Component
final class StudentReads {
    /** Maximum number of entries in one list of a page. */
    static final int MOST = 25;

    private final ConsoleReads reads;
    private final CoursesView courses;
    private final StudentsView students;
    private final RostersView rosters;
    private final WaitingListsView waitingLists;
    private final Clashes clashes;
    private final InstantSource clock;
    private final HttpServletRequest request;

    /**
     * Reads for the current requests.
     *
     * @param store its time, by which commands are decided, says whether a course is open
     * @param request the current request of the calling thread
     */
    StudentReads(
            ConsoleReads reads,
            CoursesView courses,
            StudentsView students,
            RostersView rosters,
            WaitingListsView waitingLists,
            Clashes clashes,
            EventStore store,
            HttpServletRequest request) {
        this.reads = reads;
        this.courses = courses;
        this.students = students;
        this.rosters = rosters;
        this.waitingLists = waitingLists;
        this.clashes = clashes;
        this.clock = store.clock();
        this.request = request;
    }

    /**
     * Whose pages a visitor sees. The id comes from the visitor alone, never from a parameter.
     *
     * @param id the student's id; null if the visitor is no student, or has not chosen one
     * @param student null if no student is registered with the id, or there is no id
     * @param someStudents the first ones by name, for a visitor who chooses one; else empty
     */
    record Whose(@Nullable String id, @Nullable StudentView student, List<StudentView> someStudents) {
        Whose {
            someStudents = List.copyOf(someStudents);
        }
    }

    /** Finds out whose pages a visitor sees. */
    Whose whose(Visitor visitor) {
        StudentId student = visitor.student();
        if (student != null) {
            StudentView found = reads.read(students, tables -> StudentsView.find(tables, student))
                    .found()
                    .map(Current::view)
                    .orElse(null);
            return new Whose(student.value(), found, List.of());
        }
        return new Whose(
                null,
                null,
                visitor.isLocal()
                        ? reads.search(students, tables -> StudentsView.page(tables, "", null, MOST))
                                .found()
                                .students()
                        : List.of());
    }

    /** The ids of the student's courses that meet at the same time, by each of them. */
    Map<String, List<String>> clashing(StudentId student) {
        return clashes.ofStudent(student, reads::search);
    }

    boolean hasCourses() {
        return reads.read(courses, CoursesView::hasCourses).found();
    }

    /**
     * A page of courses.
     *
     * @param next where the next page begins; empty on the last page
     * @param at the position up to which the page contains all changes
     */
    record Page<N>(List<ShownCourse> courses, Optional<N> next, Position at) {
        /**
         * The course of a page of one course.
         *
         * @throws AbsentException if it was never defined
         */
        ShownCourse only(CourseId course) {
            return courses.stream()
                    .findFirst()
                    .orElseThrow(() -> AbsentException.course(course.value(), ShownCourses.PATH));
        }
    }

    /**
     * A page of the catalogue.
     *
     * @param student whose standing the courses have; null for none
     */
    Page<Cursor> catalogue(@Nullable StudentId student, ShownCourses shown) {
        ViewAt<CoursesView.Page> page = reads.search(
                courses,
                tables -> CoursesView.page(tables, shown.search(), shown.filter(), shown.sort(), shown.after(), MOST));
        return new Page<>(
                shown(student, page.found().courses(), page.position()),
                page.found().next(),
                page.position());
    }

    /** A page of one course, or of none if the course was never defined. */
    Page<Cursor> course(@Nullable StudentId student, CourseId course) {
        ViewAt<Optional<Current<CourseView>>> read = reads.read(courses, tables -> CoursesView.find(tables, course));
        List<CourseView> found = read.found().map(Current::view).map(List::of).orElse(List.of());
        return new Page<>(shown(student, found, read.position()), Optional.empty(), read.position());
    }

    /**
     * The courses in which a student is enrolled.
     *
     * @param atLeast a position whose changes the page contains, such as that of the waiting lists beside it
     */
    Page<Position> enrolled(StudentId student, Position after, Position atLeast) {
        Position seats = seatsAt();
        ViewAt<RostersView.Page> page = reads.read(
                rosters,
                seats.isAfter(atLeast) ? seats : atLeast,
                tables -> RostersView.ofStudent(tables, student, after, MOST));
        List<String> ids = page.found().enrollments().stream()
                .map(enrollment -> enrollment.courseId())
                .toList();
        return new Page<>(named(student, ids, page.position()), page.found().next(), page.position());
    }

    /** The courses for which a student waits. */
    Page<Position> waiting(StudentId student, Position after) {
        ViewAt<WaitingListsView.Page> page =
                reads.read(waitingLists, seatsAt(), tables -> WaitingListsView.ofStudent(tables, student, after, MOST));
        List<String> ids =
                page.found().places().stream().map(place -> place.courseId()).toList();
        return new Page<>(named(student, ids, page.position()), page.found().next(), page.position());
    }

    /** Whether a student is enrolled in at least this number of courses. */
    boolean hasAtLeast(StudentId student, int number) {
        return reads.read(rosters, tables -> RostersView.hasAtLeast(tables, student, number))
                .found();
    }

    /** Courses with these ids, such as those for which the student has waited; an unknown one is left out. */
    List<ShownCourse> among(StudentId student, Collection<String> ids) {
        return ids.isEmpty() ? List.of() : named(student, List.copyOf(ids), seatsAt());
    }

    private List<ShownCourse> named(StudentId student, List<String> ids, Position at) {
        Map<String, CourseView> found = byId(ids);
        return shown(
                student, ids.stream().filter(found::containsKey).map(found::get).toList(), at);
    }

    private Map<String, CourseView> byId(Collection<String> ids) {
        return ids.isEmpty()
                ? Map.of()
                : reads.read(courses, tables -> CoursesView.among(tables, ids)).found().stream()
                        .map(Current::view)
                        .collect(Collectors.toMap(CourseView::id, Function.identity()));
    }

    private List<ShownCourse> shown(@Nullable StudentId student, List<CourseView> found, Position at) {
        Set<String> required = new HashSet<>();
        found.forEach(course -> required.addAll(course.prerequisites()));
        Map<String, CourseView> requiredCourses = byId(required);
        Map<String, Standing> standings = standings(student, found, required, at);
        Instant now = clock.instant();
        return found.stream()
                .map(course -> new ShownCourse(
                        course,
                        State.of(course, now),
                        standings.getOrDefault(course.id(), Standing.NONE),
                        course.prerequisites().stream()
                                .map(id -> new Requirement(
                                        id,
                                        title(requiredCourses.get(id), id),
                                        standings.get(id) instanceof Standing.Enrolled))
                                .toList()))
                .toList();
    }

    static String title(@Nullable CourseView course, String id) {
        return course == null || course.title().isBlank() ? id : course.title();
    }

    private Map<String, Standing> standings(
            @Nullable StudentId student, List<CourseView> found, Set<String> required, Position at) {
        if (student == null || found.isEmpty()) {
            return Map.of();
        }
        Set<String> ids = found.stream().map(CourseView::id).collect(Collectors.toCollection(HashSet::new));
        Position atLeast = isPart() ? at : Position.START;
        Map<String, Standing> standings = new HashMap<>();
        var places = reads.read(waitingLists, atLeast, tables -> WaitingListsView.among(tables, student, ids));
        places.found().forEach(place -> standings.put(place.place().courseId(), Standing.of(place)));
        ids.addAll(required);
        // In this order, a seat that is given meanwhile is in the rosters, and at worst the place is shown, too.
        Position seats = places.position().isAfter(atLeast) ? places.position() : atLeast;
        reads.read(rosters, seats, tables -> RostersView.among(tables, student, ids))
                .found()
                .forEach(enrollment -> standings.put(enrollment.courseId(), Standing.of(enrollment)));
        return standings;
    }

    /* The page's script loads a part again because seats have changed: the other views must contain that change, too. */
    private Position seatsAt() {
        return isPart() ? reads.read(courses, tables -> true).position() : Position.START;
    }

    private boolean isPart() {
        return request.getHeader("HX-Request") != null;
    }
}
