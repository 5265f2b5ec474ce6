package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEvent.CourseCapacityChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseClosed;
import dev.registrar.enrollment.EnrollmentEvent.CourseDefined;
import dev.registrar.enrollment.EnrollmentEvent.CoursePrerequisitesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTimesChanged;
import dev.registrar.enrollment.EnrollmentEvent.CourseTitleChanged;
import dev.registrar.enrollment.EnrollmentEvent.EnrollmentWindowChanged;
import dev.registrar.enrollment.EnrollmentEvent.StudentDroppedCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledByOverride;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEvent.StudentJoinedWaitingList;
import dev.registrar.enrollment.EnrollmentEvent.StudentLeftWaitingList;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.OverrideReason;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.enrollment.StudentId;
import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A course's history in sentences, for the course office, which may not read payloads. */
class CourseHistoryTest {
    private static final CourseId MATHS = new CourseId("maths");
    private static final StudentId ANN = new StudentId("ann");

    private final EnrollmentEventCodec codec = new EnrollmentEventCodec();
    private final InMemoryEventStore store = new InMemoryEventStore();

    @Test
    void each_event_of_the_domain_is_a_sentence_the_newest_first() {
        append(new CourseDefined(
                MATHS,
                new CourseTitle("Mathematics"),
                new Capacity(1),
                new EnrollmentWindow(Instant.parse("2027-01-01T00:00:00Z"), null),
                Prerequisites.of(List.of("logic"))));
        append(new CourseTitleChanged(MATHS, new CourseTitle("Sets \u202E&")));
        append(new EnrollmentWindowChanged(MATHS, EnrollmentWindow.ALWAYS));
        append(new CourseTimesChanged(MATHS, WeeklyTimes.of("Wed 9:00-10:00; Mon 10:00-11:30")));
        append(new CourseTimesChanged(MATHS, WeeklyTimes.NONE));
        append(new CourseCapacityChanged(MATHS, new Capacity(1_200)));
        append(new CoursePrerequisitesChanged(MATHS, Prerequisites.of(List.of("a", "b", "c"))));
        append(new CoursePrerequisitesChanged(MATHS, Prerequisites.NONE));
        append(new StudentEnrolledInCourse(ANN, MATHS));
        append(new StudentJoinedWaitingList(ANN, MATHS));
        append(new StudentLeftWaitingList(ANN, MATHS));
        append(new StudentDroppedCourse(ANN, MATHS));
        append(new StudentEnrolledByOverride(ANN, MATHS, new OverrideReason("Retakes \u202E% {0}")));
        append(new CourseClosed(MATHS));
        append(new CourseClosed(new CourseId("other")));

        assertThat(history(null, 50).entries())
                .extracting(CourseHistoryTest::sentence)
                .containsExactly(
                        "The course was closed.",
                        "Student ann was enrolled by override: “\u2068Retakes % {0}\u2069”.",
                        "Student ann was dropped.",
                        "Student ann left the waiting list.",
                        "Student ann joined the waiting list.",
                        "Student ann was enrolled.",
                        "The course no longer requires other courses.",
                        "The course now requires a, b, c.",
                        "The course now has 1,200 seats.",
                        "The course no longer has weekly times.",
                        "The course now meets weekly: Mon 10:00-11:30; Wed 09:00-10:00.",
                        "The course now takes enrollments always.",
                        "The course now has the title “\u2068Sets &\u2069”.",
                        "The course was defined as “\u2068Mathematics\u2069” with 1 seat, and takes enrollments from"
                                + " 2027-01-01T00:00:00Z on; it requires logic.");
    }

    @Test
    void a_page_leads_to_the_events_before_it() {
        for (int seats = 1; seats <= 5; seats++) {
            append(new CourseCapacityChanged(MATHS, new Capacity(seats)));
        }

        CourseHistory newest = history(null, 2);
        CourseHistory middle = history(newest.next(), 2);
        CourseHistory oldest = history(middle.next(), 2);

        assertThat(newest.entries()).extracting(CourseHistory.Entry::position).containsExactly(5L, 4L);
        assertThat(middle.entries()).extracting(CourseHistory.Entry::position).containsExactly(3L, 2L);
        assertThat(oldest.entries()).extracting(CourseHistory.Entry::position).containsExactly(1L);
        assertThat(oldest.next()).isNull();
    }

    @Test
    void unknown_and_unreadable_events_are_named_by_their_type_alone() {
        append(Event.of(
                "PaymentReceived", "{\"email\": \"ann@example.org\"}", "course:maths", "secret:ann@example.org"));
        append(Event.of("CourseClosed", "ann@example.org", "course:maths"));
        append(Event.of("StudentRegistered", "{\"email\": \"ann@example.org\"}", "course:maths"));

        assertThat(history(null, 50).entries()).allSatisfy(entry -> {
            assertThat(sentence(entry)).startsWith("An event of the type “").doesNotContain("ann");
        });
    }

    @Test
    void a_hostile_type_or_title_keeps_to_its_place_in_the_sentence() {
        append(Event.of("x\u2069\u202E<script>\n" + "y".repeat(200), "{}", "course:maths"));

        assertThat(sentence(history(null, 1).entries().getFirst()))
                .startsWith("An event of the type “\u2068x<script>\uFFFDyyy")
                .endsWith("yyy\u2069”, about which this page says no more.")
                .hasSizeLessThan(200);
    }

    @Test
    void the_actor_and_the_student_on_whose_behalf_it_acted_are_named() {
        append(
                new StudentEnrolledInCourse(ANN, MATHS),
                Actor.of("https://login", "clerk-7").onBehalfOf("ann"));
        append(new StudentEnrolledInCourse(ANN, MATHS), Actor.ofApplication("waiting-list"));
        append(new CourseClosed(MATHS));

        List<CourseHistory.Entry> entries = history(null, 50).entries();
        assertThat(entries)
                .extracting(CourseHistory.Entry::by)
                .containsExactly(null, "the service itself (waiting-list)", "clerk-7");
        assertThat(entries).extracting(CourseHistory.Entry::onBehalfOf).containsExactly(null, null, "ann");
    }

    @Test
    void a_place_that_the_service_itself_removes_was_not_left() {
        append(new StudentLeftWaitingList(ANN, MATHS), Actor.ofApplication("waiting-list"));

        assertThat(history(null, 50).entries())
                .extracting(CourseHistoryTest::sentence)
                .containsExactly("Student ann was taken off the waiting list.");
    }

    private static String sentence(CourseHistory.Entry entry) {
        CourseHistory.Sentence what = entry.sentence();
        return what.before() + String.join("", what.students()) + String.join(", ", what.courses()) + what.after();
    }

    private CourseHistory history(@Nullable Long before, int most) {
        return CourseHistory.of(store, codec, MATHS, before == null ? null : Position.of(before), most);
    }

    private void append(EnrollmentEvent event) {
        append(codec.encode(event).event());
    }

    private void append(Event event) {
        store.append(Append.of(event));
    }

    private void append(EnrollmentEvent event, Actor actor) {
        store.append(Append.of(codec.encode(event).event()).by(actor));
    }
}
