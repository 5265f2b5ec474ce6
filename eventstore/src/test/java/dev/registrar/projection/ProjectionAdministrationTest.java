package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.core.simple.JdbcClient;

/** The operations of an operator: pause, resume, skip, reset and rebuild. */
class ProjectionAdministrationTest extends ProjectionFixture {
    private static Tally failingAt(String name, List<Long> positions) {
        return new Tally(name, 1, event -> {
            if (positions.contains(event.position().value())) {
                throw new IllegalArgumentException("no event: \0");
            }
        });
    }

    @Test
    void an_operator_skips_the_event_that_has_stopped_a_view_and_no_other() throws InterruptedException {
        Tally poisoned = failingAt("poisoned", List.of(3L, 5L));
        Tally healthy = new Tally("healthy");
        ProjectionRunner runner = instances.start(QUICK, poisoned, healthy);
        Position last = instances.countAtOnce(10);
        await().until(() -> runner.administration().status("poisoned").state().equals("stopped"));

        assertThatThrownBy(() -> runner.administration().skip("poisoned", Position.of(5)))
                .isInstanceOf(NotSkippableException.class)
                .hasMessageContaining("at position 3, not at 5");
        assertThatThrownBy(() -> runner.administration().skip("healthy", Position.of(3)))
                .isInstanceOf(NotSkippableException.class)
                .hasMessageContaining("running");
        runner.administration().skip("poisoned", Position.of(3));
        await().until(() -> {
            ProjectionStatus status = runner.administration().status("poisoned");
            return status.state().equals("stopped") && status.skipped() == 1;
        });
        runner.administration().skip("poisoned", Position.of(5));
        awaitPosition(runner, "poisoned", last);

        ProjectionStatus status = runner.administration().status("poisoned");
        assertThat(status.state()).isEqualTo("running");
        assertThat(status.failure()).isNull();
        assertThat(status.skipped()).isEqualTo(2);
        assertThat(status.skips())
                .extracting(Skip::position, Skip::by)
                .containsExactly(tuple(Position.of(5), Skip.By.OPERATOR), tuple(Position.of(3), Skip.By.OPERATOR));
        assertThat(status.skips().getFirst().reason()).contains("no event: \uFFFD");
        assertThat(positions(runner, poisoned)).containsExactly(1L, 2L, 4L, 6L, 7L, 8L, 9L, 10L);
        assertThatThrownBy(() -> runner.administration().skip("nothing", Position.of(1)))
                .isInstanceOf(UnknownProjectionException.class);
    }

    @Test
    void an_operator_skips_the_event_that_has_stopped_a_rebuild() throws InterruptedException {
        AtomicBoolean building = new AtomicBoolean();
        Tally tally = new Tally("tally", 1, event -> {
            if (building.get() && event.position().value() == 4) {
                throw new IllegalArgumentException("four");
            }
        });
        ProjectionRunner runner = instances.start(QUICK, tally);
        Position last = instances.countAtOnce(10);
        awaitPosition(runner, "tally", last);
        building.set(true);
        runner.administration().rebuild("tally");
        await().until(() -> runner.administration()
                .status("tally")
                .rebuild()
                .map(rebuild -> rebuild.state().equals("stopped"))
                .orElse(false));

        runner.administration().skip("tally", Position.of(4));

        await().until(() -> runner.administration().status("tally").rebuild().isEmpty());
        assertThat(positions(runner, tally)).containsExactly(1L, 2L, 3L, 5L, 6L, 7L, 8L, 9L, 10L);
        assertThat(runner.administration().status("tally").skips())
                .extracting(Skip::position)
                .containsExactly(Position.of(4));
    }

    @Test
    void a_paused_view_is_paused_in_every_instance_until_it_is_resumed() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner one = instances.start(QUICK, tally);
        ProjectionRunner two = instances.start(QUICK, tally);
        awaitPosition(one, "tally", instances.count(3));

        two.administration().pause("tally");
        Position last = instances.count(3);

        for (ProjectionRunner each : List.of(one, two)) {
            await().until(() -> each.processNext("tally").equals(new BatchResult.Resting()));
        }
        assertThat(one.views().waitFor("tally", last, Duration.ZERO)).isFalse();
        assertThat(one.administration().status("tally").state()).isEqualTo("paused");
        assertThat(one.views().read(tally, Position.START, Tally::positions).isRunning())
                .isFalse();
        assertThat(one.administration().status("tally").lagEvents()).isEqualTo(3);

        one.administration().resume("tally");
        awaitPosition(two, "tally", last);
        assertThat(positions(one, tally)).isEqualTo(instances.counted());
    }

    @Test
    void a_reset_keeps_what_others_have_on_the_tables_of_a_view() throws InterruptedException {
        JdbcClient admin = JdbcClient.create(instances.database.database().dataSource());
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        Position last = instances.count(5);
        awaitPosition(runner, "tally", last);
        admin.sql("grant select on registrar_tally.tally to public").update();
        admin.sql("create view public.report as select count(*) as events from registrar_tally.tally")
                .update();

        runner.administration().reset("tally");
        awaitPosition(runner, "tally", last);

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        assertThat(admin.sql("select events from public.report")
                        .query(Long.class)
                        .single())
                .isEqualTo(5);
        assertThat(admin.sql("select has_table_privilege('public', 'registrar_tally.tally', 'select')")
                        .query(Boolean.class)
                        .single())
                .isTrue();
        admin.sql("drop view public.report").update();
    }

    @Test
    void a_reset_view_is_filled_again() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        Position last = instances.count(20);
        awaitPosition(runner, "tally", last);

        runner.administration().reset("tally");
        awaitPosition(runner, "tally", last);

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        assertThat(runner.administration().status("tally").events()).isEqualTo(20);
    }
}
