package dev.registrar;

import java.time.InstantSource;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What the loops and the domain share: the clock. */
@Configuration(proxyBeanMethods = false)
class DomainConfiguration {

    @Bean
    InstantSource clock() {
        return InstantSource.system();
    }
}
