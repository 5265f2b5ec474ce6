package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.Capacity;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.CourseTitle;
import dev.registrar.enrollment.DefineCourse;
import dev.registrar.enrollment.EnrollmentWindow;
import dev.registrar.enrollment.Prerequisites;
import dev.registrar.imports.CourseFile.CourseLine;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Each course of a file comes in a later round than its prerequisites. */
class DefinitionOrderTest {

    @Test
    void a_round_is_in_the_order_of_the_lines() {
        assertThat(ids(
                        line(1, "both", "x", "y"),
                        line(2, "second", "y"),
                        line(3, "first", "x"),
                        line(4, "y"),
                        line(5, "x")))
                .containsExactly(List.of("y", "x"), List.of("both", "second", "first"));
    }

    @Test
    void a_cycle_and_the_courses_that_require_it_are_in_no_round() {
        assertThat(ids(line(1, "a", "b"), line(2, "b", "a"), line(3, "c", "b"), line(4, "own", "own"), line(5, "free")))
                .containsExactly(List.of("free"));
    }

    /* As long as the largest file: the algorithm must not recurse, and must not search all courses for each course. */
    @Test
    void a_long_chain_has_a_round_for_each_course() {
        List<CourseLine> chain = new ArrayList<>();
        for (int i = 0; i < 100_000; i++) {
            chain.add(i == 0 ? line(i, "c0") : line(i, "c" + i, "c" + (i - 1)));
        }
        Collections.reverse(chain);

        assertThat(DefinitionOrder.rounds(chain)).hasSize(100_000);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void prerequisites_come_first_in_every_file_without_cycles(long seed) {
        Random random = new Random(seed);
        List<CourseLine> lines = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            String[] earlier = i == 0
                    ? new String[0]
                    : IntStream.range(0, random.nextInt(4))
                            .mapToObj(each -> "c" + random.nextInt(lines.size()))
                            .distinct()
                            .toArray(String[]::new);
            lines.add(line(i, "c" + i, earlier));
        }
        Collections.shuffle(lines, random);

        Set<CourseId> defined = new HashSet<>();
        for (List<CourseLine> round : DefinitionOrder.rounds(lines)) {
            round.forEach(line -> assertThat(defined)
                    .containsAll(line.command().prerequisites().courses()));
            round.forEach(line -> defined.add(line.command().course()));
        }
        assertThat(defined).hasSize(200);
    }

    private static List<List<String>> ids(CourseLine... lines) {
        return DefinitionOrder.rounds(List.of(lines)).stream()
                .map(round -> round.stream()
                        .map(line -> line.command().course().value())
                        .toList())
                .toList();
    }

    private static CourseLine line(long number, String id, String... prerequisites) {
        return new CourseLine(
                number,
                new DefineCourse(
                        new CourseId(id),
                        new CourseTitle("T"),
                        new Capacity(1),
                        EnrollmentWindow.ALWAYS,
                        Prerequisites.of(List.of(prerequisites))));
    }
}
