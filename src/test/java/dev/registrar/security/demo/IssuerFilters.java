package dev.registrar.security.demo;

import jakarta.servlet.Filter;
import java.util.List;
import org.springframework.context.ApplicationContext;
import org.springframework.security.web.FilterChainProxy;

/** The filters of a service that belong to an issuer, a login or a logout. */
final class IssuerFilters {
    private static final List<String> PACKAGES = List.of(
            "org.springframework.security.oauth2.server.authorization",
            "org.springframework.security.web.authentication.ui",
            "org.springframework.security.web.authentication.logout");

    private IssuerFilters() {}

    static List<String> in(ApplicationContext service) {
        return service.getBeansOfType(FilterChainProxy.class).values().stream()
                .flatMap(proxy -> proxy.getFilterChains().stream())
                .flatMap(chain -> chain.getFilters().stream())
                .map(Filter::getClass)
                .map(Class::getName)
                .filter(name -> PACKAGES.stream().anyMatch(name::startsWith))
                .distinct()
                .toList();
    }
}
