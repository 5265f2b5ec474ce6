package dev.registrar.http.admission;

import dev.registrar.http.admission.RejectedRequests.Reason;
import dev.registrar.http.problem.RequestParameters;
import dev.registrar.http.problem.TooManyRequestsException;
import dev.registrar.security.PayloadReadLog;
import jakarta.servlet.DispatcherType;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import org.springframework.boot.availability.ApplicationAvailability;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpMediaTypeNotSupportedException;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/**
 * What is done to every request behind the security chain, in this order: it counts for the rate of its caller, its
 * body is read, its parameters are checked, and an auditor's call of an operation with {@link ReadsPayloads} is logged.
 */
@Component
final class EdgeInterceptor implements HandlerInterceptor, WebMvcConfigurer {
    private final RequestParameters parameters = new RequestParameters();
    private final int perSecond;
    private final RequestRates clients;
    private final RejectedRequests rejectedRequests;
    private final PayloadReadLog log;

    EdgeInterceptor(
            HttpSettings settings,
            ApplicationAvailability availability,
            RejectedRequests rejectedRequests,
            PayloadReadLog log) {
        this.perSecond = settings.admission().requestsPerSecondPerClient();
        this.clients = new RequestRates(perSecond, settings.admission().maxClients(), availability);
        this.rejectedRequests = rejectedRequests;
        this.log = log;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler)
            throws IOException, HttpMediaTypeNotSupportedException {
        if (request.getDispatcherType() != DispatcherType.REQUEST) {
            return true;
        }
        if (!clients.admits(Client.of(request))) {
            rejectedRequests.count(Reason.TOO_MANY_REQUESTS);
            BoundedBody.closeAfterAnswer(request, response);
            throw TooManyRequestsException.fromClient(perSecond);
        }
        if (!UploadFilter.isUpload(request)) {
            BoundedBody.read(request);
        }
        if (handler instanceof HandlerMethod operation) {
            parameters.check(request, operation);
            if (operation.hasMethodAnnotation(ReadsPayloads.class)) {
                Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
                log.reads(request.getMethod(), String.valueOf(pattern));
            }
        }
        return true;
    }
}
