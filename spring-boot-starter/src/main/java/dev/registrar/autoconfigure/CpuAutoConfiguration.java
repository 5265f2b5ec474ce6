package dev.registrar.autoconfigure;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.eventstore.metrics.CpuMeters;
import dev.registrar.eventstore.metrics.Metrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The executor of CPU-bound work, with its meters. Its threads start with the first task. */
@AutoConfiguration(after = MetricsAutoConfiguration.class)
@ConditionalOnMissingBean(CpuExecutor.class)
@EnableConfigurationProperties(CpuSettings.class)
public class CpuAutoConfiguration {

    @Bean
    CpuExecutor registrarCpuExecutor(CpuSettings settings, Metrics metrics) {
        return CpuMeters.open(settings.options(), metrics);
    }
}
