package dev.registrar.security;

import org.springframework.boot.context.event.ApplicationEnvironmentPreparedEvent;
import org.springframework.context.ApplicationListener;
import org.springframework.core.annotation.Order;
import org.springframework.core.env.Environment;

/**
 * Refuses a start at its very beginning if the settings of the issuer are incomplete, or open the service to others.
 */
@Order(-1)
final class AddressCheck implements ApplicationListener<ApplicationEnvironmentPreparedEvent> {
    /** @throws RefusedStartException if the settings must not be used */
    @Override
    public void onApplicationEvent(ApplicationEnvironmentPreparedEvent prepared) {
        Environment environment = prepared.getEnvironment();
        IssuerSettings.check(environment);
        DemoSetting.check(environment);
        ListeningAddresses.check(environment);
    }
}
