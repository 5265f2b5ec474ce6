package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.http.HostileValues;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FieldTextTest {
    private static final int VALUES = 2_000;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "course:c1",
                " outer spaces ",
                "two\nlines\r\n\tand a tab",
                "C:\\new\\u0041",
                "\\",
                "\u202Eabc\u202C",
                "größe:\uD83D\uDC69\u200D\uD83D\uDC67",
                "\u2028\u00A0\uFEFF"
            })
    void a_field_means_the_value_that_it_was_made_from(String value) {
        String field = FieldText.of(value);

        assertThat(field).matches("[^\\p{Cntrl}\\u2028\\u2029\\u202E]*");
        assertThat(FieldText.value(field)).isEqualTo(value);
    }

    @Test
    void a_field_means_any_hostile_value_that_it_was_made_from() {
        HostileValues values = new HostileValues(new SplittableRandom(1));
        for (int i = 0; i < VALUES; i++) {
            String value = values.text();
            assertThat(FieldText.value(FieldText.of(value)))
                    .as(HostileValues.json(value))
                    .isEqualTo(value);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "course:c1, course:c1",
        "a\\b, a\\b",
        "a\\u00g0, a\\u00g0",
        "ends\\, ends\\",
        "\\u0041, A",
        "a\\\\n, a\\n"
    })
    void a_backslash_that_begins_no_escape_stays(String field, String value) {
        assertThat(FieldText.value("  " + field + " ")).isEqualTo(value);
    }

    @Test
    void hidden_characters_of_a_shown_text_are_escapes() {
        assertThat(Visible.line("a\n\u202Eb\u00A0\uD83C\uDF93\uDB40\uDDEF"))
                .isEqualTo("a\\n\\u202eb\\u00a0\uD83C\uDF93\\udb40\\uddef");
        assertThat(Visible.block("a\n\tb\r\u2066")).isEqualTo("a\n\tb\\r\\u2066");
        assertThat(Visible.beginning("abc", 3)).isEqualTo("abc");
        assertThat(Visible.beginning("abcd", 3)).isEqualTo("abc…");
        assertThat(Visible.beginning("ab\uD83C\uDF93d", 3)).isEqualTo("ab…");
    }
}
