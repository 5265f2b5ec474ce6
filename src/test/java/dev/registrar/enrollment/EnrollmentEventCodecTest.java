package dev.registrar.enrollment;

import static dev.registrar.enrollment.CourseOffice.ANN;
import static dev.registrar.enrollment.CourseOffice.MATHS;
import static dev.registrar.enrollment.CourseOffice.MUSIC;
import static dev.registrar.enrollment.CourseOffice.requires;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.EventCodec.Encoded;
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
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.TagSecret;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class EnrollmentEventCodecTest {
    private static final CourseTitle TITLE = new CourseTitle("„Maths\" \\ 数学 \uD83C\uDF93");
    private static final EnrollmentWindow WINDOW =
            new EnrollmentWindow(Instant.parse("2030-03-01T08:00:00Z"), Instant.parse("2030-03-15T20:00:00.123456Z"));

    /** Each event with its type and payload, which must never change: stores keep such events forever. */
    private static final List<Written> WRITTEN = List.of(
            new Written("CourseDefined", new CourseDefined(MATHS, TITLE, new Capacity(30), WINDOW), """
                    {"courseId":"maths","title":"„Maths\\" \\\\ 数学 \uD83C\uDF93","capacity":30,\
                    "opensAt":"2030-03-01T08:00:00Z","closesAt":"2030-03-15T20:00:00.123456Z"}"""),
            new Written("CourseTitleChanged", new CourseTitleChanged(MATHS, TITLE), """
                    {"courseId":"maths","title":"„Maths\\" \\\\ 数学 \uD83C\uDF93"}"""),
            new Written("EnrollmentWindowChanged", new EnrollmentWindowChanged(MATHS, WINDOW), """
                    {"courseId":"maths","opensAt":"2030-03-01T08:00:00Z","closesAt":"2030-03-15T20:00:00.123456Z"}"""),
            new Written(
                    "CoursePrerequisitesChanged",
                    new CoursePrerequisitesChanged(MATHS, Prerequisites.of(List.of("music", "latin"))),
                    """
                    {"courseId":"maths","prerequisites":["latin","music"]}"""),
            new Written(
                    "CourseTimesChanged",
                    new CourseTimesChanged(MATHS, WeeklyTimes.of("We 14:00-15:30, Mo 10:00-12:00")),
                    """
                    {"courseId":"maths","times":[{"day":"MONDAY","from":"10:00","to":"12:00"},\
                    {"day":"WEDNESDAY","from":"14:00","to":"15:30"}]}"""),
            new Written("CourseCapacityChanged", new CourseCapacityChanged(MATHS, new Capacity(31)), """
                    {"courseId":"maths","capacity":31}"""),
            new Written("CourseClosed", new CourseClosed(MATHS), """
                    {"courseId":"maths"}"""),
            new Written(
                    "StudentRegistered",
                    new StudentRegistered(ANN, new StudentName("Ann"), new EmailAddress("Ann@Example.org")),
                    """
                    {"studentId":"ann","name":"Ann","email":"Ann@Example.org"}"""),
            new Written("StudentNameChanged", new StudentNameChanged(ANN, new StudentName("Ann Arbor")), """
                    {"studentId":"ann","name":"Ann Arbor"}"""),
            new Written(
                    "StudentEmailChanged",
                    new StudentEmailChanged(
                            ANN, new EmailAddress("ann@example.com"), new EmailAddress("Ann@Example.org")),
                    """
                    {"studentId":"ann","email":"ann@example.com","formerEmail":"Ann@Example.org"}"""),
            new Written("StudentErased", new StudentErased(ANN), """
                    {"studentId":"ann"}"""),
            new Written("StudentTierChanged", new StudentTierChanged(ANN, Tier.PROFESSIONAL), """
                    {"studentId":"ann","tier":"professional"}"""),
            new Written("StudentEnrolledInCourse", new StudentEnrolledInCourse(ANN, MATHS), """
                    {"studentId":"ann","courseId":"maths"}"""),
            new Written(
                    "StudentEnrolledByOverride",
                    new StudentEnrolledByOverride(ANN, MATHS, new OverrideReason("Retakes the \"course\"")),
                    """
                    {"studentId":"ann","courseId":"maths","reason":"Retakes the \\"course\\""}"""),
            new Written("StudentDroppedCourse", new StudentDroppedCourse(ANN, MATHS), """
                    {"studentId":"ann","courseId":"maths"}"""),
            new Written("StudentJoinedWaitingList", new StudentJoinedWaitingList(ANN, MATHS), """
                    {"studentId":"ann","courseId":"maths"}"""),
            new Written("StudentLeftWaitingList", new StudentLeftWaitingList(ANN, MATHS), """
                    {"studentId":"ann","courseId":"maths"}"""));

    private final EnrollmentEventCodec codec = new EnrollmentEventCodec();

    record Written(String type, EnrollmentEvent event, String payload) {}

    @Test
    void the_tags_of_addresses_are_made_under_the_secret_and_queries_name_these() {
        EnrollmentEventCodec keyed =
                new EnrollmentEventCodec(new SimpleMeterRegistry(), TagSecret.of("0123456789abcdef0123456789abcdef"));
        StudentRegistered registered =
                new StudentRegistered(ANN, new StudentName("Ann"), new EmailAddress("ann@example.org"));

        Set<Tag> stored = keyed.encode(registered).tags();

        assertThat(stored)
                .contains(ANN.tag())
                .doesNotContainAnyElementsOf(registered.email().tags());
        Query addresses =
                keyed.withFormerTypes(EmailFacts.of(registered.email()).query());
        assertThat(addresses.matches(keyed.encode(registered).event())).isTrue();
        assertThat(addresses.matches(codec.encode(registered).event())).isFalse();
        assertThat(keyed.masked(registered).personalTags())
                .isEqualTo(Set.copyOf(
                        stored.stream().filter(tag -> !tag.equals(ANN.tag())).toList()));
    }

    @Test
    void the_cases_cover_every_event() {
        assertThat(WRITTEN).extracting(Written::type).containsExactlyInAnyOrderElementsOf(EnrollmentEventCodec.TYPES);
    }

    @ParameterizedTest
    @FieldSource("WRITTEN")
    void an_event_is_read_back_unchanged(Written written) {
        Encoded encoded = codec.encode(written.event());

        assertThat(codec.decode(encoded.type(), encoded.payload())).isEqualTo(written.event());
    }

    @ParameterizedTest
    @FieldSource("WRITTEN")
    void an_event_is_written_under_its_name_as_flat_json(Written written) {
        Encoded encoded = codec.encode(written.event());

        assertThat(encoded.type()).isEqualTo(written.type());
        assertThat(encoded.payload()).isEqualTo(written.payload());
    }

    @ParameterizedTest
    @FieldSource("WRITTEN")
    void a_store_that_validates_json_accepts_every_event(Written written) {
        Event event = codec.encode(written.event()).event();

        assertThat(StoreLimits.with(limits -> limits.validateJson = true).check(Append.of(event)))
                .isPositive();
    }

    /* Values that only earlier versions accepted: such an event must be valid JSON when it is written again. */
    @Test
    void every_character_of_a_title_is_written_as_json() {
        for (int character = 1; character < Character.MIN_SURROGATE; character++) {
            CourseTitle title = CourseTitle.stored("a" + (char) character);
            Event event = codec.encode(new CourseDefined(MATHS, title, new Capacity(1), WINDOW))
                    .event();

            assertThat(StoreLimits.with(limits -> limits.validateJson = true).check(Append.of(event)))
                    .as("character %s", character)
                    .isPositive();
        }
    }

    @ParameterizedTest
    @FieldSource("WRITTEN")
    void unknown_fields_of_a_payload_are_ignored(Written written) {
        String more = "{\"addedLater\":{\"a\":[1]}," + written.payload().substring(1);

        assertThat(codec.decode(codec.encode(written.event()).type(), more)).isEqualTo(written.event());
    }

    /* Another client of the store may append it, and must not stop decisions and views. */
    @ParameterizedTest
    @FieldSource("WRITTEN")
    void a_payload_of_a_version_that_the_domain_does_not_have_is_unreadable(Written written) {
        String versioned = "{\"@version\":2," + written.payload().substring(1);

        assertThatThrownBy(() -> codec.decode(written.type(), versioned)).isInstanceOf(IllegalArgumentException.class);
    }

    /* Earlier versions accepted them from clients, so stores keep them forever. */
    @Test
    void stored_values_outside_the_present_bounds_are_read() {
        CourseDefined course = (CourseDefined)
                codec.decode(
                        "CourseDefined",
                        "{\"courseId\":\"maths\",\"title\":\"a\\u0007\\n\",\"capacity\":1,\"opensAt\":\"-0001-01-01T00:00:00.000000001Z\",\"closesAt\":\"+10000-01-01T00:00:00Z\"}");
        StudentRegistered student = (StudentRegistered) codec.decode(
                "StudentRegistered", "{\"studentId\":\"ann\",\"name\":\"\\u200b\",\"email\":\"a\\u0000b@x.org\"}");

        assertThat(course.title().value()).isEqualTo("a\u0007\n");
        assertThat(course.window().opensAt()).isEqualTo(Instant.parse("-0001-01-01T00:00:00.000000001Z"));
        assertThat(course.window().closesAt()).isEqualTo(Instant.parse("+10000-01-01T00:00:00Z"));
        assertThat(course.window().isOpenAt(Instant.EPOCH)).isTrue();
        assertThat(student.name().value()).isEqualTo("\u200B");
        assertThat(student.email().value()).isEqualTo("a\u0000b@x.org");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "course:maths",
                "student:ann",
                "course:maths student:bob",
                "course:music student:ann",
                "course:music course:maths student:ann",
                "course:maths student:ann student:bob",
                "course:mathss student:ann",
                "course:xmaths student:ann"
            })
    void an_event_whose_tags_and_payload_disagree_cannot_be_read(String tags) {
        String payload = "{\"studentId\":\"ann\",\"courseId\":\"maths\"}";
        String type = "StudentEnrolledInCourse";

        assertThat(codec.readable(Event.of(type, payload, "course:maths", "room:5", "student:ann")))
                .contains(new StudentEnrolledInCourse(ANN, MATHS));
        assertThat(codec.readable(Event.of(type, payload, tags.split(" ")))).isEmpty();
        assertThat(codec.unreadable(Event.of(type, payload, tags.split(" "))))
                .hasValueSatisfying(reason -> assertThat(reason).contains(type));
    }

    @ParameterizedTest
    @MethodSource
    void a_window_may_lack_either_end(EnrollmentWindow window) {
        for (EnrollmentEvent event : List.of(
                new CourseDefined(MATHS, TITLE, new Capacity(1), window), new EnrollmentWindowChanged(MATHS, window))) {
            Encoded encoded = codec.encode(event);

            assertThat(codec.decode(encoded.type(), encoded.payload())).isEqualTo(event);
        }
    }

    static Stream<EnrollmentWindow> a_window_may_lack_either_end() {
        return Stream.of(
                EnrollmentWindow.ALWAYS,
                new EnrollmentWindow(WINDOW.opensAt(), null),
                new EnrollmentWindow(null, WINDOW.closesAt()));
    }

    @Test
    void an_event_is_tagged_with_its_course_and_student() {
        Tag course = Tag.of("course:maths");
        Tag student = Tag.of("student:ann");

        assertThat(codec.encode(new CourseClosed(MATHS)).tags()).isEqualTo(Set.of(course));
        assertThat(codec.encode(new CoursePrerequisitesChanged(MATHS, Prerequisites.NONE))
                        .tags())
                .isEqualTo(Set.of(course));
        assertThat(codec.encode(new CourseCapacityChanged(MATHS, new Capacity(1)))
                        .tags())
                .isEqualTo(Set.of(course));
        assertThat(codec.encode(new CourseDefined(MATHS, TITLE, new Capacity(1), WINDOW))
                        .tags())
                .isEqualTo(Set.of(course));
        assertThat(codec.encode(new CourseTitleChanged(MATHS, TITLE)).tags()).isEqualTo(Set.of(course));
        assertThat(codec.encode(new EnrollmentWindowChanged(MATHS, WINDOW)).tags())
                .isEqualTo(Set.of(course));
        assertThat(codec.encode(new StudentNameChanged(ANN, new StudentName("Ann")))
                        .tags())
                .isEqualTo(Set.of(student));
        assertThat(codec.encode(new StudentTierChanged(ANN, Tier.BASIC)).tags()).isEqualTo(Set.of(student));
        assertThat(codec.encode(new StudentEnrolledInCourse(ANN, MATHS)).tags()).isEqualTo(Set.of(course, student));
        assertThat(codec.encode(new StudentDroppedCourse(ANN, MATHS)).tags()).isEqualTo(Set.of(course, student));
        assertThat(codec.encode(new StudentJoinedWaitingList(ANN, MATHS)).tags())
                .isEqualTo(Set.of(course, student));
        assertThat(codec.encode(new StudentLeftWaitingList(ANN, MATHS)).tags()).isEqualTo(Set.of(course, student));
    }

    @Test
    void a_registration_is_tagged_with_the_hash_of_the_address_only() {
        StudentRegistered event =
                new StudentRegistered(ANN, new StudentName("Annabel Lee"), new EmailAddress("Annabel@Example.org"));

        List<String> tags =
                codec.encode(event).tags().stream().map(Tag::value).sorted().toList();

        // printf %s annabel@example.org | sha256sum
        assertThat(tags)
                .containsExactly(
                        "email:1b8a12e25e2c4cda021c32abd026c4e1647975f7bae18f40b5f982a245c7190e", "student:ann");
    }

    /* The former address is free at once, so decisions about it must see the event. */
    @Test
    void a_new_address_is_tagged_with_the_hashes_of_both_addresses() {
        EmailAddress email = new EmailAddress("new@example.org");
        EmailAddress former = new EmailAddress("Annabel@Example.org");

        assertThat(codec.encode(new StudentEmailChanged(ANN, email, former)).tags())
                .containsAll(email.tags())
                .containsAll(former.tags())
                .contains(Tag.of("student:ann"))
                .allSatisfy(tag -> assertThat(tag.value()).doesNotContain("@"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "{", "null", "[]", "{}", "{\"courseId\":\"maths\",\"title\":\"Maths\"}", "{\"courseId\":5}"})
    void a_payload_that_does_not_fit_its_type_is_refused(String payload) {
        for (String type : Arrays.asList(
                "CourseDefined",
                "CourseCapacityChanged",
                "CoursePrerequisitesChanged",
                "CourseTimesChanged",
                "StudentRegistered",
                "StudentNameChanged",
                "StudentEmailChanged",
                "StudentTierChanged",
                "StudentEnrolledInCourse",
                "StudentDroppedCourse",
                "StudentJoinedWaitingList",
                "StudentLeftWaitingList")) {
            assertThatThrownBy(() -> codec.decode(type, payload))
                    .as("%s %s", type, payload)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /* The cases above have a course without prerequisites, as it was stored before there were any. */
    @Test
    void a_course_with_prerequisites_names_them() {
        CourseDefined event = new CourseDefined(
                MATHS, new CourseTitle("M"), new Capacity(1), EnrollmentWindow.ALWAYS, requires(MUSIC));
        Encoded encoded = codec.encode(event);

        assertThat(encoded.payload())
                .isEqualTo(
                        "{\"courseId\":\"maths\",\"title\":\"M\",\"capacity\":1,\"opensAt\":null,\"closesAt\":null,\"prerequisites\":[\"music\"]}");
        assertThat(codec.decode(encoded.type(), encoded.payload())).isEqualTo(event);
    }

    /* The cases above have a course without weekly times, as it was stored before there were any. */
    @Test
    void a_course_with_weekly_times_is_defined_with_them() {
        CourseDefined event = new CourseDefined(
                MATHS,
                new CourseTitle("M"),
                new Capacity(1),
                EnrollmentWindow.ALWAYS,
                Prerequisites.NONE,
                WeeklyTimes.of("Mo 10:00–12:00"));
        Encoded encoded = codec.encode(event);

        assertThat(encoded.payload())
                .endsWith(",\"times\":[{\"day\":\"MONDAY\",\"from\":\"10:00\",\"to\":\"12:00\"}]}");
        assertThat(codec.decode(encoded.type(), encoded.payload())).isEqualTo(event);
    }

    /* Another client of the store may append them. No such payload may fail in another way, which would stop the views. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "[null]",
                "{}",
                "5",
                "[{}]",
                "[{\"day\":\"MONDAY\",\"from\":null,\"to\":\"12:00\"}]",
                "[{\"day\":null,\"from\":\"10:00\",\"to\":\"12:00\"}]",
                "[{\"day\":\"MO\",\"from\":\"10:00\",\"to\":\"12:00\"}]",
                "[{\"day\":\"MONDAY\",\"from\":\"10\",\"to\":\"12:00\"}]",
                "[{\"day\":\"MONDAY\",\"from\":\"12:00\",\"to\":\"12:00\"}]"
            })
    void times_must_be_a_list_of_meetings(String times) {
        assertThatThrownBy(() ->
                        codec.decode("CourseTimesChanged", "{\"courseId\":\"maths\",\"times\":%s}".formatted(times)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"null", "[]"})
    void no_prerequisites_can_be_written_in_several_ways(String none) {
        assertThat(codec.decode(
                        "CourseDefined",
                        "{\"courseId\":\"maths\",\"title\":\"M\",\"capacity\":1,\"prerequisites\":%s}".formatted(none)))
                .isEqualTo(new CourseDefined(MATHS, new CourseTitle("M"), new Capacity(1), EnrollmentWindow.ALWAYS));
    }

    /*
     * Another client of the store may append them. No such payload may fail in another way, which would stop the views.
     */
    @ParameterizedTest
    @ValueSource(
            strings = {"[null]", "[\"a\",null]", "[\"\"]", "[\"a b\"]", "{}", "\"a\"", "5", "[[\"a\"]]", "[{}]", "MANY"
            })
    void prerequisites_must_be_a_list_of_ids(String prerequisites) {
        String many = IntStream.rangeClosed(0, Prerequisites.MAX)
                .mapToObj("\"c%s\""::formatted)
                .collect(Collectors.joining(",", "[", "]"));
        String payload = "{\"courseId\":\"maths\",\"title\":\"M\",\"capacity\":1,\"prerequisites\":%s}"
                .formatted(prerequisites.replace("MANY", many));

        for (String type : List.of("CourseDefined", "CoursePrerequisitesChanged")) {
            assertThatThrownBy(() -> codec.decode(type, payload))
                    .as("%s %s", type, payload)
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    /* Codes are exact: the case counts, spaces are not allowed, and the name of the constant is not a code. */
    @ParameterizedTest
    @ValueSource(strings = {"gold", "BASIC", "Basic", " basic", "", "basic\\u0000"})
    void a_tier_that_does_not_exist_is_refused(String tier) {
        assertThatThrownBy(() ->
                        codec.decode("StudentTierChanged", "{\"studentId\":\"ann\",\"tier\":\"%s\"}".formatted(tier)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasStackTraceContaining("basic, standard, professional, master");
    }

    @Test
    void an_unreadable_payload_is_not_repeated_in_the_message() {
        assertThatThrownBy(() -> codec.decode("StudentRegistered", "{\"name\":\"Annabel\"}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("StudentRegistered")
                .hasStackTraceContaining("studentId")
                .satisfies(failure ->
                        assertThat(failure.toString() + failure.getCause()).doesNotContain("Annabel"));
    }

    @Test
    void a_fraction_of_a_seat_is_refused() {
        assertThatThrownBy(() -> codec.decode("CourseCapacityChanged", "{\"courseId\":\"maths\",\"capacity\":14.5}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CourseCapacityChanged");
    }

    @Test
    void an_unknown_type_is_refused() {
        assertThatThrownBy(() -> codec.decode("StudentGraduated", "{}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("Unknown event type: no event of EnrollmentEvent has the type 'StudentGraduated'");
    }
}
