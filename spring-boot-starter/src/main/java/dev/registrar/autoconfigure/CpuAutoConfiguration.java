package dev.registrar.autoconfigure;

import dev.registrar.concurrent.CpuExecutor;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.core.env.Environment;

/** The executor of CPU-bound work, with its meters. Its threads start with the first task. */
@AutoConfiguration
@ConditionalOnMissingBean(CpuExecutor.class)
public class CpuAutoConfiguration {

    @Bean
    CpuExecutor registrarCpuExecutor(Environment environment, ObjectProvider<MeterRegistry> meters) {
        return CpuExecutor.open(
                "cpu",
                new OptionsBinder(Binder.get(environment)).cpu(),
                meters.getIfAvailable(CompositeMeterRegistry::new));
    }
}
