package dev.registrar.console.student;

import dev.registrar.catalog.CourseView;
import java.text.Bidi;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.regex.Pattern;

/** Values within a sentence. */
final class Words {
    private static final DateTimeFormatter MINUTE = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd HH:mm 'UTC'", Locale.ENGLISH)
            .withZone(ZoneOffset.UTC);

    private static final char FIRST_STRONG_ISOLATE = '\u2068';
    private static final char POP_DIRECTIONAL_ISOLATE = '\u2069';

    /** The embeddings, overrides and isolates of Unicode, and their ends. */
    private static final Pattern DIRECTION = Pattern.compile("[\\u202A-\\u202E\\u2066-\\u2069]");

    private Words() {}

    /**
     * A text that a person has typed. It is isolated if its direction could change that of the sentence. Its own
     * controls of direction are left out: one of them could end the isolation.
     */
    static String typed(String text) {
        String plain = DIRECTION.matcher(text).replaceAll("");
        return Bidi.requiresBidi(plain.toCharArray(), 0, plain.length())
                ? FIRST_STRONG_ISOLATE + plain + POP_DIRECTIONAL_ISOLATE
                : plain;
    }

    static String time(Instant instant) {
        return MINUTE.format(instant);
    }

    /** When a course takes students; empty if it has neither a beginning nor an end. */
    static String window(CourseView course) {
        Instant opens = course.opensAt();
        Instant closes = course.closesAt();
        if (opens == null) {
            return closes == null ? "" : "before " + time(closes);
        }
        return closes == null
                ? "from %s on".formatted(time(opens))
                : "from %s to %s".formatted(time(opens), time(closes));
    }
}
