package dev.registrar.http.admission;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.TooManyRequestsException;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.springframework.beans.factory.annotation.Qualifier;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;
import org.springframework.web.servlet.HandlerExceptionResolver;

/**
 * Lets so many requests in at a time and turns the others away at once, since a queue that grows helps nobody; gives
 * those it lets in their deadline.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class AdmissionFilter extends OncePerRequestFilter {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AdmissionSettings settings;
    private final HandlerExceptionResolver problems;
    private final ApplicationAvailability availability;
    private final String operatorsPath;
    private final Semaphore room;
    private final LoadingCache<String, RateLimiter> clients;
    private final RejectedRequests turnedAway;

    AdmissionFilter(
            HttpSettings settings,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems,
            ApplicationAvailability availability,
            @Value("${management.endpoints.web.base-path:/actuator}") String operatorsPath,
            RejectedRequests turnedAway,
            MeterRegistry registry) {
        this.settings = settings.admission();
        this.problems = problems;
        this.availability = availability;
        this.operatorsPath = operatorsPath;
        this.turnedAway = turnedAway;
        this.room = new Semaphore(this.settings.maxConcurrentRequests());
        RateLimiterConfig limit = RateLimiterConfig.custom()
                .limitForPeriod(Math.max(1, this.settings.requestsPerSecondPerClient()))
                .limitRefreshPeriod(PERIOD)
                .timeoutDuration(Duration.ZERO)
                .build();
        this.clients = Caffeine.newBuilder()
                .maximumSize(this.settings.maxClients())
                .executor(Runnable::run)
                .build(client -> RateLimiter.of(client, limit));
        Gauge.builder(
                        "registrar.http.requests.active",
                        () -> this.settings.maxConcurrentRequests() - room.availablePermits())
                .description("Requests that are worked on")
                .baseUnit("requests")
                .register(registry);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        String path = request.getRequestURI();
        String operators = request.getContextPath() + operatorsPath;
        return path.equals(operators) || path.startsWith(operators + "/");
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (isTooMany(request)) {
            turnedAway.count(Reason.TOO_MANY_REQUESTS);
            turnAway(request, response, new TooManyRequestsException(settings.requestsPerSecondPerClient()));
        } else if (room.tryAcquire()) {
            Deadline.set(settings.deadline());
            try {
                chain.doFilter(request, response);
            } finally {
                Deadline.clear();
                room.release();
            }
        } else {
            turnedAway.count(Reason.OVERLOADED);
            turnAway(
                    request,
                    response,
                    new OverloadedException(
                            "Too many concurrent requests (limit %d)".formatted(settings.maxConcurrentRequests())));
        }
    }

    /* Before readiness, requests are the service's own. */
    private boolean isTooMany(HttpServletRequest request) {
        return settings.requestsPerSecondPerClient() > 0
                && availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC
                && !clients.get(request.getRemoteAddr()).acquirePermission();
    }

    /* Without its body, which nobody has read. */
    private void turnAway(HttpServletRequest request, HttpServletResponse response, RuntimeException reason) {
        boolean hasBody = request.getContentLengthLong() > 0 || request.getHeader("Transfer-Encoding") != null;
        if (hasBody) {
            response.setHeader("Connection", "close");
        }
        problems.resolveException(request, response, null, reason);
        if (hasBody) {
            UnreadBody.skip(request, response);
        }
    }
}
