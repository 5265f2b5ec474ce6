package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which texts a search does not tell apart, and which it does. */
class SearchFormTest {

    @ParameterizedTest
    @CsvSource({
        "CAF\u00C9, cafe\u0301",
        "\uFF21\uFF42\uFF11, ab1",
        "\uFB01n, FIN",
        "Stra\u00DFe, STRASSE",
        "\u1E9E, ss",
        "\u039F\u0394\u039F\u03A3, \u03BF\u03B4\u03BF\u03C2",
        "\u03C3, \u03C2",
        "\u0131, i",
        "\u0130stanbul, i\u0307stanbul",
        "\uAC00, \u1100\u1161",
        "an\u00ADn, ANN",
        "\u1FB3, \u0391\u0399"
    })
    void equal_texts(String one, String other) {
        assertThat(SearchForm.of(one)).isEqualTo(SearchForm.of(other));
    }

    @ParameterizedTest
    @CsvSource({"caf\u00E9, cafe", "\u0430, a", "100%, 100", "a_b, aob", "a\\b, ab", "a b, ab"})
    void different_texts(String one, String other) {
        assertThat(SearchForm.of(one)).isNotEqualTo(SearchForm.of(other));
    }

    @Test
    void a_form_fits_into_an_index() {
        assertThat(SearchForm.of("\uFDFA".repeat(CourseTitle.MAX_LENGTH))).hasSize(SearchForm.MAX_LENGTH);
        assertThat(SearchForm.of("\uD83D\uDE00".repeat(1_000))).hasSize(2 * SearchForm.MAX_LENGTH);
    }

    @Test
    void a_text_without_a_visible_character_has_a_form() {
        assertThat(SearchForm.of("")).isEmpty();
        assertThat(SearchForm.of("\u200B\u00AD")).isEmpty();
        assertThat(SearchForm.of("\u0301\u0323")).isEqualTo("\u0323\u0301");
    }

    @Test
    void the_form_is_idempotent() {
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .mapToObj(Character::toString)
                .forEach(SearchFormTest::assertStable);
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] hostile = {
            0x3A3, 0x3C2, 0x130, 0x345, 0x301, 0x307, 0x200B, 0xDF, 0x149, 0x1F0, 0x390, 0xFB03, 'A', 'a', 'i', 0xFDFA,
            0x1E9E, 0x1100, 0xD800, 0xDC00, 0
        };
        for (int i = 0; i < 20_000; i++) {
            StringBuilder text = new StringBuilder("seed " + seed + " ");
            for (int length = random.nextInt(1, 12); length > 0; length--) {
                text.appendCodePoint(
                        random.nextBoolean()
                                ? hostile[random.nextInt(hostile.length)]
                                : random.nextInt(Character.MAX_CODE_POINT + 1));
            }
            assertStable(text.toString());
        }
    }

    private static void assertStable(String text) {
        String form = SearchForm.of(text);
        if (!SearchForm.of(form).equals(form)) {
            assertThat(SearchForm.of(form)).as(text).isEqualTo(form);
        }
    }
}
