package dev.registrar.autoconfigure;

import dev.registrar.eventstore.metrics.Metrics;
import dev.registrar.eventstore.metrics.MicrometerMetrics;
import io.micrometer.core.instrument.MeterRegistry;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Import;

/** Where the library's meters go: to the application's Micrometer registry, or nowhere if it has none. */
@Import(MetricsAutoConfiguration.WithMicrometer.class)
@AutoConfiguration(
        before = EventStoreAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
public class MetricsAutoConfiguration {

    /*
     * With Micrometer. Imported and no @Configuration of its own: a component scan of an application that has this package
     * below its own would find it, and look for a registry before there is one.
     */
    @ConditionalOnClass(MeterRegistry.class)
    @ConditionalOnBean(MeterRegistry.class)
    static class WithMicrometer {

        @Bean
        @ConditionalOnMissingBean
        Metrics registrarMetrics(MeterRegistry registry) {
            return new MicrometerMetrics(registry);
        }
    }

    /* Imported configurations come before the beans of the class that imports them. */
    @Bean
    @ConditionalOnMissingBean(Metrics.class)
    Metrics registrarNoMetrics() {
        return Metrics.none();
    }
}
