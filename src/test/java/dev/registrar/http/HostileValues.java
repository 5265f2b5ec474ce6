package dev.registrar.http;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.random.RandomGenerator;

/** Generates hostile values that can be written in JSON; the same seed gives the same values. */
public final class HostileValues {
    private static final int[] LENGTHS = {1, 63, 64, 65, 199, 200, 201, 253, 254, 255};
    private static final List<String> ATOMS = List.of(
            "a",
            "Z",
            " ",
            "7",
            "%",
            "_",
            "\\",
            "'",
            "\"",
            "<b>",
            "@",
            ".",
            ",",
            "\0",
            "\t",
            "\n",
            "\u0007",
            "\u007F",
            "\u0085",
            "\u00A0",
            "\u00AD",
            "\u0301",
            "e\u0323\u0301",
            "\u00DF",
            "\u0130",
            "\u0149",
            "\uFB03",
            "\uFDFA",
            "\u061C",
            "\u200B",
            "\u200D",
            "\u200E",
            "\u200F",
            "\u202E",
            "\u2066",
            "\u2028",
            "\u2029",
            "\u3000",
            "\u3164",
            "\uFEFF",
            "\uFFFE",
            "\uFFFF",
            "\uD800",
            "\uDC00",
            "\u6570",
            "\uD83C\uDF93",
            "\uD83D\uDC69\u200D\uD83D\uDC67",
            "\uDB40\uDDEF",
            "\uDBFF\uDFFF");
    private static final List<String> NUMBERS = List.of(
            "1",
            "2",
            "99999",
            "100000",
            "100001",
            "0",
            "-0",
            "-1",
            "2147483647",
            "2147483648",
            "-2147483648",
            "9223372036854775807",
            "-9223372036854775809",
            "99999999999999999999999999999999",
            "1.0",
            "1e2",
            "1e400",
            "-1e-400",
            "0.1");
    private static final List<String> INSTANTS = List.of(
            "0001-01-01T00:00:00Z",
            "0001-01-01T00:00:00.000000999Z",
            "0000-12-31T23:59:59.999999999Z",
            "-0001-06-01T00:00:00Z",
            "-999999999-01-01T00:00:00Z",
            "9999-12-31T23:59:59.999999Z",
            "9999-12-31T23:59:59.999999999Z",
            "9999-12-31T23:59:59-18:00",
            "0001-01-01T00:00:00+18:00",
            "+10000-01-01T00:00:00Z",
            "+1000000000-12-31T23:59:59.999999999Z",
            "1582-10-10T00:00:00Z",
            "0004-02-29T12:00:00Z",
            "1900-02-28T23:59:59.5Z",
            "2026-03-29T02:30:00+01:00");

    private final RandomGenerator random;

    public HostileValues(RandomGenerator random) {
        this.random = random;
    }

    <T> T oneOf(List<T> values) {
        return values.get(random.nextInt(values.size()));
    }

    /** A few characters of any kind, or many of one kind near a bound in characters, UTF-16 units or bytes. */
    public String text() {
        if (random.nextInt(3) == 0) {
            String atom = oneOf(ATOMS);
            int length = LENGTHS[random.nextInt(LENGTHS.length)];
            return atom.repeat(random.nextBoolean() ? length : Math.max(1, length / atom.length()));
        }
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(1, 6); i > 0; i--) {
            // Most are harmless, so that many of the texts are accepted.
            text.append(random.nextInt(3) == 0 ? oneOf(ATOMS) : "x");
        }
        return text.toString();
    }

    /** A unique address, valid or not. */
    String email(String unique) {
        return switch (random.nextInt(4)) {
            case 0 -> text();
            case 1 -> unique + text() + "@example.org";
            case 2 -> unique + "@" + text() + ".org";
            default -> unique + "@example.org";
        };
    }

    /** A number in JSON syntax. */
    String number() {
        return random.nextInt(3) == 0 ? oneOf(NUMBERS) : Integer.toString(random.nextInt(1, 100));
    }

    /** An instant in JSON syntax, near a bound or random. */
    String instant() {
        return random.nextInt(3) > 0
                ? oneOf(INSTANTS)
                : Instant.ofEpochSecond(
                                random.nextLong(
                                        Instant.parse("-0100-01-01T00:00:00Z").getEpochSecond(),
                                        Instant.parse("+10100-01-01T00:00:00Z").getEpochSecond()),
                                random.nextInt(1_000_000_000))
                        .toString();
    }

    /** A JSON string; characters outside ASCII are escaped, including unpaired surrogates. */
    public static String json(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int at = 0; at < text.length(); at++) {
            char each = text.charAt(at);
            if (each >= ' ' && each < 0x7F && each != '"' && each != '\\') {
                json.append(each);
            } else {
                json.append(String.format(Locale.ROOT, "\\u%04x", (int) each));
            }
        }
        return json.append('"').toString();
    }
}
