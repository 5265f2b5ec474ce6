package dev.registrar.console.office;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEmailChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentErased;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentNameChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentRegistered;
import dev.registrar.enrollment.EnrollmentEvent.StudentTierChanged;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.security.Caller;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A part of a course's history in sentences, the newest event first. It has what the course office may know: the
 * domain's events, ids and actors. Payloads, tags and metadata are for auditors and do not appear.
 *
 * @param next the position before which the next page begins; null on the last page
 */
record CourseHistory(List<Entry> entries, @Nullable Long next) {
    private static final int LONGEST_TYPE = 100;

    CourseHistory {
        entries = List.copyOf(entries);
    }

    /**
     * An event of the course.
     *
     * @param by the actor; null if unknown
     * @param onBehalfOf the student for whom the actor acted; null if the actor acted for itself
     */
    record Entry(
            long position,
            Instant recordedAt,
            Sentence sentence,
            @Nullable String by,
            @Nullable String onBehalfOf) {}

    /**
     * What happened. The page shows names in place of ids.
     *
     * @param before the words before the ids
     * @param students ids of students
     * @param courses ids of courses
     * @param after the words after the ids
     */
    record Sentence(String before, List<String> students, List<String> courses, String after) {
        static Sentence words(String words) {
            return new Sentence(words, List.of(), List.of(), "");
        }
    }

    /** The ids of the students that the page names. */
    Stream<String> students() {
        return entries.stream()
                .flatMap(entry ->
                        Stream.concat(entry.sentence().students().stream(), Stream.ofNullable(entry.onBehalfOf())));
    }

    /** The ids of the courses that the page names. */
    Stream<String> courses() {
        return entries.stream().flatMap(entry -> entry.sentence().courses().stream());
    }

    /**
     * Reads a page.
     *
     * @param before the position before which the page begins; null for the newest events
     * @param most maximum number of events on the page
     */
    static CourseHistory of(
            EventStore store, EnrollmentEventCodec codec, CourseId course, @Nullable Position before, int most) {
        ReadOptions newest = ReadOptions.backwards().limit(most + 1L);
        Query query = Query.of(QueryItem.any().tagged(course.tag().value()));
        try (EventStream events = store.read(query, before == null ? newest : newest.after(before))) {
            List<Entry> read = events.stream().map(event -> entry(event, codec)).toList();
            return read.size() <= most
                    ? new CourseHistory(read, null)
                    : new CourseHistory(
                            read.subList(0, most), read.get(most - 1).position());
        }
    }

    private static Entry entry(SequencedEvent stored, EnrollmentEventCodec codec) {
        Optional<EnrollmentEvent> event = codec.readable(stored.event());
        Actor actor = stored.actor();
        return new Entry(
                stored.position().value(),
                stored.recordedAt(),
                event.map(read -> sentence(read, actor))
                        .orElseGet(() -> Sentence.words("An event of the type %s, about which this page says no more."
                                .formatted(quoted(stored.event().type(), LONGEST_TYPE)))),
                actor == null ? null : name(actor),
                actor == null ? null : actor.onBehalfOf());
    }

    /** The actor's name on the pages of the office. */
    static String name(Actor actor) {
        return switch (actor.issuer()) {
            case Actor.APPLICATION -> "the service itself (%s)".formatted(actor.subject());
            case Caller.LOCAL -> actor.subject().equals(Caller.LOCAL) ? "the local user" : actor.subject();
            default -> actor.subject();
        };
    }

    private static Sentence sentence(EnrollmentEvent event, @Nullable Actor actor) {
        return switch (event) {
            case CourseDefined defined ->
                required(
                        "The course was defined as %s with %s%s%s%s"
                                .formatted(
                                        quoted(defined.title().value(), Integer.MAX_VALUE),
                                        seats(defined.capacity().seats()),
                                        window(defined.window()),
                                        defined.times().isEmpty()
                                                ? ""
                                                : "; it meets weekly (%s)".formatted(defined.times()),
                                        defined.prerequisites().isEmpty() ? "" : "; it requires "),
                        defined.prerequisites());
            case CourseTitleChanged changed ->
                Sentence.words("The course now has the title %s."
                        .formatted(quoted(changed.title().value(), Integer.MAX_VALUE)));
            case CourseCapacityChanged changed ->
                Sentence.words("The course now has %s."
                        .formatted(seats(changed.capacity().seats())));
            case EnrollmentWindowChanged changed ->
                Sentence.words("The course now takes enrollments %s.".formatted(changed.window()));
            case CoursePrerequisitesChanged changed ->
                required(
                        changed.prerequisites().isEmpty()
                                ? "The course no longer requires other courses"
                                : "The course now requires ",
                        changed.prerequisites());
            case CourseTimesChanged changed ->
                Sentence.words(
                        changed.times().isEmpty()
                                ? "The course no longer has weekly times."
                                : "The course now meets weekly: %s.".formatted(changed.times()));
            case CourseClosed closed -> Sentence.words("The course was closed.");
            case StudentEnrolledInCourse in -> student(in.student(), "was enrolled");
            case StudentEnrolledByOverride in ->
                student(
                        in.student(),
                        "was enrolled by override: %s"
                                .formatted(quoted(in.reason().value(), Integer.MAX_VALUE)));
            case StudentDroppedCourse out -> student(out.student(), "was dropped");
            case StudentJoinedWaitingList joined -> student(joined.student(), "joined the waiting list");
            case StudentLeftWaitingList left ->
                student(
                        left.student(),
                        actor != null && actor.issuer().equals(Actor.APPLICATION)
                                ? "was taken off the waiting list"
                                : "left the waiting list");
            // Events of students alone do not have the tag of a course.
            case StudentRegistered registered -> student(registered.student(), "was registered");
            case StudentNameChanged changed -> student(changed.student(), "has a new name");
            case StudentEmailChanged changed -> student(changed.student(), "has a new e-mail address");
            case StudentErased erased -> student(erased.student(), "was erased");
            case StudentTierChanged changed ->
                student(
                        changed.student(),
                        "now has the tier %s".formatted(changed.tier().code()));
        };
    }

    private static Sentence student(StudentId student, String what) {
        return new Sentence("Student ", List.of(student.value()), List.of(), " %s.".formatted(what));
    }

    private static Sentence required(String before, Prerequisites prerequisites) {
        return new Sentence(before, List.of(), prerequisites.ids(), ".");
    }

    private static String window(EnrollmentWindow window) {
        return window.opensAt() == null && window.closesAt() == null ? "" : ", and takes enrollments " + window;
    }

    /** A number of seats, for a sentence. */
    static String seats(int seats) {
        return seats == 1 ? "1 seat" : String.format(Locale.ENGLISH, "%,d seats", seats);
    }

    /*
     * Text of others inside a sentence, isolated in its direction (U+2068 to U+2069), so that it does not reorder the
     * words behind it. Characters that would end the isolation are left out.
     */
    private static String quoted(String text, int longest) {
        StringBuilder quoted = new StringBuilder("“\u2068");
        text.codePoints()
                .filter(character -> character < 0x202A || character > 0x202E)
                .filter(character -> character < 0x2066 || character > 0x2069)
                .map(character ->
                        Character.getType(character) == Character.SURROGATE || Character.isISOControl(character)
                                ? '\uFFFD'
                                : character)
                .limit(longest)
                .forEach(quoted::appendCodePoint);
        return quoted.append("\u2069”").toString();
    }
}
