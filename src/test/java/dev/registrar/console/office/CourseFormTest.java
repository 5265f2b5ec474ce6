package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.DefineCourse;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The form that defines a course: what is typed becomes a command, or a sentence beside the field. */
class CourseFormTest {
    private final Faults faults = new Faults();

    @Test
    void a_complete_form_becomes_the_command() {
        DefineCourse command = new CourseForm(
                        "maths-101",
                        "Mathematics",
                        "30",
                        "maths-100, logic-1  sets-1",
                        "2027-02-01T08:00",
                        "2027-03-01 00:00",
                        "UTC",
                        "")
                .command(faults)
                .orElseThrow();

        assertThat(faults.isEmpty()).isTrue();
        assertThat(command.course()).isEqualTo(new CourseId("maths-101"));
        assertThat(command.title().value()).isEqualTo("Mathematics");
        assertThat(command.capacity().seats()).isEqualTo(30);
        assertThat(command.prerequisites().ids()).containsExactly("logic-1", "maths-100", "sets-1");
        assertThat(command.window().opensAt()).isEqualTo(Instant.parse("2027-02-01T08:00:00Z"));
        assertThat(command.window().closesAt()).isEqualTo(Instant.parse("2027-03-01T00:00:00Z"));
    }

    @Test
    void an_empty_form_has_a_fault_for_each_required_field() {
        assertThat(CourseForm.empty().command(faults)).isEmpty();

        assertThat(faults.all()).extracting(Faults.Fault::field).containsExactly("title", "capacity");
    }

    @Test
    void the_id_of_the_form_is_that_of_a_course_without_one() {
        assertThat(courseOf("", "new-1").value()).isEqualTo("new-1");
        assertThat(courseOf("maths", "new-1").value()).isEqualTo("maths");
        assertThat(courseOf("", "not/an/id").value()).isNotEqualTo("not/an/id");
        assertThat(CourseForm.empty().newId()).isNotEqualTo(CourseForm.empty().newId());
    }

    private CourseId courseOf(String id, String newId) {
        return new CourseForm(id, "Title", "3", "", "", "", "", newId)
                .command(faults)
                .orElseThrow()
                .course();
    }

    @ParameterizedTest
    @CsvSource({
        "UTC, 2027-07-01T08:00:00Z",
        "+02:00, 2027-07-01T06:00:00Z",
        "-11:30, 2027-07-01T19:30:00Z",
        "Europe/Berlin, 2027-07-01T06:00:00Z",
        "'', 2027-07-01T08:00:00Z"
    })
    void times_are_read_in_the_stated_zone(String zone, Instant opens) {
        assertThat(course("m", "2027-07-01T08:00", "", zone)
                        .orElseThrow()
                        .window()
                        .opensAt())
                .isEqualTo(opens);
    }

    @Test
    void an_hour_that_two_offsets_have_is_the_earlier_one() {
        assertThat(course("m", "2027-10-31T02:30", "", "Europe/Berlin")
                        .orElseThrow()
                        .window()
                        .opensAt())
                .isEqualTo(Instant.parse("2027-10-31T00:30:00Z"));
    }

    @ParameterizedTest
    @CsvSource({
        "2027-03-28T02:30, '', Europe/Berlin, opensAt",
        "soon, '', UTC, opensAt",
        "'', 2027-13-01T00:00, UTC, closesAt",
        "+10000-01-01T00:00, '', UTC, opensAt",
        "2027-02-01T08:00, 2027-02-01T08:00, UTC, closesAt",
        "2027-02-01T08:00, '', Atlantis/Capital, zone",
        "2027-02-01T08:00, '', +99:00, zone"
    })
    void a_time_that_cannot_be_meant_has_a_fault(String opens, String closes, String zone, String field) {
        assertThat(course("m", opens, closes, zone)).isEmpty();

        assertThat(faults.all()).extracting(Faults.Fault::field).containsExactly(field);
        assertThat(faults.of(field)).endsWith(".");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "-1", "1.5", "100001", "٣٠", "9999999999", "many", "1e3", "+5"})
    void a_number_of_seats_has_digits_and_bounds(String capacity) {
        assertThat(CourseForm.capacity(capacity, faults)).isEmpty();

        assertThat(faults.of("capacity")).isEqualTo("Type a whole number of seats, 1 to 100,000.");
    }

    @Test
    void too_many_or_malformed_required_courses_have_a_fault() {
        assertThat(CourseForm.prerequisites("m1 m2 <b>", faults)).isEmpty();
        Faults many = new Faults();
        assertThat(CourseForm.prerequisites("a b c d e f g h i j k l m n o p q", many))
                .isEmpty();

        assertThat(faults.of("prerequisites")).startsWith("“\u2068<b>\u2069” is not the id of a course.");
        assertThat(many.of("prerequisites")).contains("at most 16", "here are 17");
        assertThat(Typed.ids(" , ;")).isEqualTo(List.of());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "-a", "../x", "<script>", "é"})
    void a_malformed_id_has_a_fault_that_quotes_it(String id) {
        assertThat(course(id, "", "", "UTC")).isEmpty();

        assertThat(faults.of("id")).startsWith("“\u2068%s\u2069” is not the id of a course.".formatted(id));
    }

    private Optional<DefineCourse> course(String id, String opens, String closes, String zone) {
        return new CourseForm(id, "Title", "3", "", opens, closes, zone, "").command(faults);
    }
}
