package dev.registrar.security;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * In the mode {@code local} and with the demo login, the service is for this machine, and web pages in its browsers
 * must not use it.
 */
@Configuration(proxyBeanMethods = false)
@Conditional(WithoutIssuerConfiguration.WithoutIssuer.class)
class WithoutIssuerConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(WithoutIssuerConfiguration.class);

    /** Reads the mode from the settings. */
    static final class WithoutIssuer implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return AccessMode.of(context.getEnvironment()) != AccessMode.TOKENS;
        }
    }

    @Bean
    LocalRequestFilter localRequestFilter(
            AccessMode mode,
            SecuritySettings settings,
            Environment environment,
            RefusedRequests answers,
            RefusalLog log) {
        if (mode == AccessMode.LOCAL) {
            LOG.warn(
                    "Mode local: the service does not ask who is calling{}",
                    settings.allowNetworkWithoutLogin() ? ", and other machines may reach it" : "");
        }
        AllowedHosts hosts = AllowedHosts.of(settings.allowedHosts(), ListeningAddresses.names(environment));
        return new LocalRequestFilter(hosts, answers, log);
    }
}
