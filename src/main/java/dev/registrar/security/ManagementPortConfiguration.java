package dev.registrar.security;

import org.springframework.boot.actuate.autoconfigure.web.server.ConditionalOnManagementPort;
import org.springframework.boot.actuate.autoconfigure.web.server.ManagementPortType;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.web.servlet.FilterRegistrationBean;
import org.springframework.context.annotation.Bean;
import org.springframework.core.Ordered;

/**
 * The mode {@code local} on a management port of its own. Its web server belongs to a child of the application context,
 * and runs the filters of that context alone. Spring Boot imports this class there, so it must not be scanned.
 */
@ConditionalOnManagementPort(ManagementPortType.DIFFERENT)
class ManagementPortConfiguration {

    @Bean
    @ConditionalOnBean(value = LocalRequestFilter.class, search = SearchStrategy.ANCESTORS)
    FilterRegistrationBean<LocalRequestFilter> managementRequestFilter(LocalRequestFilter filter) {
        FilterRegistrationBean<LocalRequestFilter> registration = new FilterRegistrationBean<>(filter);
        registration.setOrder(Ordered.HIGHEST_PRECEDENCE);
        return registration;
    }
}
