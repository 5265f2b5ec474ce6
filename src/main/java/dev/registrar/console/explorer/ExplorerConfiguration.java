package dev.registrar.console.explorer;

import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.read.StoreExplorer;
import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The look-ups of the store that the explorer and the lab need beyond its contract. */
@Configuration(proxyBeanMethods = false)
class ExplorerConfiguration {

    @Bean
    StoreExplorer storeExplorer(PostgresEventStore store) {
        return store.explorer();
    }

    @Bean
    SearchTime searchTime() {
        return new SearchTime(Duration.ofSeconds(2));
    }
}
