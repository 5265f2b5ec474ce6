package dev.registrar.automation;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.enrollment.EnrollmentSettings;
import dev.registrar.eventstore.EventStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires the automations to the decision loop. */
@Configuration(proxyBeanMethods = false)
class AutomationConfiguration {

    @Bean
    WaitingListAutomation waitingListAutomation(
            DecisionLoop<EnrollmentEvent> loop,
            EventStore store,
            EnrollmentEventCodec codec,
            EnrollmentSettings settings) {
        return new WaitingListAutomation(loop, store, codec, settings);
    }
}
