package dev.registrar.http.admission;

import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.LoadingCache;
import io.github.resilience4j.ratelimiter.RateLimiter;
import io.github.resilience4j.ratelimiter.RateLimiterConfig;
import java.time.Duration;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.boot.availability.ReadinessState;

/**
 * Limits the requests of each client per second. It remembers a bounded number of clients. Until the service is ready,
 * only its own warm-up sends requests, and they do not count.
 */
final class RequestRates {
    private static final Duration PERIOD = Duration.ofSeconds(1);

    private final int perSecond;
    private final ApplicationAvailability availability;
    private final LoadingCache<String, RateLimiter> clients;

    /**
     * @param perSecond the most requests of one client per second; 0 for no limit
     * @param maxClients the most clients whose requests are counted; the least used client makes room for a new one
     */
    RequestRates(int perSecond, int maxClients, ApplicationAvailability availability) {
        this.perSecond = perSecond;
        this.availability = availability;
        RateLimiterConfig limit = RateLimiterConfig.custom()
                .limitForPeriod(Math.max(1, perSecond))
                .limitRefreshPeriod(PERIOD)
                .timeoutDuration(Duration.ZERO)
                .build();
        this.clients = Caffeine.newBuilder()
                .maximumSize(maxClients)
                .executor(Runnable::run)
                .build(client -> RateLimiter.of(client, limit));
    }

    /** Whether the client may send a request now; counts it. */
    boolean admits(String client) {
        return perSecond == 0
                || availability.getReadinessState() != ReadinessState.ACCEPTING_TRAFFIC
                || clients.get(client).acquirePermission();
    }
}
