package dev.registrar.http.admission;

import dev.registrar.concurrent.Deadline;
import dev.registrar.eventstore.OverloadedException;
import dev.registrar.eventstore.TimeOrderedId;
import dev.registrar.http.admission.HttpSettings.AdmissionSettings;
import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.Headers;
import dev.registrar.http.problem.ProblemException;
import dev.registrar.http.problem.TooManyRequestsException;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.concurrent.Semaphore;
import java.util.regex.Pattern;
import org.apache.tomcat.util.http.InvalidParameterException;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/**
 * The filter in front of the security chain. Every request gets a correlation id and a body with a bound. All but those
 * for health and metrics count for the rate of their address, and need one of a bounded number of permits; further ones
 * are rejected at once, since a growing queue would only delay all of them. With the permit comes the deadline.
 * {@link EdgeInterceptor} is behind the security chain, where the caller is known.
 */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 1)
public final class EdgeFilter extends OncePerRequestFilter {
    private static final String CORRELATION = EdgeFilter.class.getName();
    private static final String LOG_KEY = "correlationId";
    private static final Pattern VALID_CORRELATION = Pattern.compile("[\\x21-\\x7e]{1,128}");

    private final AdmissionSettings settings;
    private final BoundedBody.Limits limits;
    private final RequestThreads server;
    private final EarlyRefusals refusals;
    private final RejectedRequests rejectedRequests;
    private final RequestRates addresses;
    private final Semaphore permits;
    private final String operatorsPath;

    EdgeFilter(
            HttpSettings settings,
            BoundedBody.Limits limits,
            RequestThreads server,
            EarlyRefusals refusals,
            RejectedRequests rejectedRequests,
            ApplicationAvailability availability,
            MeterRegistry registry,
            @Value("${management.endpoints.web.base-path:/actuator}") String operatorsPath) {
        this.settings = settings.admission();
        this.limits = limits;
        this.server = server;
        this.refusals = refusals;
        this.rejectedRequests = rejectedRequests;
        this.addresses =
                new RequestRates(this.settings.requestsPerSecondPerAddress(), this.settings.maxClients(), availability);
        this.permits = new Semaphore(this.settings.maxConcurrentRequests());
        this.operatorsPath = operatorsPath;
        Gauge.builder(
                        "registrar.http.requests.active",
                        () -> this.settings.maxConcurrentRequests() - permits.availablePermits())
                .description("Admitted requests that are not yet answered")
                .baseUnit("requests")
                .register(registry);
    }

    /** The request's correlation id: the caller's if it is valid, otherwise a new one. */
    public static String correlationId(HttpServletRequest request) {
        return String.valueOf(request.getAttribute(CORRELATION));
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        String given = request.getHeader(Headers.CORRELATION_ID);
        String id = given != null && VALID_CORRELATION.matcher(given).matches()
                ? given
                : TimeOrderedId.next().toString();
        request.setAttribute(CORRELATION, id);
        response.setHeader(Headers.CORRELATION_ID, id);
        if (server.isShortOfConnections()) {
            response.setHeader("Connection", "close");
        }
        MDC.put(LOG_KEY, id);
        try (BoundedBody bounded = new BoundedBody(request, response, limits)) {
            if (isForOperators(request)) {
                handle(bounded, response, chain);
            } else {
                admit(bounded, response, chain);
            }
            bounded.discardRest();
        } finally {
            MDC.remove(LOG_KEY);
        }
    }

    private boolean isForOperators(HttpServletRequest request) {
        // As the server has normalized it: a path could begin with that of the operators, and lead elsewhere.
        String path = request.getServletPath();
        return path.equals(operatorsPath) || path.startsWith(operatorsPath + "/");
    }

    private void admit(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (!addresses.admits(request.getRemoteAddr())) {
            rejectedRequests.count(Reason.TOO_MANY_REQUESTS);
            refusals.refuse(
                    request, response, TooManyRequestsException.fromAddress(settings.requestsPerSecondPerAddress()));
        } else if (permits.tryAcquire()) {
            try {
                Deadline.<IOException, ServletException>runWithin(
                        settings.deadline(), () -> handle(request, response, chain));
            } finally {
                permits.release();
            }
        } else {
            rejectedRequests.count(Reason.OVERLOADED);
            refusals.refuse(
                    request,
                    response,
                    new OverloadedException(
                            "Too many concurrent requests (limit %s)".formatted(settings.maxConcurrentRequests())));
        }
    }

    /*
     * Tomcat parses the query string at the first access to a parameter, and throws from there. With the parameters of an
     * upload it parses the body, too: that waits until the caller is known.
     */
    private void handle(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        try {
            if (!UploadFilter.isUpload(request)) {
                request.getParameterMap();
            }
            chain.doFilter(request, response);
        } catch (InvalidParameterException malformed) {
            refusals.refuse(request, response, ProblemException.malformedQuery());
        }
    }
}
