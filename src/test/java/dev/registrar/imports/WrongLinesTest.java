package dev.registrar.imports;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The lines of a file that an import quotes. */
class WrongLinesTest {

    @Test
    void lines_are_found_by_their_numbers_whatever_ends_them() {
        assertThat(of("\uFEFFa\r\nb\nc\rd", Set.of(1L, 3L, 4L, 9L)))
                .containsExactly(entry(1L, "a"), entry(3L, "c"), entry(4L, "d"));
    }

    @Test
    void a_long_line_is_cut_between_characters() {
        String line = "x".repeat(WrongLines.LONGEST - 2) + "\uD83D\uDE80\uD83D\uDE80";

        assertThat(of(line, Set.of(1L))).containsExactly(entry(1L, "x".repeat(WrongLines.LONGEST - 2) + "…"));
    }

    @Test
    void all_lines_together_have_a_bound() {
        Set<Long> numbers = LongStream.rangeClosed(1, 100).boxed().collect(Collectors.toSet());

        Map<Long, String> quoted = of(("y".repeat(400) + "\n").repeat(100), numbers);

        assertThat(quoted).hasSize(WrongLines.MOST / 400);
    }

    private static Map<Long, String> of(String file, Set<Long> numbers) {
        return WrongLines.of(file.getBytes(StandardCharsets.UTF_8), numbers);
    }
}
