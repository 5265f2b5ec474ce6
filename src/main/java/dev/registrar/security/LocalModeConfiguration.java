package dev.registrar.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** The mode {@code local}: every caller that reaches the service may do everything. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnLocalMode
class LocalModeConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(LocalModeConfiguration.class);

    @Bean
    LocalRequestFilter localRequestFilter(
            SecuritySettings settings, Environment environment, RefusedRequests answers, RefusalLog log) {
        LOG.warn(
                "Mode local: the service does not ask who is calling{}",
                settings.allowNetworkWithoutLogin() ? ", and other machines may reach it" : "");
        AllowedHosts hosts = AllowedHosts.of(settings.allowedHosts(), ListeningAddresses.names(environment));
        return new LocalRequestFilter(hosts, answers, log);
    }

    @Bean
    AreaAccess localAccess(RefusedRequests answers, RefusalLog log) {
        return new AreaAccess(new LocalContexts(), null, answers, log);
    }
}
