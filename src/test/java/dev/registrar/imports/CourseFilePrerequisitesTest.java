package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.imports.CourseFile.CourseLine;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Parses the prerequisites of courses and reports those that cannot be satisfied. */
class CourseFilePrerequisitesTest extends CourseFileFixture {

    /* CSV has spaces between the ids, NDJSON a list; the order of the lines does not matter. */
    @Test
    void courses_have_prerequisites_in_the_file_and_elsewhere() {
        List<CourseLine> expected = List.of(
                course(2, "greek", Prerequisites.of(List.of("latin", "music"))),
                course(3, "latin", Prerequisites.NONE));

        assertThat(csv("id,title,capacity,prerequisites\ngreek,T,1, latin  music \nlatin,T,1,")
                        .courses())
                .isEqualTo(expected);
        assertThat(ndjson("\n{'id': 'greek', 'title': 'T', 'capacity': 1, 'prerequisites': ['latin', 'music', 'latin']}"
                                + "\n{'id': 'latin', 'title': 'T', 'capacity': 1, 'prerequisites': []}")
                        .courses())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "'latin'", "{}", "[5]", "[null]", "['']", "[' ']", "['a b']", "[['a']]"})
    void prerequisites_of_another_type_are_refused(String prerequisites) {
        CourseFile file =
                ndjson("{'id': 'greek', 'title': 'T', 'capacity': 1, 'prerequisites': %s}".formatted(prerequisites));

        assertThat(file.errors()).extracting(LineError::field).containsExactly("prerequisites");
        assertThat(file.errors().getFirst().detail()).startsWith("has the wrong type");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "-a", "c0 c1 c2 c3 c4 c5 c6 c7 c8 c9 c10 c11 c12 c13 c14 c15 c16", "a\tb"})
    void invalid_or_too_many_prerequisites_are_refused(String prerequisites) {
        CourseFile file = csv("id,title,capacity,prerequisites\ngreek,T,1,%s".formatted(prerequisites));

        assertThat(file.errors()).extracting(LineError::field).containsExactly("prerequisites");
        assertThat(file.courses()).isEmpty();
    }

    @Test
    void courses_that_require_each_other_are_refused() {
        CourseFile file = csv("""
                id,title,capacity,prerequisites
                a,T,1,b
                b,T,1,c free
                c,T,1,a
                free,T,1,
                own,T,1,own
                """);

        assertThat(file.errors()).extracting(LineError::line).containsExactly(2L, 3L, 4L);
        assertThat(file.errorCount()).isEqualTo(4);
        assertThat(file.courses()).isEmpty();
    }

    private static CourseLine course(long line, String id, Prerequisites prerequisites) {
        return new CourseLine(
                line,
                new DefineCourse(
                        new CourseId(id),
                        new CourseTitle("T"),
                        new Capacity(1),
                        EnrollmentWindow.ALWAYS,
                        prerequisites));
    }
}
