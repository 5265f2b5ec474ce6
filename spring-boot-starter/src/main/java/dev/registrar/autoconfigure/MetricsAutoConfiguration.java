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

/** Connects the library's meters to the application's Micrometer registry, or discards them if there is none. */
@Import(MetricsAutoConfiguration.WithMicrometer.class)
@AutoConfiguration(
        before = EventStoreAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration")
public class MetricsAutoConfiguration {

    /*
     * With Micrometer. Imported, and without @Configuration: the component scan of an application in a parent package
     * would otherwise find it, and look for a registry before there is one.
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
