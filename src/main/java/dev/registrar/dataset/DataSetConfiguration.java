package dev.registrar.dataset;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import java.util.Locale;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Loads a data set when the service starts with one named, and then serves as always. */
@Configuration(proxyBeanMethods = false)
@ConditionalOnProperty("registrar.load")
class DataSetConfiguration {

    @Bean
    ApplicationRunner dataSetRunner(
            @Value("${registrar.load}") DataSet dataSet, EventStore store, EnrollmentEventCodec codec) {
        return arguments -> {
            String what = "Loading " + dataSet.name().toLowerCase(Locale.ROOT);
            // The bar is for the terminal, and so not for the log.
            ProgressBar bar = new ProgressBar(System.out, what, dataSet.size());
            new DataSetLoader(store, codec).load(dataSet, bar::show);
        };
    }
}
