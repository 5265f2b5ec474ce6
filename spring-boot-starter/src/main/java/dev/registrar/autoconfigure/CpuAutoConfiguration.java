package dev.registrar.autoconfigure;

import dev.registrar.concurrent.CpuExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** The executor of CPU-bound work, with its meters. Its threads start with the first task. */
@AutoConfiguration
@ConditionalOnMissingBean(CpuExecutor.class)
@EnableConfigurationProperties(CpuSettings.class)
public class CpuAutoConfiguration {

    @Bean
    CpuExecutor registrarCpuExecutor(CpuSettings settings, ObjectProvider<MeterRegistry> meters) {
        return CpuExecutor.open(settings.options(), meters.getIfAvailable(CompositeMeterRegistry::new));
    }
}
