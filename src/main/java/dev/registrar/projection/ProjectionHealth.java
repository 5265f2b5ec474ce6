package dev.registrar.projection;

import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;

/**
 * Whether every view and automation goes on; down when an event could not be handled. That is no part of readiness:
 * writes and strongly current look-ups need no view.
 */
final class ProjectionHealth extends AbstractHealthIndicator {
    private final Projections projections;

    ProjectionHealth(Projections projections) {
        this.projections = projections;
    }

    @Override
    protected void doHealthCheck(Health.Builder health) {
        health.up();
        for (ProjectionStatus status : projections.statuses()) {
            if (status.state().equals("stopped")
                    || status.rebuild()
                            .filter(rebuild -> rebuild.state().equals("stopped"))
                            .isPresent()) {
                health.down();
            }
            String told = "%s, %d events behind".formatted(status.state(), status.lagEvents());
            ProjectionStatus.Failure failure = status.failure();
            health.withDetail(status.name(), failure == null ? told : told + ": " + failure.message());
        }
    }
}
