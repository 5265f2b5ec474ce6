package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reports the errors of invalid files of courses by line. */
class CourseFileErrorsTest extends CourseFileFixture {
    @ParameterizedTest
    @EnumSource
    void a_file_without_a_course_is_an_error(FileFormat format) {
        for (String text : new String[] {"", "\uFEFF", "\n\n"}) {
            assertThat(read(text, format).errors()).containsExactly(error(1, null, "The file contains no course"));
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            id,title                   | 1 | capacity | is missing in the header
            title,capacity             | 1 | id       | is missing in the header
            id,title,capacity,room     | 1 | room     | is unknown; a course has id, title, capacity, opensAt, closesAt, prerequisites and times
            id,title,,capacity         | 1 | ''       | is unknown; a course has id, title, capacity, opensAt, closesAt, prerequisites and times
            id,title,capacity,courseId | 1 | id       | occurs twice in the header
            id,title,capacity,id       | 1 | id       | occurs twice in the header
            """)
    void an_invalid_header_is_reported_once(String header, long line, String field, String detail) {
        CourseFile file = csv(header + "\nmaths,Mathematics,30\nmusic,Music,5\n");

        assertThat(file.errors()).containsExactly(error(line, field, detail));
        assertThat(file.courses()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            ,Latin,1,,                                              | id       | is missing
            a b,Latin,1,,                                           | id       | but was 'a b'
            latin,,1,,                                              | title    | is missing
            latin,Latin,,,                                          | capacity | is missing
            latin,Latin,100001,,                                    | capacity | was 100001
            latin,Latin,many,,                                      | capacity | is not a number of seats: 'many'
            latin,Latin,1,soon,                                     | opensAt  | is not a time such as 2026-09-01T08:00:00Z: 'soon'
            latin,Latin,1,0000-09-01T08:00:00Z,                     | opensAt  | years 1 to 9999
            latin,Latin,1,+10000-01-01T00:00:00Z,                   | opensAt  | is not a time such as
            latin,Latin,1,,-0001-09-01T08:00:00Z                    | closesAt | is not a time such as
            latin,\u200B,1,,                                        | title    | control character
            latin,Latin,1,,2026-02-30T00:00:00Z                     | closesAt | is not a time
            latin,Latin,1,2026-09-02T00:00:00Z,2026-09-01T00:00:00Z | closesAt | Enrollment must close after it opens
            """)
    void an_invalid_value_is_reported_with_its_line_and_column(String row, String field, String detail) {
        CourseFile file = csv("id,title,capacity,opensAt,closesAt\nmaths,Mathematics,30,,\n" + row);

        assertThat(file.errorCount()).isOne();
        assertThat(file.errors()).singleElement().satisfies(error -> {
            assertThat(error.line()).isEqualTo(3);
            assertThat(error.field()).isEqualTo(field);
            assertThat(error.detail()).contains(detail);
        });
        assertThat(file.courses()).isEmpty();
        assertThat(file.lines()).isEqualTo(2);
    }

    @Test
    void all_invalid_values_of_all_lines_are_reported() {
        CourseFile file = csv("""
                id,title,capacity,opensAt
                maths,Mathematics,none,soon
                music,Music,5,
                la tin,Latin,7,
                """);

        assertThat(file.errors())
                .extracting(LineError::line, LineError::field)
                .containsExactly(tuple(2L, "capacity"), tuple(2L, "opensAt"), tuple(4L, "id"));
        assertThat(file.lines()).isEqualTo(3);
    }

    @Test
    void the_error_of_a_repeated_id_names_both_lines() {
        assertThat(csv("id,title,capacity\nmaths,A,1\nmusic,B,2\nmaths,C,3\nmaths,D,4\n")
                        .errors())
                .containsExactly(
                        error(4, "id", "is also the id in line 2"), error(5, "id", "is also the id in line 2"));
        assertThat(ndjson("%s\n\n%s".formatted(object("maths"), object("maths")))
                        .errors())
                .containsExactly(error(3, "id", "is also the id in line 1"));
    }

    @Test
    void a_row_has_as_many_fields_as_the_header() {
        CourseFile file = csv("""
                id,title,capacity
                maths,Mathematics
                music,Music,5,6
                latin,Latin,7
                """);

        assertThat(file.errors())
                .containsExactly(
                        error(2, null, "has 2 fields, but the header has 3"),
                        error(3, null, "has 4 fields, but the header has 3"));
        assertThat(file.courses()).isEmpty();
        assertThat(file.lines()).isEqualTo(3);
    }

    @Test
    void a_character_after_a_closing_quote_is_the_last_error() {
        CourseFile file = csv("""
                id,title,capacity
                maths,Mathematics,none
                music,Music,5
                latin,"Latin"!,7
                greek,Greek,none
                """);

        assertThat(file.errors()).extracting(LineError::line).containsExactly(2L, 3L);
        assertThat(file.errors().getLast().detail())
                .startsWith("In or after this line: ")
                .contains("quote")
                .doesNotContain("Exception");
        assertThat(file.courses()).isEmpty();
    }

    /* Otherwise the quoted title would contain all following lines. */
    @ParameterizedTest
    @ValueSource(strings = {"greek,9,Greek\n", "greek,9,Greek", "", "\n"})
    void an_unclosed_quote_hides_no_errors(String rest) {
        CourseFile file = csv("id,capacity,title\nmaths,30,Mathematics\nlatin,7,\"Latin\n" + rest);

        assertThat(file.errors()).containsExactly(error(3, null, "A quoted field begins here but does not end"));
        assertThat(file.courses()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"windows-1252", "UTF-16"})
    void ndjson_in_another_encoding_is_an_error(String charset) {
        byte[] other = object("maß").replace('\'', '"').getBytes(Charset.forName(charset));

        assertThat(reader.read(other, FileFormat.NDJSON).errors())
                .containsExactly(error(1, null, "The file is not in UTF-8"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "['maths']", "'maths'", "5", "true", "null"})
    void a_line_of_ndjson_must_be_an_object(String line) {
        CourseFile file = ndjson(line + "\n" + object("music"));

        assertThat(file.errors()).containsExactly(error(1, null, "is not a JSON object"));
        assertThat(file.lines()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "nonsense",
                "{'id': 'maths',}",
                "{'id': 'maths'} {'id': 'music'}",
                "{'id': 'maths'} x",
                "{'id': 'maths', 'id': 'music'}",
                "{'capacity': 1, 'title': 'Latin', 'capacity': 2}"
            })
    void after_malformed_json_the_other_lines_are_read(String line) {
        CourseFile file = ndjson(line + "\n" + object("music") + "\n{'id': 'latin', 'title': 'Latin'}");

        assertThat(file.errorCount()).isEqualTo(2);
        assertThat(file.errors().getFirst()).satisfies(error -> {
            assertThat(error.line()).isOne();
            assertThat(error.field()).isNull();
            assertThat(error.detail()).startsWith("is not JSON, or repeats a field, at column ");
        });
        assertThat(file.errors().getLast()).isEqualTo(error(3, "capacity", "is missing"));
        assertThat(file.lines()).isEqualTo(3);
    }

    @Test
    void json_that_is_nested_too_deeply_is_an_error_of_its_line() {
        assertThat(ndjson("[".repeat(10_000) + "\n" + object("music")).errors())
                .containsExactly(error(1, null, "is not JSON"));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            {'id': 'latin', 'title': 'Latin', 'capacity': '1'}                    | capacity | has the wrong type: "1"
            {'id': 'latin', 'title': 'Latin', 'capacity': 1.5}                    | capacity | has the wrong type: 1.5
            {'id': 'latin', 'title': 'Latin', 'capacity': null}                   | capacity | is missing
            {'id': 'latin', 'title': {'en': 'Latin'}, 'capacity': 1}              | title    | has the wrong type: {"en":"Latin"}
            {'id': 'latin', 'title': ' ', 'capacity': 1}                          | title    | is not blank
            {'id': 'latin', 'title': 'half \\ud800', 'capacity': 1}               | title    | has an unpaired surrogate
            {'id': 'latin', 'title': 'Latin', 'capacity': 1, 'opensAt': 1788249600} | opensAt  | has the wrong type: 1788249600
            {'id': 'latin', 'title': 'Latin', 'capacity': 1, 'closesAt': ''}      | closesAt | is not a time
            {'id': 'latin', 'title': 'Latin', 'capacity': 1, 'room': 'A'}         | room     | is unknown; a course has id, title, capacity, opensAt, closesAt, prerequisites and times
            """)
    void an_invalid_value_is_reported_with_its_line_and_field(String line, String field, String detail) {
        CourseFile file = ndjson(object("music") + "\n" + line);

        assertThat(file.errorCount()).isOne();
        assertThat(file.errors()).singleElement().satisfies(error -> {
            assertThat(error.line()).isEqualTo(2);
            assertThat(error.field()).isEqualTo(field);
            assertThat(error.detail()).contains(detail);
        });
        assertThat(file.courses()).isEmpty();
    }

    @Test
    void malformed_lines_count_towards_the_limit_of_lines() {
        assertThat(ndjson(courses(MAX_COURSES, FileFormat.NDJSON) + "nonsense").errors())
                .containsExactly(error(6, null, "A file has at most 5 courses"));
    }

    @ParameterizedTest
    @EnumSource
    void errors_beyond_the_reported_ones_are_counted(FileFormat format) {
        CourseFile file = read(courses(MAX_COURSES, format).replace("Mathematics", ""), format);

        assertThat(file.errors()).hasSize(MAX_ERRORS);
        assertThat(file.errorCount()).isEqualTo(MAX_COURSES);
    }

    @Test
    void an_error_quotes_a_bounded_part_of_the_file() {
        String time = "\uD83C\uDFB5".repeat(10_000);
        LineError ofValue = ndjson("{'id': 'latin', 'title': 'Latin', 'capacity': 1, 'opensAt': '%s'}".formatted(time))
                .errors()
                .getFirst();
        LineError ofField = ndjson("{'x\\ud800': 1, 'id': 'latin', 'title': 'Latin', 'capacity': 1}")
                .errors()
                .getFirst();

        assertThat(ofValue.detail().codePointCount(0, ofValue.detail().length()))
                .isEqualTo(300);
        assertThat(StandardCharsets.UTF_8.newEncoder().canEncode(ofValue.detail()))
                .isTrue();
        assertThat(ofField.field()).isEqualTo("x\uFFFD");
    }
}
