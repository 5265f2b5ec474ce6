package dev.registrar.projection;

import static dev.registrar.projection.Instances.QUICK;
import static dev.registrar.projection.Instances.awaitPosition;
import static dev.registrar.projection.Instances.positions;
import static dev.registrar.projection.Instances.quick;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.registrar.eventstore.Position;
import dev.registrar.projection.ProjectionOptions.RebuildAtStart;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataAccessResourceFailureException;
import org.springframework.jdbc.core.simple.JdbcClient;

/** A rebuild fills a next generation beside the live one, and then replaces it. */
class RebuildTest extends ProjectionFixture {
    @Test
    void the_old_generation_is_read_until_the_rebuild_replaces_it() throws InterruptedException {
        Position last = instances.countAtOnce(300);
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        Tally tally = new Tally("tally", 1, event -> {
            if (slow.get() && event.position().value() == 100) {
                awaitUninterruptibly(goesOn);
            }
        });
        ProjectionRunner runner = instances.start(ProjectionOptions.with(options -> options.batch = 10), tally);
        awaitPosition(runner, "tally", last);

        slow.set(true);
        runner.administration().rebuild("tally");
        await().until(() -> runner.administration()
                .status("tally")
                .rebuild()
                .filter(rebuild -> rebuild.events() == 90)
                .isPresent());
        Position later = instances.count(5);
        awaitPosition(runner, "tally", later);

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        ProjectionStatus.Rebuild rebuild =
                runner.administration().status("tally").rebuild().orElseThrow();
        assertThat(rebuild.remaining()).isEqualTo(305 - 90);
        assertThat(indexes(runner, tally))
                .containsExactly(
                        "registrar_tally.tally_made_by",
                        "registrar_tally.tally_pkey",
                        "registrar_tally_next.tally_pkey");

        goesOn.countDown();
        await().until(() -> runner.administration().status("tally").rebuild().isEmpty());

        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
        assertThat(runner.administration().status("tally").events()).isEqualTo(305);
        assertThat(indexes(runner, tally))
                .containsExactly("registrar_tally.tally_made_by", "registrar_tally.tally_pkey");
        awaitPosition(runner, "tally", instances.count(5));
        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
    }

    private JdbcClient admin() {
        return JdbcClient.create(instances.database.database().dataSource());
    }

    private boolean may(String role, String privilege, String column) {
        return admin().sql("select has_column_privilege(?, 'registrar_tally.tally', ?, ?)")
                .params(role, column, privilege)
                .query(Boolean.class)
                .single();
    }

    /* The predefined roles stand for those of a reporting tool. */
    @Test
    void a_rebuild_keeps_the_privileges_of_others() throws InterruptedException {
        ProjectionRunner runner = instances.start(QUICK, new Tally("tally"));
        awaitPosition(runner, "tally", instances.countAtOnce(10));
        admin().sql("grant usage on schema registrar_tally to public, pg_monitor")
                .update();
        admin().sql("grant select on registrar_tally.tally to public").update();
        admin().sql("grant update (made_by) on registrar_tally.tally to pg_monitor with grant option")
                .update();

        runner.administration().rebuild("tally");
        await().until(() -> runner.administration().status("tally").rebuild().isEmpty());

        assertThat(may("public", "select", "position")).isTrue();
        assertThat(may("pg_monitor", "update with grant option", "made_by")).isTrue();
        assertThat(may("pg_monitor", "update", "position")).isFalse();
        assertThat(admin().sql("select has_schema_privilege('pg_monitor', 'registrar_tally', 'usage')")
                        .query(Boolean.class)
                        .single())
                .isTrue();
    }

    @Test
    void a_rebuild_that_would_drop_sql_views_of_others_is_refused_with_their_names() throws InterruptedException {
        Tally tally = new Tally("tally");
        ProjectionRunner runner = instances.start(QUICK, tally);
        Position last = instances.countAtOnce(10);
        awaitPosition(runner, "tally", last);
        admin().sql("create view public.report as select count(*) as events from registrar_tally.tally")
                .update();
        admin().sql(
                        "create function public.counted() returns setof registrar_tally.tally language sql as 'select * from registrar_tally.tally'")
                .update();

        assertThatThrownBy(() -> runner.administration().rebuild("tally"))
                .isInstanceOf(NotRebuildableException.class)
                .hasMessageContaining("function counted(), view report");
        Tally young = new Tally("tally", 2, event -> {});
        ProjectionRunner after = instances.start(QUICK, young);
        assertThat(after.administration().status("tally").rebuild()).isEmpty();

        assertThat(admin().sql("select events from public.report")
                        .query(Long.class)
                        .single())
                .isEqualTo(10);
        admin().sql("drop view public.report").update();
        admin().sql("drop function public.counted").update();
        await().until(() -> after.administration().status("tally").version() == 2);
    }

    /* The SQL view is created while the rebuild runs. */
    @Test
    void a_replacement_that_would_drop_an_sql_view_stops_the_rebuild_until_it_is_resumed() throws InterruptedException {
        CountDownLatch goesOn = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        Tally tally = new Tally("tally", 1, event -> {
            if (slow.get()) {
                awaitUninterruptibly(goesOn);
            }
        });
        ProjectionRunner runner = instances.start(QUICK, tally);
        awaitPosition(runner, "tally", instances.countAtOnce(10));
        slow.set(true);
        runner.administration().rebuild("tally");
        admin().sql("create view public.report as select * from registrar_tally.tally")
                .update();
        goesOn.countDown();

        await().until(() -> runner.administration()
                .status("tally")
                .rebuild()
                .filter(ProjectionStatus.Rebuild::isStopped)
                .isPresent());
        assertThat(runner.administration()
                        .status("tally")
                        .rebuild()
                        .orElseThrow()
                        .failure())
                .extracting(ProjectionStatus.Failure::message)
                .asString()
                .contains("report");

        admin().sql("drop view public.report").update();
        runner.administration().resume("tally");
        await().until(() -> runner.administration().status("tally").rebuild().isEmpty());
        assertThat(positions(runner, tally)).isEqualTo(instances.counted());
    }

    private static List<String> indexes(ProjectionRunner runner, Tally tally) {
        return runner.views().read(tally, Position.START, Tally::indexes).found();
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            throw new IllegalStateException(interrupted);
        }
    }

    @Test
    void a_new_version_is_built_beside_the_old_one_and_replaces_it() throws InterruptedException {
        Tally old = new Tally("tally");
        ProjectionRunner before = instances.start(QUICK, old);
        awaitPosition(before, "tally", instances.countAtOnce(50));

        Tally young = new Tally("tally", 2, event -> {});
        ProjectionRunner after = instances.start(QUICK, young);
        await().until(() -> after.administration().status("tally").version() == 2);
        Position last = instances.count(10);
        awaitPosition(after, "tally", last);

        assertThat(after.views().read(young, last, Tally::versions).found()).containsExactly(2);
        assertThat(positions(after, young)).isEqualTo(instances.counted());
        // The older code does not change the newer tables.
        assertThat(before.views().read(old, last, Tally::versions).found()).containsExactly(2);
    }

    @Test
    void rebuild_at_start_none_rebuilds_no_view() throws InterruptedException {
        ProjectionRunner before = instances.start(QUICK, new Tally("tally"));
        awaitPosition(before, "tally", instances.countAtOnce(50));
        instances.close(before);
        Tally young = new Tally("tally", 2, event -> {});

        ProjectionRunner after = instances.start(quick(options -> options.rebuildAtStart = RebuildAtStart.NONE), young);

        assertThat(after.administration().status("tally")).satisfies(status -> {
            assertThat(status.version()).isOne();
            assertThat(status.rebuild()).isEmpty();
        });
        assertThat(after.views().read(young, Position.START, Tally::versions).found())
                .containsExactly(1);
        after.administration().rebuild("tally");
        await().until(() -> after.administration().status("tally").version() == 2);
        assertThat(positions(after, young)).isEqualTo(instances.counted());
    }

    @Test
    void rebuild_at_start_all_rebuilds_every_view_and_builds_new_views_once() throws InterruptedException {
        ProjectionRunner before = instances.start(QUICK, new Tally("tally"));
        awaitPosition(before, "tally", instances.countAtOnce(50));
        instances.close(before);
        AtomicInteger again = new AtomicInteger();
        AtomicInteger first = new AtomicInteger();
        Tally tally = new Tally("tally", 1, event -> again.incrementAndGet());
        Tally added = new Tally("added", 1, event -> first.incrementAndGet());

        ProjectionRunner after =
                instances.start(quick(options -> options.rebuildAtStart = RebuildAtStart.ALL), tally, added);
        awaitPosition(after, "added", Position.of(50));
        await().until(() -> again.get() >= 50
                && after.administration().status("tally").rebuild().isEmpty());

        assertThat(again).hasValue(50);
        assertThat(first).hasValue(50);
        assertThat(after.administration().status("added").rebuild()).isEmpty();
        assertThat(positions(after, tally)).isEqualTo(instances.counted());
    }

    @Test
    void rebuild_at_start_all_does_not_rebuild_views_of_newer_code() throws InterruptedException {
        Tally young = new Tally("tally", 2, event -> {});
        ProjectionRunner newer = instances.start(QUICK, young);
        awaitPosition(newer, "tally", instances.countAtOnce(50));

        ProjectionRunner older =
                instances.start(quick(options -> options.rebuildAtStart = RebuildAtStart.ALL), new Tally("tally"));

        assertThat(older.administration().status("tally").rebuild()).isEmpty();
        assertThat(older.administration().status("tally").version()).isEqualTo(2);
    }

    @Test
    void a_rebuild_continues_after_a_crash() throws InterruptedException {
        instances.countAtOnce(300);
        AtomicBoolean building = new AtomicBoolean();
        AtomicInteger seen = new AtomicInteger();
        Tally tally = new Tally("tally", 1, event -> {
            if (building.get() && seen.incrementAndGet() > 100) {
                throw new DataAccessResourceFailureException("gone");
            }
        });
        ProjectionRunner one = instances.start(
                ProjectionOptions.with(options -> {
                    options.batch = 10;
                    options.retryAfter = Duration.ofMinutes(1);
                }),
                tally);
        awaitPosition(one, "tally", Position.of(300));
        building.set(true);
        one.administration().rebuild("tally");
        await().until(() -> seen.get() > 100);
        instances.close(one);
        building.set(false);

        AtomicInteger again = new AtomicInteger();
        Tally counting = new Tally("tally", 1, event -> again.incrementAndGet());
        ProjectionRunner two = instances.start(ProjectionOptions.with(options -> options.batch = 10), counting);
        await().until(() -> two.administration().status("tally").rebuild().isEmpty());

        assertThat(again).hasValue(200);
        assertThat(positions(two, counting)).isEqualTo(instances.counted());
    }
}
