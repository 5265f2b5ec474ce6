package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReadableJsonTest {

    @Test
    void json_has_line_breaks_and_its_own_digits() {
        ReadableJson json = ReadableJson.of(
                "{\"a\":[1.50,-0,1e400,-12345678901234567890.125],\"b\":{ },\"c\":\"{\\\"[,:\\u0041\\\\\",\"d\":[]}");

        assertThat(json.isJson()).isTrue();
        assertThat(json.cut()).isFalse();
        assertThat(json.text()).isEqualTo("""
                {
                  "a": [ 1.50, -0, 1e400, -12345678901234567890.125 ],
                  "b": { },
                  "c": "{\\"[,:A\\\\",
                  "d": [ ]
                }""");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "text", "{} {}", "{} [", "{\"a\":", "[1,]", "\"open"})
    void other_text_is_shown_as_it_is(String text) {
        ReadableJson shown = ReadableJson.of(text);

        assertThat(shown.isJson()).isFalse();
        assertThat(shown.text()).isEqualTo(text);
        assertThat(shown.length()).isEqualTo(text.length());
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "\"text\"", "null", " true "})
    void a_single_value_is_json(String text) {
        assertThat(ReadableJson.of(text).isJson()).isTrue();
        assertThat(ReadableJson.of(text).text()).isEqualTo(text.strip());
    }

    @Test
    void deep_and_long_texts_are_cut() {
        String deep = "{\"a\":".repeat(400) + "[" + "1,".repeat(100_000) + "1]" + "}".repeat(400);

        assertThat(ReadableJson.of(deep).cut()).isTrue();
        assertThat(ReadableJson.of(deep).text()).hasSizeLessThanOrEqualTo(ReadableJson.MOST);
        assertThat(ReadableJson.of("x".repeat(300_000)).text()).hasSize(ReadableJson.MOST);
        assertThat(ReadableJson.of("[".repeat(50_000)).isJson()).isFalse();
    }

    @Test
    void hidden_characters_are_escapes() {
        assertThat(ReadableJson.of("{\"a\":\"\u202E\u2028\"}").text()).isEqualTo("{\n  \"a\": \"\\u202e\\u2028\"\n}");
    }
}
