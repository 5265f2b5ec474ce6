package dev.registrar.http.admission;

import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.TooManyRequestsException;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.stereotype.Component;
import org.springframework.web.filter.OncePerRequestFilter;

/** Limits the requests of each caller per second, after the caller is authenticated and before a body is read. */
@Component
@Order(Ordered.HIGHEST_PRECEDENCE + 4)
final class ClientRateFilter extends OncePerRequestFilter {
    private final int perSecond;
    private final RequestRates clients;
    private final LimitedRequests limited;
    private final RejectedRequests rejectedRequests;
    private final EarlyRefusals refusals;

    ClientRateFilter(
            HttpSettings settings, LimitedRequests limited, RejectedRequests rejectedRequests, EarlyRefusals refusals) {
        this.perSecond = settings.admission().requestsPerSecondPerClient();
        this.clients = new RequestRates(perSecond, settings.admission().maxClients());
        this.limited = limited;
        this.rejectedRequests = rejectedRequests;
        this.refusals = refusals;
    }

    @Override
    protected boolean shouldNotFilter(HttpServletRequest request) {
        return perSecond == 0 || limited.excludes(request);
    }

    @Override
    protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (limited.countNow() && !clients.admits(Client.of(request))) {
            rejectedRequests.count(Reason.TOO_MANY_REQUESTS);
            refusals.refuse(request, response, TooManyRequestsException.fromClient(perSecond));
            return;
        }
        chain.doFilter(request, response);
    }
}
