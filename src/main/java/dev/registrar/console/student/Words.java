package dev.registrar.console.student;

import dev.registrar.catalog.CourseView;
import java.text.Bidi;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/** Values within a sentence. */
final class Words {
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'").withZone(ZoneOffset.UTC);

    private static final char FIRST_STRONG_ISOLATE = '\u2068';
    private static final char POP_DIRECTIONAL_ISOLATE = '\u2069';

    private Words() {}

    /** A text that a person has typed. It is isolated if its direction could change that of the sentence. */
    static String typed(String text) {
        return Bidi.requiresBidi(text.toCharArray(), 0, text.length())
                ? FIRST_STRONG_ISOLATE + text + POP_DIRECTIONAL_ISOLATE
                : text;
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
