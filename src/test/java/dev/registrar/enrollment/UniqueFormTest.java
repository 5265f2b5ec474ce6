package dev.registrar.enrollment;

import static org.assertj.core.api.Assertions.assertThat;

import java.text.Normalizer;
import java.text.Normalizer.Form;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which texts are equivalent and which are not. */
class UniqueFormTest {

    @ParameterizedTest
    @CsvSource({
        // composed and decomposed
        "\u00E9, e\u0301",
        // full width, ligature, Kelvin sign
        "\uFF21\uFF42, ab",
        "\uFB01, fi",
        "\u212A, k",
        // capitals, including those with a longer or an ambiguous small letter
        "ANN, ann",
        "\u1E9E, \u00DF",
        "\u0130, i\u0307",
        // an accent separated from its letter by an invisible character
        "e\u200B\u0301, \u00E9"
    })
    void equivalent_texts_have_the_same_form(String one, String form) {
        assertThat(UniqueForm.of(one)).isEqualTo(UniqueForm.of(form)).isEqualTo(form(form));
    }

    private static String form(String text) {
        return Normalizer.normalize(text, Form.NFC);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x00AD, 0x034F, 0x061C, 0x115F, 0x1160, 0x17B4, 0x180B, 0x180E, 0x180F, 0x200B, 0x200C, 0x200D, 0x202E,
                0x2060, 0x2065, 0x206F, 0x3164, 0xFE00, 0xFE0F, 0xFEFF, 0xFFA0, 0xFFF0, 0x1BCA0, 0x1D173, 0xE0001,
                        0xE0020,
                0xE007F, 0xE0100, 0xE01EF, 0xE0FFF
            })
    void ignorable_code_points_are_removed(int codePoint) {
        assertThat(UniqueForm.of("an" + Character.toString(codePoint) + "n")).isEqualTo("ann");
    }

    @ParameterizedTest
    @CsvSource({"\u00DF, ss", "\u0430, a", "\u0131, i", "o, 0", "a.b, ab", "\uFFF9, ''", "\u0600, ''"})
    void different_texts_have_different_forms(String one, String other) {
        assertThat(UniqueForm.of(one)).isNotEqualTo(UniqueForm.of(other));
    }

    @Test
    void the_removed_code_points_are_unicodes_default_ignorable_ones() {
        assertThat(IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                        .filter(codePoint -> codePoint < Character.MIN_SURROGATE || codePoint > Character.MAX_SURROGATE)
                        .filter(codePoint ->
                                UniqueForm.of(Character.toString(codePoint)).isEmpty())
                        .count())
                .isEqualTo(4_174);
    }

    @Test
    void the_form_is_idempotent() {
        IntStream.rangeClosed(0, Character.MAX_CODE_POINT)
                .mapToObj(Character::toString)
                .forEach(UniqueFormTest::assertStable);
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int[] hostile = {
            0x3A3, 0x130, 0x345, 0x301, 0x307, 0x200B, 0x3164, 0xFE0F, 'A', 'a', '@', 0xFDFA, 0x1E9E, 0x1100
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
        String form = UniqueForm.of(text);
        if (!UniqueForm.of(form).equals(form)) {
            assertThat(UniqueForm.of(form)).as(text).isEqualTo(form);
        }
    }
}
