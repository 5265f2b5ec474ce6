package dev.registrar.autoconfigure;

import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionStatus;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Reports down if a view or an automation has stopped. Readiness does not include it: writes and the other views need
 * none of it.
 */
final class ProjectionHealth extends AbstractHealthIndicator {
    private final ProjectionAdministration administration;

    ProjectionHealth(ProjectionAdministration administration) {
        this.administration = administration;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        for (ProjectionStatus status : administration.statuses()) {
            if (status.isStopped()
                    || status.rebuild()
                            .filter(ProjectionStatus.Rebuild::isStopped)
                            .isPresent()) {
                health.down();
            }
            String described = "%s, %s %s behind"
                    .formatted(status.state(), status.lagEvents(), status.lagEvents() == 1 ? "event" : "events");
            ProjectionStatus.Failure failure = status.failure();
            health.withDetail(status.name(), failure == null ? described : described + ": " + place(failure));
        }
    }

    /* Without the message, which may quote the event. */
    private static String place(ProjectionStatus.Failure failure) {
        return failure.position() == null
                ? "failed, but not at a certain event"
                : "failed at the event at position %s".formatted(failure.position());
    }
}
