package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.WeeklyTimes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parses the weekly times of courses. */
class CourseFileTimesTest extends CourseFileFixture {

    /* CSV has a text, which semicolons may separate into columns unless it is quoted; NDJSON has a list. */
    @Test
    void courses_have_times_in_the_file() {
        WeeklyTimes expected = WeeklyTimes.of("Mon 10:00-11:30; Wed 9:00-10:00");

        for (CourseFile file : new CourseFile[] {
            csv("id,title,capacity,times\ngreek,T,1,Mon 10:00-11:30; Wed 09:00-10:00\nlatin,T,1,"),
            csv("id;title;capacity;Times\ngreek;T;1;\"mon 10:00-11:30, wednesday 9:00 - 10:00\"\nlatin;T;1;"),
            ndjson("{'id': 'greek', 'title': 'T', 'capacity': 1, 'times':"
                    + " [{'day': 'WEDNESDAY', 'from': '09:00', 'to': '10:00'},"
                    + " {'day': 'MONDAY', 'from': '10:00', 'to': '11:30'}]}"
                    + "\n{'id': 'latin', 'title': 'T', 'capacity': 1, 'times': []}")
        }) {
            assertThat(file.errors()).isEmpty();
            assertThat(file.courses())
                    .extracting(line -> line.command().times())
                    .containsExactly(expected, WeeklyTimes.NONE);
        }
    }

    @Test
    void a_file_may_have_german_days_non_breaking_blanks_and_midnight() {
        WeeklyTimes expected = WeeklyTimes.of("Tue 20:00-24:00; Sun 10:00-11:00");

        for (CourseFile file : new CourseFile[] {
            csv("id;title;capacity;times\ngreek;T;1;Di\u00A020:00\u00A0-\u00A024:00, so 10:00-11:00"),
            ndjson("{'id': 'greek', 'title': 'T', 'capacity': 1, 'times':"
                    + " [{'day': 'TUESDAY', 'from': '20:00', 'to': '24:00'},"
                    + " {'day': 'SUNDAY', 'from': '10:00', 'to': '11:00'}]}")
        }) {
            assertThat(file.errors()).isEmpty();
            assertThat(file.courses())
                    .extracting(line -> line.command().times())
                    .containsExactly(expected);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"at ten", "Mon 10:00-10:00", "Mon 10:00-12:00; Mon 11:00-13:00", "Mon 10-12", "30"})
    void times_of_another_form_are_refused_in_a_sentence(String times) {
        CourseFile file = csv("id,title,capacity,times\ngreek,T,1,%s".formatted(times));

        assertThat(file.errors()).extracting(LineError::field).containsExactly("times");
        assertThat(file.errors().getFirst().detail()).matches("(A meeting|Meetings) .*");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "'Mon 10:00-11:30'",
                "{}",
                "[5]",
                "[null]",
                "[{}]",
                "[{'day': 'MONDAY', 'from': '10:00'}]",
                "[{'day': 'MONDAY', 'from': '10:00', 'to': null}]",
                "[{'day': 'MONDAY', 'from': '10:00', 'to': '11:00; Tue 10:00-11:00'}]",
                "[{'day': 'MONDAY', 'from': '10:00', 'to': '11:00', 'room': '1'}]"
            })
    void times_of_another_type_are_refused(String times) {
        CourseFile file = ndjson("{'id': 'greek', 'title': 'T', 'capacity': 1, 'times': %s}".formatted(times));

        assertThat(file.errors()).extracting(LineError::field).containsExactly("times");
        assertThat(file.errors().getFirst().detail()).startsWith("has the wrong type");
    }
}
