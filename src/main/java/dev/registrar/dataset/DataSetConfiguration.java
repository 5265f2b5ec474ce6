package dev.registrar.dataset;

import dev.registrar.concurrent.CpuExecutor;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import javax.sql.DataSource;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.DriverManagerDataSource;
import org.springframework.util.StringUtils;

/**
 * Loads a data set at the start of the service if {@code registrar.load} names one, and clears the store for others.
 */
@Configuration(proxyBeanMethods = false)
class DataSetConfiguration {

    @Bean
    @ConditionalOnProperty("registrar.load")
    DataSetRunner dataSetRunner(
            Environment environment, EventStore store, EnrollmentEventCodec codec, CpuExecutor executor) {
        DataSet dataSet =
                Binder.get(environment).bind("registrar.load", DataSet.class).get();
        return new DataSetRunner(dataSet, store, new DataSetLoader(store, codec, executor));
    }

    /*
     * As the owner of the schema, whose name and password are those of the migrations. The store is a parameter because
     * its bean migrates the schema.
     */
    @Bean
    @ConditionalOnBooleanProperty("registrar.load-test.enabled")
    StoreClearing storeClearing(
            PostgresEventStore migrated,
            DataSource service,
            StoreAddress address,
            StoreOptions options,
            Environment environment) {
        StoreClearing clearing = new StoreClearing(owner(service, address, environment), options.schema());
        clearing.requireOwner();
        return clearing;
    }

    private static DataSource owner(DataSource service, StoreAddress address, Environment environment) {
        String user = environment.getProperty("spring.flyway.user");
        if (!StringUtils.hasText(user)) {
            return service;
        }
        String url = environment.getProperty("spring.flyway.url");
        DriverManagerDataSource owner = new DriverManagerDataSource();
        owner.setUrl(StringUtils.hasText(url) ? url : address.url());
        owner.setUsername(user);
        owner.setPassword(environment.getProperty("spring.flyway.password"));
        return owner;
    }
}
