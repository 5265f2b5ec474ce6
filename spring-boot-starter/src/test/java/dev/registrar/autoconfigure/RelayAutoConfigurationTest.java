package dev.registrar.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ProjectionStatus;
import dev.registrar.relay.EventRelay;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

/** Settings start the relays. */
class RelayAutoConfigurationTest {
    @AutoClose
    private final StoreDatabase store = new StoreDatabase();

    private final ApplicationContextRunner application = StarterApplications.with(store.database());

    @Test
    void without_settings_there_is_no_relay() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(EventRelay.class));
    }

    @Test
    void an_address_and_a_secret_publish_the_events_by_http() throws IOException {
        List<String> bodies = new CopyOnWriteArrayList<>();
        HttpServer receiver = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        receiver.createContext("/", exchange -> {
            bodies.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        receiver.start();
        try {
            application
                    .withPropertyValues(
                            "registrar.relay.http.url=http://127.0.0.1:%s/"
                                    .formatted(receiver.getAddress().getPort()),
                            "registrar.relay.http.secret=a secret",
                            "registrar.relay.key-prefixes=room:,house:")
                    .run(context -> {
                        context.getBean(EventStore.class)
                                .append(Append.of(List.of(Event.of("Told", "{}", "house:1", "room:2"))));
                        await().until(() -> !bodies.isEmpty());
                        assertThat(bodies.getFirst()).contains("\"subject\":\"room:2\"");
                    });
        } finally {
            receiver.stop(0);
        }
    }

    @Test
    void an_address_without_a_secret_fails_the_start() {
        application
                .withPropertyValues("registrar.relay.http.url=http://127.0.0.1:1/")
                .run(context -> assertThat(context.getStartupFailure())
                        .rootCause()
                        .hasMessageContaining("registrar.relay.http.secret"));
    }

    @Test
    void a_topic_makes_a_relay_to_kafka_that_waits_for_the_broker() {
        application
                .withPropertyValues(
                        "registrar.relay.kafka.topic=events",
                        "spring.kafka.bootstrap-servers=127.0.0.1:1",
                        "spring.kafka.producer.properties.max.block.ms=50")
                .run(context -> {
                    ProjectionAdministration administration = context.getBean(ProjectionAdministration.class);
                    context.getBean(EventStore.class).append(Append.of(List.of(Event.of("Told", "{}"))));
                    assertThat(administration.statuses())
                            .extracting(ProjectionStatus::name, ProjectionStatus::kind, ProjectionStatus::state)
                            .containsExactly(tuple("kafka-relay", "relay", "running"));
                });
    }

    @Test
    void a_topic_without_kafka_on_the_class_path_fails_the_start() {
        application
                .withClassLoader(new FilteredClassLoader("org.springframework.boot.kafka", "org.springframework.kafka"))
                .withPropertyValues("registrar.relay.kafka.topic=events")
                .run(context ->
                        assertThat(context.getStartupFailure()).rootCause().hasMessageContaining("spring-boot-kafka"));
    }
}
