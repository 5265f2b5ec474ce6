package dev.registrar.benchmarks.suite;

import dev.registrar.enrollment.CourseFacts;
import dev.registrar.enrollment.CourseId;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;

/** A course's facts as a projection, for a fold without the write loop. */
record CourseProjection(CourseFacts facts) implements Projection<CourseFacts.State> {
    private static final EnrollmentEventCodec CODEC = new EnrollmentEventCodec();

    static CourseProjection of(CourseId course) {
        return new CourseProjection(CourseFacts.of(course));
    }

    @Override
    public Query query() {
        return facts.query();
    }

    @Override
    public CourseFacts.State initial() {
        return facts.initial();
    }

    @Override
    public CourseFacts.State apply(CourseFacts.State state, SequencedEvent event) {
        return facts.apply(
                state, CODEC.decode(event.event().type(), event.event().payload()));
    }
}
