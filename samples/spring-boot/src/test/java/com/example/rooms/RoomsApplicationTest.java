package com.example.rooms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.testdatabase.TestDatabaseConfiguration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.context.annotation.Import;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.test.web.servlet.client.RestTestClient;
import org.springframework.test.web.servlet.client.RestTestClient.ResponseSpec;

@SpringBootTest(webEnvironment = WebEnvironment.RANDOM_PORT)
@Import(TestDatabaseConfiguration.class)
class RoomsApplicationTest {
    private RestTestClient http;

    @BeforeEach
    void connect(@LocalServerPort int port) {
        http = RestTestClient.bindToServer().baseUrl("http://localhost:" + port).build();
    }

    private ResponseSpec put(String booking) {
        return http.put().uri(booking).exchange();
    }

    @Test
    void the_answer_to_a_booking_contains_it() {
        put("/rooms/library/bookings/2026-12-07?person=ann")
                .expectStatus()
                .isCreated()
                .expectBody()
                .json("""
                        [{"day": "2026-12-07", "person": "ann"}]""");
        put("/rooms/library/bookings/2026-12-07?person=bob")
                .expectStatus()
                .isEqualTo(409)
                .expectBody()
                .jsonPath("$.detail")
                .isEqualTo("Room library is booked on 2026-12-07");
        http.get()
                .uri("/rooms/library/bookings")
                .exchange()
                .expectStatus()
                .isOk()
                .expectBody()
                .jsonPath("$.length()")
                .isEqualTo(1);
    }

    @Test
    void the_application_has_tables_migrations_and_health_of_its_own(@Autowired JdbcClient jdbc) {
        put("/rooms/cellar/bookings/2026-12-07?person=ann").expectStatus().isNotFound();
        assertThat(jdbc.sql("select script from flyway_schema_history where version is not null")
                        .query(String.class)
                        .list())
                .containsExactly("V1__rooms.sql");
        assertThat(jdbc.sql("select count(*) from room_events.registrar_schema_history")
                        .query(Long.class)
                        .single())
                .isPositive();
        http.get().uri("/actuator/health").exchange().expectStatus().isOk();
    }
}
