package dev.registrar.console.explorer;

import java.time.Duration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** How long the pages of the explorer and the lab search. */
@Configuration(proxyBeanMethods = false)
class ExplorerConfiguration {

    @Bean
    SearchTime searchTime() {
        return new SearchTime(Duration.ofSeconds(2));
    }
}
