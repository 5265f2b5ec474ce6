package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.imports.CourseFile.CourseLine;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Parses valid files of courses. */
class CourseFileReaderTest extends CourseFileFixture {
    @Test
    void every_row_of_csv_is_a_course() {
        CourseFile file = csv("""
                id,title,capacity,opensAt,closesAt
                maths,Mathematics,30,2026-09-01T08:00:00Z,2026-10-01T00:00:00Z
                music,Music,5,,
                """);

        assertThat(file.courses())
                .containsExactly(
                        course(2, "maths", "Mathematics", 30, SEPTEMBER),
                        course(3, "music", "Music", 5, EnrollmentWindow.ALWAYS));
        assertThat(file.lines()).isEqualTo(2);
        assertThat(file.errorCount()).isZero();
    }

    @Test
    void every_line_of_ndjson_is_a_course() {
        CourseFile file = ndjson("""
                {'id': 'maths', 'title': 'Mathematics', 'capacity': 30, 'opensAt': '2026-09-01T08:00:00Z', 'closesAt': '2026-10-01T00:00:00Z'}
                {'capacity': 5, 'closesAt': null, 'title': 'Music', 'id': 'music'}
                """);

        assertThat(file.courses())
                .containsExactly(
                        course(1, "maths", "Mathematics", 30, SEPTEMBER),
                        course(2, "music", "Music", 5, EnrollmentWindow.ALWAYS));
        assertThat(file.lines()).isEqualTo(2);
    }

    /* As the rest of the API, and as pandas writes a column of numbers of which one is missing. */
    @Test
    void a_whole_number_of_ndjson_may_have_a_fraction_of_zero() {
        CourseFile file = ndjson("{'id': 'maths', 'title': 'Mathematics', 'capacity': 30.0}");

        assertThat(file.errors()).isEmpty();
        assertThat(file.courses()).containsExactly(course(1, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
    }

    @Test
    void a_quoted_field_may_contain_commas_and_quotes() {
        CourseFile file = csv("""
                id,title,capacity
                maths,"Sets, ""naive"" ones",30
                latin,Latin,7
                """);

        assertThat(file.courses())
                .containsExactly(
                        course(2, "maths", "Sets, \"naive\" ones", 30, EnrollmentWindow.ALWAYS),
                        course(3, "latin", "Latin", 7, EnrollmentWindow.ALWAYS));
    }

    @Test
    void a_title_of_two_lines_is_refused_and_counts_as_two() {
        CourseFile file = csv("""
                id,title,capacity
                music,"Music
                for all",5
                latin,Latin,many
                """);

        assertThat(file.errors())
                .extracting(LineError::line, LineError::field)
                .containsExactly(tuple(2L, "title"), tuple(4L, "capacity"));
        assertThat(file.errors().getFirst().detail()).contains("control character", "Music\\u000Afor all");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\n", "\r\n"})
    void lines_can_end_as_on_any_system(String end) {
        assertThat(csv("id,title,capacity%smaths,Mathematics,30%s".formatted(end, end))
                        .courses())
                .containsExactly(course(2, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
        assertThat(ndjson("%s%s%s%s".formatted(object("maths"), end, object("music"), end))
                        .courses())
                .extracting(CourseLine::number)
                .containsExactly(1L, 2L);
    }

    @Test
    void the_last_line_needs_no_line_break() {
        assertThat(csv("id,title,capacity\nmaths,Mathematics,30").courses())
                .containsExactly(course(2, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
        assertThat(csv("id,capacity,title\nmaths,30,\"Mathematics\"").courses())
                .containsExactly(course(2, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
        assertThat(ndjson(object("maths")).courses()).hasSize(1);
    }

    @Test
    void empty_lines_are_counted_but_ignored() {
        assertThat(csv("\n\nid,title,capacity\n\nmaths,Mathematics,30\n\n\n").courses())
                .containsExactly(course(5, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
        assertThat(ndjson("\n \n%s\n\n".formatted(object("maths"))).courses())
                .extracting(CourseLine::number)
                .containsExactly(3L);
    }

    @Test
    void a_byte_order_mark_is_ignored() {
        assertThat(csv("\uFEFFid,title,capacity\nmaths,Mathematics,30\n").courses())
                .containsExactly(course(2, "maths", "Mathematics", 30, EnrollmentWindow.ALWAYS));
        assertThat(ndjson("\uFEFF" + object("maths")).courses()).hasSize(1);
    }

    @Test
    void a_title_may_have_the_maximum_length() {
        String longest = "x".repeat(CourseTitle.MAX_LENGTH);

        assertThat(csv("id,title,capacity\nmaths,%s,30".formatted(longest)).courses())
                .hasSize(1);
        assertThat(csv("id,title,capacity\nmaths,%sx,30".formatted(longest)).errors())
                .extracting(LineError::field)
                .containsExactly("title");
    }

    @ParameterizedTest
    @EnumSource
    void the_number_of_courses_of_a_file_is_limited(FileFormat format) {
        CourseFile full = read(courses(MAX_COURSES, format), format);
        CourseFile oneMore = read(courses(MAX_COURSES + 1, format), format);
        CourseFile manyMore = read(courses(MAX_COURSES + 100, format), format);

        assertThat(full.courses()).hasSize(MAX_COURSES);
        int line = MAX_COURSES + (format == FileFormat.CSV ? 2 : 1);
        assertThat(oneMore.errors()).containsExactly(error(line, null, "A file has at most 5 courses"));
        assertThat(oneMore.courses()).isEmpty();
        assertThat(oneMore.lines()).isEqualTo(MAX_COURSES);
        assertThat(manyMore).isEqualTo(oneMore);
    }
}
