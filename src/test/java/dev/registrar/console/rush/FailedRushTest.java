package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.DatabaseProxy;
import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;

@ServiceTest
class FailedRushTest {
    private final StoreAddress address;
    private final EnrollmentEventCodec codec;
    private final JdbcClient jdbc;

    @Autowired
    FailedRushTest(StoreAddress address, EnrollmentEventCodec codec, JdbcClient jdbc) {
        this.address = address;
        this.codec = codec;
        this.jdbc = jdbc;
    }

    private long schemas() {
        return jdbc.sql("select count(*) from pg_namespace where nspname like 'rush\\_%'")
                .query(Long.class)
                .single();
    }

    private long tables() {
        return jdbc.sql("select count(*) from pg_tables where schemaname like 'rush\\_%'")
                .query(Long.class)
                .single();
    }

    @Test
    @Tag("thorough")
    void a_rush_whose_database_fails_says_so_and_the_next_start_drops_its_schemas() {
        try (DatabaseProxy proxy = DatabaseProxy.to(address.url())) {
            Rushes rushes = rushesOf(new StoreAddress(proxy.url(), address.username(), address.password()));
            rushes.start();
            try {
                Rush rush = rushes.run();
                await().until(() -> schemas() == 2);
                // Frozen first: otherwise the rush may notice the first cut connection, and drop a schema through the
                // next one.
                proxy.freeze();
                proxy.refuse();
                await().until(() -> rush.shown().isOver());

                assertThat(rush.shown().failure()).contains("The database cannot be reached or is too busy");
                assertThat(rushes.latest()).isEmpty();
            } finally {
                rushes.stop();
            }
        }
        // As after a kill: the schemas are there, and the server has ended the sessions with their locks.
        assertThat(schemas()).isEqualTo(2);
        await().until(() -> lockedSchemas() == 0);
        Rushes next = rushesOf(address);
        next.start();
        try {
            await().until(() -> schemas() == 0);
        } finally {
            next.stop();
        }
    }

    /* A service that is killed during a rush leaves schemas behind: no session holds their locks. */
    @Test
    void the_next_start_drops_what_a_killed_service_left_and_nothing_else() {
        for (String sql : List.of(
                "create schema rush_left",
                "comment on schema rush_left is '%s'".formatted(Rushes.MARK),
                "create table rush_left.events (position bigint)",
                "create schema rush_of_others",
                "create schema other",
                "comment on schema other is '%s'".formatted(Rushes.MARK))) {
            jdbc.sql(sql).update();
        }
        Rushes next = rushesOf(address);
        next.start();
        try {
            await().until(() -> !exists("rush_left"));
            assertThat(List.of("rush_of_others", "other", "registrar")).allMatch(this::exists);
        } finally {
            next.stop();
            jdbc.sql("drop schema rush_of_others").update();
            jdbc.sql("drop schema other").update();
        }
    }

    private boolean exists(String schema) {
        return jdbc.sql("select count(*) from pg_namespace where nspname = ?")
                        .param(schema)
                        .query(Long.class)
                        .single()
                == 1;
    }

    private Rushes rushesOf(StoreAddress database) {
        return new Rushes(database, codec);
    }

    private long lockedSchemas() {
        return jdbc.sql("""
                        select count(*)
                        from pg_namespace
                        join pg_locks
                          on locktype = 'advisory'
                          and objid::bigint = hashtext(nspname)::bigint & 4294967295
                        where starts_with(nspname, 'rush_')""").query(Long.class).single();
    }

    @Test
    void a_role_without_the_right_to_create_schemas_is_answered_with_a_sentence() {
        String role = "rush_" + UUID.randomUUID().toString().replace("-", "");
        jdbc.sql("create role %s login password 'secret'".formatted(role)).update();
        Rushes rushes = rushesOf(new StoreAddress(address.url(), role, "secret"));
        rushes.start();
        try {
            Rush rush = rushes.run();
            await().until(() -> rush.shown().isOver());

            assertThat(rush.shown().failure()).contains("The database role of the service may not create schemas");
            assertThat(schemas()).isZero();
        } finally {
            rushes.stop();
            jdbc.sql("drop role " + role).update();
        }
    }

    @Test
    @Tag("thorough")
    void a_rush_that_is_stopped_drops_its_schemas_and_no_other_starts() {
        Rushes rushes = rushesOf(address);
        rushes.start();
        Rush rush = rushes.run();
        // The first race has begun: a stop that interrupts the creation of a schema leaves it to the next start.
        await().until(() -> tables() > 0);

        rushes.stop();

        assertThat(rush.shown().isOver()).isTrue();
        assertThat(schemas()).isZero();
        assertThat(rushes.run().shown().failure()).contains("The service is stopping");
    }
}
