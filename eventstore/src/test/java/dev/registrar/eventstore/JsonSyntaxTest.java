package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** JSON as defined by RFC 8259, and the limit that requires it. */
class JsonSyntaxTest {
    private static final JsonMapper JACKSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();
    /** The elements of JSON, and similar texts. */
    private static final String[] PIECES = {
        "{",
        "}",
        "[",
        "]",
        ",",
        ":",
        "\"",
        "\"a\"",
        "\"\\n\"",
        "\"\\u00e9\"",
        "\"\\uD83\"",
        "\\",
        "1",
        "0",
        "-",
        "1.5",
        "1e9",
        "E+",
        ".",
        "01",
        "true",
        "false",
        "null",
        "nul",
        "NaN",
        " ",
        "\n",
        "\t",
        "\r",
        "\u00a0",
        "\ufeff",
        "'",
        "/",
        "\u0001",
        "\u2028",
        "\ud83c\udf93",
        "+"
    };

    static Stream<String> json() {
        return Stream.of(
                "{}",
                "[]",
                "\"\"",
                "0",
                "-0",
                "-0.0e-0",
                "1E400",
                "9".repeat(900),
                "true",
                "false",
                "null",
                " \t\r\n null \n",
                "{\"a\":1,\"a\":2}",
                "{\"\":{\"\":[[],{},[{}]]}}",
                "[1,2 , 3]",
                "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uD800\"",
                "\"\u007f\u2028\ud83c\udf93\"",
                "[".repeat(500) + "]".repeat(500));
    }

    @ParameterizedTest
    @MethodSource("json")
    void json_is_accepted(String text) {
        assertThat(JsonSyntax.errorIn(text)).isEqualTo(-1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "``|0",
                "not json|1",
                "nul|3",
                "nullx|4",
                "{|1",
                "[1,]|3",
                "[1 2]|3",
                "{\"a\"}|4",
                "{\"a\":}|5",
                "{a:1}|1",
                "{\"a\":1,}|7",
                "[1}|2",
                "01|1",
                "+1|0",
                ".5|0",
                "1.|2",
                "1e|2",
                "-|1",
                "\"abc|4",
                "\"\\x\"|2",
                "\"\\u12g4\"|5",
                "'a'|0",
                "1 1|2",
                "]|0",
                "{1:2}|1",
                "NaN|0",
                "\"a\"\"b\"|3",
                "[,1]|1",
                "//|0"
            })
    void other_text_is_refused_with_the_index_of_its_first_error(String text, int index) {
        assertThat(JsonSyntax.errorIn(text)).isEqualTo(index);
    }

    @Test
    void control_characters_a_byte_order_mark_and_more_than_500_levels_are_refused() {
        assertThat(JsonSyntax.errorIn("\"a\u0000\"")).isEqualTo(2);
        assertThat(JsonSyntax.errorIn("\"a\nb\"")).isEqualTo(2);
        assertThat(JsonSyntax.errorIn("\ufeff{}")).isZero();
        assertThat(JsonSyntax.errorIn("\u00a0{}")).isZero();
        assertThat(JsonSyntax.errorIn("[".repeat(501) + "]".repeat(501))).isEqualTo(500);
        assertThat(JsonSyntax.errorIn("[".repeat(1 << 20))).isEqualTo(500);
        assertThat(JsonSyntax.errorIn("{\"a\":".repeat(1 << 18))).isEqualTo(2500);
    }

    /* Jackson parses the same texts: random sequences of pieces, and JSON with a piece added or removed. */
    @Test
    void random_texts_are_accepted_exactly_if_jackson_accepts_them() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        int valid = 0;
        for (int i = 0; i < 20_000; i++) {
            String text = i % 2 == 0 ? pieces(random) : changed(value(random, 4), random);

            boolean isJson = JsonSyntax.errorIn(text) < 0;

            assertThat(isJson).as("'%s' of seed %s", text, seed).isEqualTo(isReadByJackson(text));
            valid += isJson ? 1 : 0;
        }
        assertThat(valid).isBetween(1_000, 19_000);
    }

    private static boolean isReadByJackson(String text) {
        try {
            return !JACKSON.readTree(text).isMissingNode();
        } catch (JacksonException refused) {
            return false;
        }
    }

    private static String pieces(RandomGenerator random) {
        StringBuilder text = new StringBuilder();
        for (int pieces = random.nextInt(1, 8); pieces > 0; pieces--) {
            text.append(PIECES[random.nextInt(PIECES.length)]);
        }
        return text.toString();
    }

    private static String value(RandomGenerator random, int depth) {
        return switch (random.nextInt(depth == 0 ? 4 : 7)) {
            case 0 -> Integer.toString(random.nextInt());
            case 1 -> "\"\\u00e4 \u00e4\"";
            case 2 -> Double.toString(random.nextGaussian() * 1e9);
            case 3 -> random.nextBoolean() ? "null" : "true";
            case 4 -> "{ }";
            case 5 -> "{\"a\": %s, \"b\":%s}".formatted(value(random, depth - 1), value(random, depth - 1));
            default -> "[%s , %s]".formatted(value(random, depth - 1), value(random, depth - 1));
        };
    }

    private static String changed(String json, RandomGenerator random) {
        int at = random.nextInt(json.length());
        return switch (random.nextInt(3)) {
            case 0 -> json;
            case 1 -> json.substring(0, at) + json.substring(at + 1);
            default -> json.substring(0, at) + PIECES[random.nextInt(PIECES.length)] + json.substring(at);
        };
    }

    @Test
    void limits_require_json_only_if_the_setting_is_on() {
        StoreLimits strict = StoreLimits.with(limits -> limits.validateJson = true);
        Event payload = Event.of("Noted", "not json");
        Event metadata = Event.of("Noted", "{}").withMetadata("{\"by\":");

        assertThat(StoreLimits.DEFAULT.check(Append.of(payload, metadata))).isPositive();
        assertThat(strict.check(Append.of(Event.of("Noted", "[1]")))).isEqualTo(5);
        assertThatThrownBy(() -> strict.check(Append.of(payload)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("A payload must be JSON of at most 500 levels, but it is invalid at index 1");
        assertThatThrownBy(() -> strict.check(Append.of(metadata)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("Metadata must be JSON of at most 500 levels, but it ends too early");
    }
}
