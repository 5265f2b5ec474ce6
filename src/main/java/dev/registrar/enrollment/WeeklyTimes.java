package dev.registrar.enrollment;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.format.DateTimeFormatter;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
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

    public static final WeeklyTimes NONE = new WeeklyTimes(List.of());

    private static final Pattern SEPARATOR = Pattern.compile("[,;]");
    private static final Pattern MEETING =
            Pattern.compile("(\\p{Alpha}{2,9})\\.?\\s+([0-9]{1,2}:[0-9]{2})\\s*[-\u2013]\\s*([0-9]{1,2}:[0-9]{2})");
    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern("H:mm", Locale.ROOT);
    private static final int ABBREVIATION = 3;

    /**
     * One meeting in each week, in whole minutes.
     *
     * @param to the first minute after the meeting, on the same day
     */
    public record Meeting(DayOfWeek day, LocalTime from, LocalTime to) {
        public Meeting {
            from = from.truncatedTo(ChronoUnit.MINUTES);
            to = to.truncatedTo(ChronoUnit.MINUTES);
            if (!from.isBefore(to)) {
                throw new IllegalArgumentException(
                        "A meeting ends after it begins but was given from %s to %s".formatted(from, to));
            }
        }

        boolean overlaps(Meeting other) {
            return day == other.day && from.isBefore(other.to) && other.from.isBefore(to);
        }

        /** Such as {@code Mon 10:00-12:00}. */
        @Override
        public String toString() {
            String name = day.name();
            return "%s%s %s-%s"
                    .formatted(name.charAt(0), name.substring(1, ABBREVIATION).toLowerCase(Locale.ROOT), from, to);
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
     * The times that {@link #toString} writes. A comma may stand for the semicolon and an en dash for the hyphen; days
     * may be longer or shorter, in any case.
     *
     * @throws IllegalArgumentException if a meeting has another form, or the times are invalid
     */
    public static WeeklyTimes of(String text) {
        return text.isBlank()
                ? NONE
                : new WeeklyTimes(SEPARATOR
                        .splitAsStream(text)
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
        String beginning = parts.group(1).toUpperCase(Locale.ROOT);
        DayOfWeek day = Arrays.stream(DayOfWeek.values())
                .filter(each -> each.name().startsWith(beginning))
                .findFirst()
                .orElseThrow(() -> notAMeeting(text));
        try {
            return new Meeting(day, LocalTime.parse(parts.group(2), TIME), LocalTime.parse(parts.group(3), TIME));
        } catch (DateTimeException noTime) {
            throw notAMeeting(text);
        }
    }

    private static IllegalArgumentException notAMeeting(String text) {
        return new IllegalArgumentException("A meeting has the form 'Mon 10:00-12:00' but was '%s'".formatted(text));
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
