package dev.registrar.catalog;

import dev.registrar.catalog.EnrollmentTable.Change;
import dev.registrar.catalog.EnrollmentTable.Pair;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.WaitingListChange;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The waiting lists of all courses. */
public record WaitingListsView(EnrollmentEventCodec codec) implements View {
    private static final EnrollmentTable WAITING = new EnrollmentTable("waiting");

    /**
     * A student who waits for a seat in a course.
     *
     * @param number 1 for the student whose turn is next
     */
    public record Place(String courseId, String studentId, Instant joinedAt, int number) {}

    /**
     * A place, and how long the list is.
     *
     * @param of number of students on the waiting list
     */
    public record PlaceInLine(Place place, int of) {}

    /**
     * A page of places in the order in which they were taken, which is the order of a course's waiting list.
     *
     * @param next the position after which the next page begins; empty on the last page
     */
    public record Page(List<Place> places, Optional<Position> next) {}

    @Override
    public String name() {
        return "waiting-lists";
    }

    @Override
    public int version() {
        return 2;
    }

    @Override
    public Query query() {
        return Query.of(EnrollmentEventCodec.types(WaitingListChange.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return codec.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        WAITING.create(tables);
    }

    @Override
    public void index(Tables tables) {
        WAITING.index(tables);
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        WAITING.apply(events.stream().map(this::change).toList(), tables);
    }

    private Change change(SequencedEvent event) {
        return switch ((WaitingListChange) codec.decode(event.event())) {
            case StudentJoinedWaitingList joined -> new Change(joined.course(), joined.student(), true, event);
            case StudentLeftWaitingList left -> new Change(left.course(), left.student(), false, event);
        };
    }

    /** A page of the waiting list of a course, in the order of the list. */
    public static Page ofCourse(Tables tables, CourseId course, Position after, int most) {
        List<Pair> pairs = WAITING.of(tables, "course", course.value(), after.value(), most + 1);
        int before = after.equals(Position.START) ? 0 : WAITING.upTo(tables, course, after.value());
        return page(
                IntStream.range(0, Math.min(most, pairs.size()))
                        .mapToObj(i -> place(pairs.get(i), before + i + 1))
                        .toList(),
                pairs,
                most);
    }

    /** A page of the places that a student has on waiting lists. */
    public static Page ofStudent(Tables tables, StudentId student, Position after, int most) {
        List<Pair> pairs = WAITING.of(tables, "student", student.value(), after.value(), most + 1);
        List<String> courses = pairs.stream().limit(most).map(Pair::course).toList();
        return page(
                among(tables, student, courses).stream().map(PlaceInLine::place).toList(), pairs, most);
    }

    private static Page page(List<Place> places, List<Pair> pairs, int most) {
        return new Page(
                places,
                pairs.size() <= most
                        ? Optional.empty()
                        : Optional.of(Position.of(pairs.get(most - 1).position())));
    }

    /** A student's place on the waiting list of a course; empty if there is none. */
    public static Optional<Current<Place>> find(Tables tables, CourseId course, StudentId student) {
        return WAITING.numbered(tables, student, List.of(course.value())).stream()
                .findFirst()
                .map(place -> new Current<>(
                        place(place.pair(), place.number()),
                        Position.of(place.pair().position())));
    }

    /** A student's places on the waiting lists of some courses, in the order in which they were taken. */
    public static List<PlaceInLine> among(Tables tables, StudentId student, Collection<String> courses) {
        return WAITING.numbered(tables, student, courses).stream()
                .map(place -> new PlaceInLine(place(place.pair(), place.number()), place.of()))
                .toList();
    }

    private static Place place(Pair pair, int number) {
        return new Place(pair.course(), pair.student(), pair.since(), number);
    }
}
