package dev.registrar.console.student;

import dev.registrar.catalog.RostersView.Enrollment;
import dev.registrar.catalog.WaitingListsView.PlaceInLine;
import java.time.Instant;

/** What a student is to a course. */
sealed interface Standing {
    Standing NONE = new None();

    /** Neither enrolled nor waiting. */
    record None() implements Standing {}

    /** Enrolled since this time. */
    record Enrolled(Instant since) implements Standing {}

    /**
     * On the waiting list since this time.
     *
     * @param number 1 for the student whose turn is next
     * @param of number of students on the waiting list
     */
    record Waiting(Instant since, int number, int of) implements Standing {}

    static Standing of(Enrollment enrollment) {
        return new Enrolled(enrollment.enrolledAt());
    }

    static Standing of(PlaceInLine place) {
        return new Waiting(place.place().joinedAt(), place.place().number(), place.of());
    }
}
