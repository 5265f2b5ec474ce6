package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.registrar.enrollment.EnrollmentWindow;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Reads CSV files as spreadsheets and data frames write them, and refuses in one sentence what is ambiguous. */
class OfficeProgramFilesTest extends CourseFileFixture {
    private static final Charset WINDOWS_1252 = Charset.forName("windows-1252");

    /* Excel with a German, an English and a Mac's region; a line that names the separator; Python's csv; pandas. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "id;title;capacity\r\nmaths;Maß;30\r\nmusic;Musik;5\r\n",
                "\uFEFFid,title,capacity\r\nmaths,Maß,30\r\nmusic,Musik,5\r\n",
                "id;title;capacity\rmaths;Maß;30\rmusic;Musik;5\r",
                "sep=;\r\nid;title;capacity\r\nmaths;Maß;30\r\nmusic;Musik;5\r\n",
                "\"SEP=\t\"\r\nid\ttitle\tcapacity\r\nmaths\tMaß\t30\r\nmusic\tMusik\t5\r\n",
                "course id\ttitle\tcapacity\r\nmaths\t\"Maß\"\t30\r\nmusic\tMusik\t5\r\n",
                "COURSE_ID,Course Title,capacity,\r\nmaths,Maß,30 ,\r\nmusic,Musik,5,\r\n",
                "id,title,capacity,,\r\n,,,,\r\nmaths,Maß,30,,\r\n,,,,\r\nmusic,Musik,5,,\r\n,,,,\r\n",
                ",Course Id,title,capacity\n0,maths,Maß,30.0\n1,music,Musik,5.0\n",
                ",Unnamed: 0,Course Id,title,capacity\n0,0,maths,Maß,30.0\n1,1,music,Musik,5.0\n",
                " Id , Title , Capacity , Opens At , closes-at \nmaths,Maß, 30,,\nmusic ,Musik,5,,\n",
            })
    void a_file_is_read_as_its_program_writes_it(String text) {
        CourseFile file = csv(text);

        assertThat(file.errors()).isEmpty();
        assertThat(file.note()).isNull();
        assertThat(file.courses())
                .extracting(
                        line -> line.command().course().value(),
                        line -> line.command().title().value(),
                        line -> line.command().capacity().seats())
                .containsExactly(tuple("maths", "Maß", 30), tuple("music", "Musik", 5));
    }

    /* As pandas writes a column of numbers of which one is missing. */
    @Test
    void errors_of_a_data_frame_are_reported_by_line_and_field() {
        assertThat(csv(",Course Id,title,capacity\n0,maths,\"Sets, and more\",30.0\n1,music,Musik,\n")
                        .errors())
                .containsExactly(error(3, "capacity", "is missing"));
        assertThat(csv(",id,title,capacity\nx,maths,Maths,30\n").errors())
                .containsExactly(
                        error(2, null, "has 'x' in a column without a name; name the column, or leave it out"));
    }

    /* "Unicode text" of Excel. */
    @ParameterizedTest
    @ValueSource(strings = {"UTF-16LE", "UTF-16BE"})
    void utf_16_with_a_byte_order_mark_is_read(String charset) {
        CourseFile file = reader.read(
                "\uFEFFid\ttitle\tcapacity\r\nmaths\tМатематика\t30\r\n".getBytes(Charset.forName(charset)),
                FileFormat.CSV);

        assertThat(file.courses()).containsExactly(course(2, "maths", "Математика", 30, EnrollmentWindow.ALWAYS));
        assertThat(file.note()).isNull();
    }

    @Test
    void a_file_in_windows_1252_is_read_and_the_report_says_so_once() {
        byte[] bytes = "id;title;capacity\r\nmaths;Maß – für €;30\r\nmusic;Übung;5\r\n".getBytes(WINDOWS_1252);

        CourseFile file = reader.read(bytes, FileFormat.CSV);

        assertThat(file.errors()).isEmpty();
        assertThat(file.courses())
                .containsExactly(
                        course(2, "maths", "Maß – für €", 30, EnrollmentWindow.ALWAYS),
                        course(3, "music", "Übung", 5, EnrollmentWindow.ALWAYS));
        assertThat(file.note())
                .isEqualTo("The file is not in UTF-8 and was read as Windows-1252; check the letters with accents");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            504B030414000600 | This is a workbook (xlsx) or another zip file; save it as CSV
            D0CF11E0A1B11AE1 | This is a workbook of an old format (xls); save it as CSV
            FFFE610062       | The file begins as UTF-16, but is not in it
            610081           | The file is not text in UTF-8, UTF-16 or Windows-1252
            690064002C00     | This looks like UTF-16 without a byte order mark; save it as CSV in UTF-8
            EFBBBF3C68746D6C | This is HTML or XML; save it as CSV
            0A5B7B           | This is JSON; send it as application/x-ndjson, one object a line
            """)
    void a_file_of_another_kind_is_refused_by_what_it_is(String bytes, String sentence) {
        CourseFile file = reader.read(HexFormat.of().parseHex(bytes), FileFormat.CSV);

        assertThat(file.errors()).containsExactly(error(1, null, sentence));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"id,title,capacity\"\r\n\"maths,\"\"Maths, 1\"\",30\"\r\n",
                "\"id;title;capacity\"\n\"maths;Maths;30\"\n",
                "sep=;\n\"id,title,capacity\"\n\"maths,Maths,30\"\n"
            })
    void rows_of_one_cell_are_refused(String text) {
        assertThat(csv(text).errors())
                .containsExactly(
                        error(
                                text.startsWith("sep") ? 2 : 1,
                                null,
                                "The whole row is one cell, such as one in quotes; split its text into columns, and save the file again"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.000", "1,5", "1 000", "30.5", "1'000", "30,0", "1,000"})
    void an_ambiguous_number_is_refused(String number) {
        assertThat(csv("id;title;capacity\nmaths;Maths;%s\n".formatted(number)).errors())
                .containsExactly(error(
                        2,
                        "capacity",
                        "is not a number of seats: '%s'; write a whole number without separators, such as 1000"
                                .formatted(number)));
    }

    @ParameterizedTest
    @CsvSource({
        "01.09.2026 08:00, 2026-09-01T08:00:00",
        "1.9.2026 8:00, 2026-09-01T08:00:00",
        "1.9.2026, 2026-09-01T00:00:00",
        "2026-09-01 08:00:30, 2026-09-01T08:00:30",
        "2026-09-01T08:00, 2026-09-01T08:00:00"
    })
    void a_time_without_an_offset_is_refused_with_how_to_write_it(String time, String written) {
        assertThat(csv("id;title;capacity;opensAt\nmaths;Maths;30;%s\n".formatted(time))
                        .errors())
                .containsExactly(error(
                        2,
                        "opensAt",
                        "is not a time such as 2026-09-01T08:00:00Z: '%s'; write %s and its offset from UTC, such as +01:00, or Z for UTC"
                                .formatted(time, written)));
    }

    /* As pandas writes a column of times with a zone. */
    @ParameterizedTest
    @ValueSource(strings = {"2026-09-01 08:00:00+02:00", "2026-09-01 06:00:00.000000+00:00", "2026-09-01 06:00:00Z"})
    void a_time_with_an_offset_may_have_a_space_before_it(String time) {
        CourseFile file = csv("id;title;capacity;opensAt\nmaths;Maths;30;%s\n".formatted(time));

        assertThat(file.errors()).isEmpty();
        assertThat(file.courses())
                .containsExactly(course(
                        2, "maths", "Maths", 30, new EnrollmentWindow(Instant.parse("2026-09-01T06:00:00Z"), null)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"31.02.2026 08:00", "9/1/2026 8:00", "01.09.26", "08:00", "1.9.2026 8 Uhr"})
    void a_time_that_may_mean_another_one_is_refused(String time) {
        assertThat(csv("id;title;capacity;opensAt\nmaths;Maths;30;%s\n".formatted(time))
                        .errors())
                .containsExactly(
                        error(2, "opensAt", "is not a time such as 2026-09-01T08:00:00Z: '%s'".formatted(time)));
    }

    @Test
    void a_cell_of_very_many_parts_is_no_number_of_seats() {
        assertThat(csv("id;title;capacity\nmaths;Maths;1%s\n".formatted(".1".repeat(50_000)))
                        .errors())
                .singleElement()
                .satisfies(error -> assertThat(error.detail()).startsWith("is not a number of seats: '1.1.1"));
    }

    @Test
    void an_ambiguous_separator_is_refused() {
        assertThat(csv("id,title;capacity\nmaths;Maths;30\n").errors())
                .containsExactly(
                        error(
                                1,
                                null,
                                "The header has more than one of comma, semicolon and tab; use one of them between the columns"));
        assertThat(csv("sep=x\nidxtitlexcapacity\n").errors())
                .containsExactly(error(1, null, "The line sep= must name a comma, a semicolon or a tab, but has 'x'"));
        assertThat(csv("sep=;\n").errors()).containsExactly(error(1, null, "The file contains no course"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "=1+1",
                "+49",
                "-x",
                "@sum(a1)",
                "'=1",
                "''=1",
                "' =1",
                " =1",
                "\uFF1D1",
                "'plain'",
                "a=1",
                "\t=",
                "'",
                "''"
            })
    void a_cell_comes_back_as_the_text_that_it_was(String text) {
        String cell = SpreadsheetText.cell(text);

        assertThat(SpreadsheetText.text(cell)).isEqualTo(text);
        assertThat(cell).doesNotMatch("(?s)\\s*[=+@\\-\uFF1D].*");
    }

    @Test
    void quoted_lines_are_in_the_encoding_of_the_file() {
        byte[] bytes = "id;title;capacity\r\nmaths;Maß;x\r\n".getBytes(WINDOWS_1252);

        assertThat(WrongLines.of(bytes, Set.of(2L))).containsEntry(2L, "maths;Maß;x");
        assertThat(WrongLines.of("PK\3\4".getBytes(StandardCharsets.UTF_8), Set.of(1L)))
                .hasSize(1);
    }
}
