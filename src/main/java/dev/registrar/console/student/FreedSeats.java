package dev.registrar.console.student;

import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEvent.StudentEnrolledInCourse;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.PromoteFromWaitingList;
import dev.registrar.enrollment.StudentId;
import dev.registrar.eventstore.EventMetadata;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.stereotype.Component;

/** Finds out which of a student's seats came from a waiting list, according to the command of the enrollment. */
@Component
final class FreedSeats {
    /** Maximum number of enrollments that are examined: the current one in each course, and some from before a drop. */
    private static final int MOST = 8 * StudentReads.MOST;

    private static final String PROMOTION = PromoteFromWaitingList.class.getSimpleName();

    private final EventStore store;

    FreedSeats(EventStore store) {
        this.store = store;
    }

    /**
     * The ids of those of a student's courses whose seat came from the waiting list.
     *
     * @param enrolled the courses of one page
     */
    Set<String> among(List<ShownCourse> enrolled, StudentId student) {
        if (enrolled.isEmpty()) {
            return Set.of();
        }
        Query enrollments = new Query(enrolled.stream()
                .map(shown -> EnrollmentEventCodec.types(StudentEnrolledInCourse.class)
                        .tagged(student.tag().value(), tag(shown)))
                .toList());
        try (EventStream events =
                store.read(enrollments, ReadOptions.backwards().limit(MOST))) {
            Set<Enrollment> promotions = events.stream()
                    .filter(FreedSeats::isPromotion)
                    .flatMap(event ->
                            event.event().tags().stream().map(tag -> new Enrollment(tag.value(), event.recordedAt())))
                    .collect(Collectors.toSet());
            return enrolled.stream()
                    .filter(shown -> promotions.contains(enrollment(shown)))
                    .map(shown -> shown.course().id())
                    .collect(Collectors.toSet());
        }
    }

    /** @param course the tag of the course; the student's own tag occurs, too, and is no course's */
    private record Enrollment(String course, @Nullable Instant since) {}

    private static Enrollment enrollment(ShownCourse shown) {
        return new Enrollment(tag(shown), shown.enrolledSince());
    }

    private static String tag(ShownCourse shown) {
        return new CourseId(shown.course().id()).tag().value();
    }

    private static boolean isPromotion(SequencedEvent event) {
        return EventMetadata.parse(event.event().metadata())
                .filter(metadata -> PROMOTION.equals(metadata.commandType()))
                .isPresent();
    }
}
