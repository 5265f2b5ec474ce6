package dev.registrar.http;

import dev.registrar.enrollment.WeeklyTimes;
import dev.registrar.enrollment.WeeklyTimes.Meeting;
import dev.registrar.http.problem.InvalidValueException;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.validation.Valid;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;
import java.time.DayOfWeek;
import java.util.List;

/** All weekly times of a course, as clients write and read them; may be empty. */
@Schema(name = "CourseTimes")
record CourseTimes(
        @NotNull @Size(max = WeeklyTimes.MAX, message = "must have at most " + WeeklyTimes.MAX + " meetings") List<@NotNull @Valid WeeklyMeeting> times) {
    private static final String DAY = "MONDAY|TUESDAY|WEDNESDAY|THURSDAY|FRIDAY|SATURDAY|SUNDAY";
    private static final String TIME = "([01][0-9]|2[0-3]):[0-5][0-9]";
    private static final String END = "(" + TIME + "|24:00)";
    private static final String TIME_MESSAGE = "must be a time such as 08:00, from 00:00 to 23:59";
    private static final String END_MESSAGE = "must be a time such as 09:30, from 00:01 to 24:00";

    /** One meeting in each week, in local time. */
    record WeeklyMeeting(
            @NotNull @Pattern(regexp = DAY, message = "must be a day from MONDAY to SUNDAY") @Schema(example = "MONDAY")
            String day,

            @NotNull @Pattern(regexp = TIME, message = TIME_MESSAGE) @Schema(example = "10:00")
            String from,

            @NotNull @Pattern(regexp = END, message = END_MESSAGE) @Schema(example = "11:30", description = "24:00 is the end of the day")
            String to) {

        private static WeeklyMeeting of(Meeting meeting) {
            return new WeeklyMeeting(meeting.day().name(), meeting.from().toString(), meeting.end());
        }

        private Meeting meeting() {
            return Meeting.of(DayOfWeek.valueOf(day), from, to);
        }
    }

    static List<WeeklyMeeting> of(WeeklyTimes times) {
        return times.meetings().stream().map(WeeklyMeeting::of).toList();
    }

    /** The value of the body's times. */
    static WeeklyTimes value(List<WeeklyMeeting> times) {
        try {
            return new WeeklyTimes(times.stream().map(WeeklyMeeting::meeting).toList());
        } catch (IllegalArgumentException refused) {
            throw new InvalidValueException("/times", String.valueOf(refused.getMessage()));
        }
    }
}
