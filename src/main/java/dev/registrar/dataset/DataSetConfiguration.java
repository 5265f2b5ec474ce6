package dev.registrar.dataset;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

/** Loads a data set at the start of the service if {@code registrar.load} names one. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("registrar.load")
class DataSetConfiguration {

    @Bean
    DataSetRunner dataSetRunner(
            Environment environment, EventStore store, EnrollmentEventCodec codec, CpuExecutor executor) {
        DataSet dataSet =
                Binder.get(environment).bind("registrar.load", DataSet.class).get();
        return new DataSetRunner(dataSet, store, new DataSetLoader(store, codec, executor));
    }
}
