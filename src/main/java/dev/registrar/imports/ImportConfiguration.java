package dev.registrar.imports;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.enrollment.EnrollmentEvent;
import dev.registrar.eventstore.EventStore;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Wires imports to the decision loop. */
@Configuration(proxyBeanMethods = false)
class ImportConfiguration {

    @Bean
    CourseImports courseImports(
            DecisionLoop<EnrollmentEvent> loop, EventStore store, ImportSettings settings, CpuExecutor executor) {
        return new CourseImports(loop, store, settings, executor);
    }
}
