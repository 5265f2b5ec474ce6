package dev.registrar.http.admission;

import jakarta.servlet.http.HttpServletRequest;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.stereotype.Component;

/** The requests to which the limits of admission apply: all but those for health and metrics. */
@Component
final class LimitedRequests {
    private final ApplicationAvailability availability;
    private final String operatorsPath;

    LimitedRequests(
            ApplicationAvailability availability,
            @Value("${management.endpoints.web.base-path:/actuator}") String operatorsPath) {
        this.availability = availability;
        this.operatorsPath = operatorsPath;
    }

    boolean excludes(HttpServletRequest request) {
        String path = request.getRequestURI();
        String operators = request.getContextPath() + operatorsPath;
        return path.equals(operators) || path.startsWith(operators + "/");
    }

    /** Whether rates are limited. Until the service is ready, only its own warm-up sends requests. */
    boolean countNow() {
        return availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC;
    }
}
