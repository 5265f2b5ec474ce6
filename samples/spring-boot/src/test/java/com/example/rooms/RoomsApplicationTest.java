package com.example.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.projection.ViewReader;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.health.actuate.endpoint.HealthEndpoint;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.jdbc.core.simple.JdbcClient;

class RoomsApplicationTest {
    private static EmbeddedPostgres database;
    private static ConfigurableApplicationContext application;

    @BeforeAll
    static void start() throws IOException {
        database = EmbeddedPostgres.builder()
                .setPGStartupWait(Duration.ofMinutes(1))
                .start();
        application = SpringApplication.run(
                RoomsApplication.class,
                "--spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"),
                "--spring.datasource.username=postgres",
                "--spring.datasource.password=");
    }

    @AfterAll
    static void stop() throws IOException {
        application.close();
        database.close();
    }

    @Test
    void an_application_appends_reads_a_view_and_reacts() throws InterruptedException {
        Bookings bookings = application.getBean(Bookings.class);

        Appended booked = (Appended) bookings.book("library");

        assertThat(bookings.book("library")).isInstanceOf(Conflict.class);
        assertThat(application.getBean(EventStore.class)).isInstanceOf(PostgresEventStore.class);
        assertThat(application
                        .getBean(ViewReader.class)
                        .read(application.getBean(BookedRoomsView.class), booked.last(), BookedRoomsView::rooms)
                        .found())
                .isEqualTo(List.of("library"));
        assertThat(application.getBean(ReminderAutomation.class).due.poll(1, TimeUnit.MINUTES))
                .isNotNull()
                .satisfies(event -> assertThat(event.position()).isEqualTo(booked.last()));
    }

    @Test
    void the_application_has_migrations_tables_and_health_of_its_own() {
        JdbcClient jdbc = application.getBean(JdbcClient.class);

        assertThat(jdbc.sql("select seats from rooms where id = 'library'")
                        .query(Integer.class)
                        .single())
                .isEqualTo(12);
        assertThat(jdbc.sql("select script from flyway_schema_history where version = '1'")
                        .query(String.class)
                        .list())
                .containsExactly("V1__rooms.sql");
        assertThat(jdbc.sql("select count(*) from room_events.registrar_schema_history")
                        .query(Long.class)
                        .single())
                .isPositive();
        assertThat(application.getBean(HealthEndpoint.class).health().getStatus())
                .isEqualTo(Status.UP);
    }
}
