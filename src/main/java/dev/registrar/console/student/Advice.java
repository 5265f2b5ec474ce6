package dev.registrar.console.student;

import static java.util.Map.entry;

import dev.registrar.enrollment.Refusal;
import dev.registrar.enrollment.WaitingFacts;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The sentences that tell a student why a command was refused, and what to do. */
final class Advice {
    private static final Map<String, Function<Situation, String>> BY_CODE = Map.ofEntries(
            entry(
                    "course-unknown",
                    asked -> "There is no course %s. Search the catalogue for the course that you want."
                            .formatted(asked.course())),
            entry(
                    "student-unknown",
                    asked ->
                            "No student is registered with the id %s. Choose another student, or ask the course office to register this one."
                                    .formatted(asked.student())),
            entry(
                    "already-enrolled",
                    asked -> "You are already enrolled in %s. There is nothing more to do.".formatted(asked.course())),
            entry(
                    "course-closed",
                    asked -> "%s is closed and takes no more students. Choose another course."
                            .formatted(asked.course())),
            entry(
                    "outside-enrollment-window",
                    asked -> "%s does not take students now. Enroll in its enrollment period%s."
                            .formatted(asked.course(), after(": ", asked.window()))),
            entry(
                    "prerequisite-missing",
                    asked -> "%s requires courses in which you are not enrolled. Enroll in them first%s."
                            .formatted(asked.course(), after(": ", asked.missing()))),
            entry(
                    "waiting-list-not-empty",
                    asked -> "Other students already wait for a seat in %s. Join the waiting list."
                            .formatted(asked.course())),
            entry(
                    "course-full",
                    asked -> "%s is full. Join the waiting list: a free seat goes to the first student on it."
                            .formatted(asked.course())),
            entry(
                    "student-at-limit",
                    asked ->
                            "You have reached your limit of courses at a time, so you cannot enroll in %s now. Drop a course on the page My courses first."
                                    .formatted(asked.course())),
            entry("not-enrolled", asked -> notEnrolled(asked.course())),
            entry(
                    "already-waiting",
                    asked -> "You are already on the waiting list of %s. You get a seat when it is your turn."
                            .formatted(asked.course())),
            entry(
                    "course-not-full",
                    asked -> "%s has a free seat, and no student waits for it. Enroll instead."
                            .formatted(asked.course())),
            entry(
                    "waiting-list-full",
                    asked -> "The waiting list of %s is full. Choose another course, or try again later."
                            .formatted(asked.course())),
            entry(
                    "student-at-waiting-limit",
                    asked -> "You are on %d waiting lists, which is the limit. Leave one on the page My courses first."
                            .formatted(WaitingFacts.MAX_COURSES)),
            entry(
                    "not-waiting",
                    asked ->
                            "You are not on the waiting list of %s. The page My courses shows whether you have a seat by now."
                                    .formatted(asked.course())));

    private Advice() {}

    /**
     * What a student asked for.
     *
     * @param course its title, or its id if it has none
     * @param student the student's id
     * @param window when the course takes students, in words; empty if that is not known
     * @param missing the courses in which the student must enroll first, with commas; empty if they are not known
     */
    record Situation(String course, String student, String window, String missing) {}

    private static String after(String separator, String detail) {
        return detail.isEmpty() ? "" : separator + detail;
    }

    static String notEnrolled(String course) {
        return "You are not enrolled in %s. There is nothing more to do.".formatted(course);
    }

    /** The sentence for a refusal; empty if the table has none. */
    static Optional<String> on(Refusal refusal, Situation asked) {
        return Optional.ofNullable(BY_CODE.get(refusal.code())).map(sentence -> sentence.apply(asked));
    }
}
