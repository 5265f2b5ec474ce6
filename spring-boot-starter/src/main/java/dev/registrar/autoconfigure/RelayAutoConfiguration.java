package dev.registrar.autoconfigure;

import dev.registrar.relay.EventRelay;
import dev.registrar.relay.HttpPublisher;
import dev.registrar.relay.KafkaPublisher;
import java.time.InstantSource;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.kafka.core.ProducerFactory;

/**
 * Publishes all events to Kafka or by HTTP, if settings say where to. For other events, topics or keys an application
 * defines an {@link EventRelay} as a bean.
 */
@AutoConfiguration(before = ProjectionAutoConfiguration.class)
@EnableConfigurationProperties(RelaySettings.class)
public class RelayAutoConfiguration {
    private static final String TOPIC = "registrar.relay.kafka.topic";

    @Bean
    @ConditionalOnProperty("registrar.relay.http.url")
    @ConditionalOnMissingBean(name = "registrarHttpRelay")
    EventRelay registrarHttpRelay(RelaySettings settings) {
        RelaySettings.Http http = settings.http();
        return new EventRelay(
                "http-relay",
                settings.options(http.batch()),
                new HttpPublisher(
                        http.address(), String.valueOf(http.secret()), http.timeout(), InstantSource.system()));
    }

    /* Kafka's own auto-configuration, also in an application that starts without it to save time. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(TOPIC)
    @ConditionalOnClass(KafkaAutoConfiguration.class)
    @Import(KafkaAutoConfiguration.class)
    static class ToKafka {

        @Bean
        @ConditionalOnMissingBean(name = "registrarKafkaRelay")
        EventRelay registrarKafkaRelay(RelaySettings settings, ProducerFactory<?, ?> producers) {
            String topic = String.valueOf(settings.kafka().topic());
            return new EventRelay(
                    "kafka-relay",
                    settings.options(settings.kafka().batch()),
                    new KafkaPublisher(producers.getConfigurationProperties(), event -> topic));
        }
    }

    /* Fails the start: an event that is never published would look published. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnProperty(TOPIC)
    @ConditionalOnMissingClass("org.springframework.boot.kafka.autoconfigure.KafkaAutoConfiguration")
    static class WithoutKafka {

        @Bean
        EventRelay registrarKafkaRelay() {
            throw new IllegalStateException(
                    "%s is set, but the class path has no org.springframework.boot:spring-boot-kafka: add it"
                            .formatted(TOPIC));
        }
    }
}
