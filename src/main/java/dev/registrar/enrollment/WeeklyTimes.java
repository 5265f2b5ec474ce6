package dev.registrar.enrollment;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.LocalTime;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
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

    private static final Pattern MEETING =
            Pattern.compile("(Mo|Tu|We|Th|Fr|Sa|Su) ([0-9]{2}:[0-9]{2})[-–]([0-9]{2}:[0-9]{2})");
    private static final List<String> DAYS = List.of("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su");

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

        /** Such as {@code Mo 10:00–12:00}. */
        @Override
        public String toString() {
            return "%s %s–%s".formatted(DAYS.get(day.getValue() - 1), from, to);
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
     * The times that {@link #toString} writes; a hyphen may stand for the dash.
     *
     * @throws IllegalArgumentException if a meeting has another form, or the times are invalid
     */
    public static WeeklyTimes of(String text) {
        return text.isBlank()
                ? NONE
                : new WeeklyTimes(Arrays.stream(text.split(",", -1))
                        .map(String::strip)
                        .map(WeeklyTimes::meeting)
                        .toList());
    }

    private static Meeting meeting(String text) {
        Matcher parts = MEETING.matcher(text);
        if (!parts.matches()) {
            throw notAMeeting(text);
        }
        DayOfWeek day = DayOfWeek.of(1 + DAYS.indexOf(parts.group(1)));
        try {
            return new Meeting(day, LocalTime.parse(parts.group(2)), LocalTime.parse(parts.group(3)));
        } catch (DateTimeException noTime) {
            throw notAMeeting(text);
        }
    }

    private static IllegalArgumentException notAMeeting(String text) {
        return new IllegalArgumentException("A meeting has the form 'Mo 10:00–12:00' but was '%s'".formatted(text));
    }

    /** The first meeting of these times that overlaps one of others. Meetings that only touch do not overlap. */
    Optional<Meeting> clashWith(WeeklyTimes others) {
        return meetings.stream()
                .filter(mine -> others.meetings.stream().anyMatch(mine::overlaps))
                .findFirst();
    }

    public boolean isEmpty() {
        return meetings.isEmpty();
    }

    /** The meetings with commas between them. */
    @Override
    public String toString() {
        return meetings.stream().map(Meeting::toString).collect(Collectors.joining(", "));
    }
}
