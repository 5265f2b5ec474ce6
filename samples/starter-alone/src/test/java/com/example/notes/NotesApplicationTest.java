package com.example.notes;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.json.JsonParserFactory;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.ClassUtils;

class NotesApplicationTest {

    @Test
    void the_starter_alone_is_enough_for_a_store() throws IOException {
        assertThat(List.of(
                        "io.micrometer.core.instrument.MeterRegistry",
                        "org.springframework.boot.health.contributor.HealthIndicator",
                        "org.springframework.boot.flyway.autoconfigure.FlywayAutoConfiguration"))
                .noneMatch(optional -> ClassUtils.isPresent(optional, null));
        try (EmbeddedPostgres database = EmbeddedPostgres.builder()
                        .setPGStartupWait(Duration.ofMinutes(1))
                        .start();
                ConfigurableApplicationContext application = SpringApplication.run(
                        NotesApplication.class,
                        "--spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"),
                        "--spring.datasource.username=postgres",
                        "--spring.datasource.password=")) {
            assertThat(application.getBean(EventStore.class).append(Append.of(Event.of("NoteTaken", "{}", "note:1"))))
                    .isInstanceOf(Appended.class);
        }
    }

    @Test
    void an_editor_knows_the_settings_of_the_starter_and_none_of_the_service() throws IOException {
        List<String> names = settings();

        assertThat(names)
                .contains(
                        "registrar.store.schema",
                        "registrar.projections.enabled",
                        "registrar.live.max-listeners",
                        "management.health.projections.enabled")
                .noneMatch(name -> name.startsWith("registrar.http")
                        || name.startsWith("registrar.embedded")
                        || name.startsWith("registrar.enrollment")
                        || name.startsWith("registrar.imports")
                        || name.startsWith("registrar.warm-up")
                        || name.equals("registrar.load"));
    }

    private static List<String> settings() throws IOException {
        for (URL file : Collections.list(NotesApplicationTest.class
                .getClassLoader()
                .getResources("META-INF/spring-configuration-metadata.json"))) {
            if (file.getPath().contains("registrar-spring-boot-starter")) {
                try (InputStream content = file.openStream()) {
                    return ((List<?>) JsonParserFactory.getJsonParser()
                                    .parseMap(new String(content.readAllBytes(), StandardCharsets.UTF_8))
                                    .get("properties"))
                            .stream()
                                    .map(property -> String.valueOf(((Map<?, ?>) property).get("name")))
                                    .toList();
                }
            }
        }
        throw new AssertionError("The starter has no metadata");
    }
}
