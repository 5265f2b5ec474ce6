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
 * Admits a bounded number of concurrent requests and rejects the others at once: a growing queue would only delay all
 * of them. Each admitted request gets its deadline here.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class AdmissionFilter extends OncePerRequestFilter {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final AdmissionSettings settings;
    private final HandlerExceptionResolver problems;
    private final ApplicationAvailability availability;
    private final String operatorsPath;
    private final Semaphore permits;
    private final LoadingCache<String, RateLimiter> clients;
    private final RejectedRequests rejectedRequests;

    AdmissionFilter(
            HttpSettings settings,
            @Qualifier("handlerExceptionResolver") HandlerExceptionResolver problems,
            ApplicationAvailability availability,
            @Value("${management.endpoints.web.base-path:/actuator}") String operatorsPath,
            RejectedRequests rejectedRequests,
            MeterRegistry registry) {
        this.settings = settings.admission();
        this.problems = problems;
        this.availability = availability;
        this.operatorsPath = operatorsPath;
        this.rejectedRequests = rejectedRequests;
        this.permits = new Semaphore(this.settings.maxConcurrentRequests());
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
                        () -> this.settings.maxConcurrentRequests() - permits.availablePermits())
                .description("Admitted requests that are not yet answered")
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
            rejectedRequests.count(Reason.TOO_MANY_REQUESTS);
            reject(request, response, new TooManyRequestsException(settings.requestsPerSecondPerClient()));
        } else if (permits.tryAcquire()) {
            try {
                Deadline.<IOException, ServletException>runWithin(
                        settings.deadline(), () -> chain.doFilter(request, response));
            } finally {
                permits.release();
            }
        } else {
            rejectedRequests.count(Reason.OVERLOADED);
            reject(
                    request,
                    response,
                    new OverloadedException(
                            "Too many concurrent requests (limit %d)".formatted(settings.maxConcurrentRequests())));
        }
    }

    /* Until the service is ready, only its own warm-up sends requests. */
    private boolean isTooMany(HttpServletRequest request) {
        return settings.requestsPerSecondPerClient() > 0
                && availability.getReadinessState() == ReadinessState.ACCEPTING_TRAFFIC
                && !clients.get(request.getRemoteAddr()).acquirePermission();
    }

    /* The body of a rejected request is not read, so the connection cannot be used again. */
    private void reject(HttpServletRequest request, HttpServletResponse response, RuntimeException reason) {
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
