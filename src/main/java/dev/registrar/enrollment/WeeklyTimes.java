package dev.registrar.enrollment;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The weekly meetings of a course, in local time.
 *
 * @param meetings at most {@value #MAX}, without overlaps, in the order of the week
 */
public record WeeklyTimes(List<Meeting> meetings) {
    /** Maximum number of meetings of a course. */
    public static final int MAX = 20;

    /** Maximum number of characters in a text with times. The longest form of as many meetings needs half of it. */
    public static final int MAX_LENGTH = 1_000;

    public static final WeeklyTimes NONE = new WeeklyTimes(List.of());

    private static final Pattern BLANK = Pattern.compile("[\\s\\p{Zs}]");
    private static final Pattern SEPARATOR = Pattern.compile("[,;]");
    private static final Pattern MEETING =
            Pattern.compile("(\\p{Alpha}{2,9})\\.? +([0-9]{1,2}:[0-9]{2}) *[-\u2013] *([0-9]{1,2}:[0-9]{2})");
    private static final String MIDNIGHT = "24:00";
    private static final int ABBREVIATION = 3;

    /** The German abbreviations that do not begin an English name. */
    private static final Map<String, DayOfWeek> GERMAN = Map.of(
            "DI", DayOfWeek.TUESDAY,
            "MI", DayOfWeek.WEDNESDAY,
            "DO", DayOfWeek.THURSDAY,
            "SO", DayOfWeek.SUNDAY);

    /**
     * One meeting in each week, in whole minutes.
     *
     * @param to the first minute after the meeting; {@link LocalTime#MIDNIGHT} for the end of the day
     */
    public record Meeting(DayOfWeek day, LocalTime from, LocalTime to) {
        public Meeting {
            from = from.truncatedTo(ChronoUnit.MINUTES);
            to = to.truncatedTo(ChronoUnit.MINUTES);
            if (!isBefore(from, to)) {
                throw notAfter(from.toString(), to.toString());
            }
        }

        /**
         * A meeting with times such as {@code 9:00}; only {@code 24:00} is the end of the day.
         *
         * @throws DateTimeException if a text is no time
         * @throws IllegalArgumentException if the meeting does not end after it begins
         */
        public static Meeting of(DayOfWeek day, String from, String to) {
            if (to.equals(MIDNIGHT)) {
                return new Meeting(day, time(from), LocalTime.MIDNIGHT);
            }
            LocalTime end = time(to);
            if (end.truncatedTo(ChronoUnit.MINUTES).equals(LocalTime.MIDNIGHT)) {
                throw notAfter(from, to);
            }
            return new Meeting(day, time(from), end);
        }

        private static LocalTime time(String text) {
            return LocalTime.parse(text.indexOf(':') == 1 ? "0" + text : text);
        }

        private static IllegalArgumentException notAfter(String from, String to) {
            return new IllegalArgumentException(
                    "A meeting ends after it begins but was given from %s to %s".formatted(from, to));
        }

        boolean overlaps(Meeting other) {
            return day == other.day && isBefore(from, other.to) && isBefore(other.from, to);
        }

        private static boolean isBefore(LocalTime from, LocalTime to) {
            return to.equals(LocalTime.MIDNIGHT) || from.isBefore(to);
        }

        /** The end as {@link #of} reads it. */
        public String end() {
            return to.equals(LocalTime.MIDNIGHT) ? MIDNIGHT : to.toString();
        }

        /** Such as {@code Mon 10:00-12:00}. */
        @Override
        public String toString() {
            String name = day.name();
            return "%s%s %s-%s"
                    .formatted(name.charAt(0), name.substring(1, ABBREVIATION).toLowerCase(Locale.ROOT), from, end());
        }
    }

    public WeeklyTimes {
        if (meetings.size() > MAX) {
            throw new IllegalArgumentException(
                    "A course has at most %s weekly meetings but was given %s".formatted(MAX, meetings.size()));
        }
        meetings = meetings.stream()
                .sorted(Comparator.comparing(Meeting::day).thenComparing(Meeting::from))
                .toList();
        for (int i = 1; i < meetings.size(); i++) {
            if (meetings.get(i).overlaps(meetings.get(i - 1))) {
                throw new IllegalArgumentException("Meetings of a course do not overlap but were given as %s and %s"
                        .formatted(meetings.get(i - 1), meetings.get(i)));
            }
        }
    }

    /**
     * The times that {@link #toString} writes. A comma may stand for the semicolon, an en dash for the hyphen, and any
     * blank for a space. Days are the beginnings of their English names, from two letters on, or the two letters of
     * their German ones, in any case.
     *
     * @param text of at most {@value #MAX_LENGTH} characters
     * @throws IllegalArgumentException if a meeting has another form, or the times are invalid; the message quotes the
     *     beginning of what is wrong
     */
    public static WeeklyTimes of(String text) {
        if (text.length() > MAX_LENGTH) {
            throw new IllegalArgumentException("Weekly times have at most %s characters but were given %s: '%s'"
                    .formatted(MAX_LENGTH, text.length(), Text.shown(text)));
        }
        String spaced = BLANK.matcher(text).replaceAll(" ");
        return spaced.isBlank()
                ? NONE
                : new WeeklyTimes(SEPARATOR
                        .splitAsStream(spaced)
                        .map(String::strip)
                        .filter(meeting -> !meeting.isEmpty())
                        .map(WeeklyTimes::meeting)
                        .toList());
    }

    private static Meeting meeting(String text) {
        Matcher parts = MEETING.matcher(text);
        if (!parts.matches()) {
            throw notAMeeting(text);
        }
        DayOfWeek day = day(parts.group(1).toUpperCase(Locale.ROOT)).orElseThrow(() -> notAMeeting(text));
        try {
            return Meeting.of(day, parts.group(2), parts.group(3));
        } catch (DateTimeException noTime) {
            throw notAMeeting(text);
        }
    }

    private static Optional<DayOfWeek> day(String beginning) {
        return Arrays.stream(DayOfWeek.values())
                .filter(each -> each.name().startsWith(beginning))
                .findFirst()
                .or(() -> Optional.ofNullable(GERMAN.get(beginning)));
    }

    private static IllegalArgumentException notAMeeting(String text) {
        return new IllegalArgumentException(
                "A meeting has the form 'Mon 10:00-12:00' but was '%s'".formatted(Text.shown(text)));
    }

    /** The first meeting of these times that overlaps one of others. Meetings that only touch do not overlap. */
    Optional<Meeting> clashWith(WeeklyTimes others) {
        return meetings.stream()
                .filter(mine -> others.meetings.stream().anyMatch(mine::overlaps))
                .findFirst();
    }

    /** Whether a meeting overlaps one of others. */
    public boolean overlaps(WeeklyTimes others) {
        return clashWith(others).isPresent();
    }

    public boolean isEmpty() {
        return meetings.isEmpty();
    }

    /** The meetings with semicolons between them. */
    @Override
    public String toString() {
        return meetings.stream().map(Meeting::toString).collect(Collectors.joining("; "));
    }
}
