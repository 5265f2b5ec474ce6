package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.postgres.connection.StoreAddress;
import dev.registrar.http.ServiceTest;
import java.lang.reflect.Proxy;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.thymeleaf.ITemplateEngine;

@ServiceTest
class FailedRushTest {
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);

    private final StoreAddress address;
    private final EnrollmentEventCodec codec;
    private final ITemplateEngine templates;
    private final JdbcClient jdbc;

    @Autowired
    FailedRushTest(StoreAddress address, EnrollmentEventCodec codec, ITemplateEngine templates, JdbcClient jdbc) {
        this.address = address;
        this.codec = codec;
        this.templates = templates;
        this.jdbc = jdbc;
    }

    private long schemas() {
        return jdbc.sql("select count(*) from pg_namespace where nspname like 'rush\\_%'")
                .query(Long.class)
                .single();
    }

    private static ITemplateEngine failing() {
        return (ITemplateEngine) Proxy.newProxyInstance(
                ITemplateEngine.class.getClassLoader(),
                new Class<?>[] {ITemplateEngine.class},
                (proxy, method, arguments) -> {
                    throw new StackOverflowError("A template that does not end");
                });
    }

    @Test
    void a_rush_that_cannot_be_shown_ends_and_another_one_starts() {
        Rushes rushes = new Rushes(address, codec, new RushFragments(failing()));
        rushes.start();
        try {
            Rush first = rushes.run();
            await().atMost(MAX_WAIT).until(() -> first.shown().isOver());

            assertThat(first.shown().failure()).contains("unexpected reason");
            assertThat(rushes.run()).isNotSameAs(first);
        } finally {
            rushes.stop();
        }
    }

    @Test
    void a_rush_that_is_stopped_drops_its_schemas_and_no_other_starts() {
        Rushes rushes = new Rushes(address, codec, new RushFragments(templates));
        rushes.start();
        Rush rush = rushes.run();
        await().atMost(MAX_WAIT).until(() -> schemas() == 2);

        rushes.stop();

        assertThat(rush.shown().isOver()).isTrue();
        assertThat(schemas()).isZero();
        assertThat(rushes.run().shown().failure()).contains("The service is stopping");
    }
}
