package dev.registrar.http.admission;

import dev.registrar.security.PayloadReadLog;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.springframework.stereotype.Component;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.config.annotation.InterceptorRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Logs the calls of operations with {@link ReadsPayloads} by auditors. */
@Component
final class PayloadAccess implements HandlerInterceptor, WebMvcConfigurer {
    private final PayloadReadLog log;

    PayloadAccess(PayloadReadLog log) {
        this.log = log;
    }

    @Override
    public void addInterceptors(InterceptorRegistry registry) {
        registry.addInterceptor(this);
    }

    @Override
    public boolean preHandle(HttpServletRequest request, HttpServletResponse response, Object handler) {
        if (handler instanceof HandlerMethod operation && operation.hasMethodAnnotation(ReadsPayloads.class)) {
            Object pattern = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
            log.reads(request.getMethod(), String.valueOf(pattern));
        }
        return true;
    }
}
