package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.TooManyRequestsException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * Admits a bounded number of concurrent requests and rejects the others at once: a growing queue would only delay all
 * of them. Each admitted request gets its deadline here. The rate of an address is limited before the caller is
 * authenticated, since that is cheaper; {@link ClientRateFilter} limits the rate of a caller afterwards.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
final class AdmissionFilter extends OncePerRequestFilter {
    private final AdmissionSettings settings;
    private final EarlyRefusals refusals;
    private final LimitedRequests limited;
    private final Semaphore permits;
    private final RequestRates addresses;
    private final RejectedRequests rejectedRequests;

    AdmissionFilter(
            HttpSettings settings,
            EarlyRefusals refusals,
            LimitedRequests limited,
            RejectedRequests rejectedRequests,
            MeterRegistry registry) {
        this.settings = settings.admission();
        this.refusals = refusals;
        this.limited = limited;
        this.rejectedRequests = rejectedRequests;
        this.permits = new Semaphore(this.settings.maxConcurrentRequests());
        this.addresses = new RequestRates(this.settings.requestsPerSecondPerAddress(), this.settings.maxClients());
        Gauge.builder(
                        "registrar.http.requests.active",
                        () -> this.settings.maxConcurrentRequests() - permits.availablePermits())
                .description("Admitted requests that are not yet answered")
                .baseUnit("requests")
                .register(registry);
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return limited.excludes(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (limited.countNow() && !addresses.admits(request.getRemoteAddr())) {
            rejectedRequests.count(Reason.TOO_MANY_REQUESTS);
            refusals.refuse(
                    request, response, TooManyRequestsException.fromAddress(settings.requestsPerSecondPerAddress()));
        } else if (permits.tryAcquire()) {
            AtomicBoolean held = new AtomicBoolean(true);
            request.setAttribute(UnreadBody.PERMIT, (Runnable) () -> release(held));
            try {
                Deadline.<IOException, ServletException>runWithin(
                        settings.deadline(), () -> chain.doFilter(request, response));
            } finally {
                release(held);
            }
        } else {
            rejectedRequests.count(Reason.OVERLOADED);
            refusals.refuse(
                    request,
                    response,
                    new OverloadedException(
                            "Too many concurrent requests (limit %d)".formatted(settings.maxConcurrentRequests())));
        }
    }

    private void release(AtomicBoolean held) {
        if (held.getAndSet(false)) {
            permits.release();
        }
    }
}
