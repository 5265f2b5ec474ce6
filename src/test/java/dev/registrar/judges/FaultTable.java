package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.DatabaseProxy;
import dev.registrar.judges.History.NewEvent;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import java.io.IOException;
import java.sql.Connection;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;

/** The faults that happen, with the number of rounds in a long run. */
enum FaultTable implements Fault {
    DATABASE_KILLED(20) {
        @Override
        public void happen(Scene scene) throws Exception {
            scene.server().kill();
            scene.server().start(Map.of());
            long back = System.nanoTime();
            scene.awaitAppends(scene.instances());
            Scene.took("all instances append", back, Duration.ofSeconds(5));
        }
    },
    /** Both, one after the other, each when seats are being given to students who wait. */
    INSTANCE_KILLED(10) {
        @Override
        public void happen(Scene scene) throws Exception {
            for (int index = 0; index < 2; index++) {
                WaitingLine line = new WaitingLine(scene.services(), 40, 30);
                line.free(scene.services().api(1 - index)).expect(200);
                line.awaitSeat(scene.database());
                scene.services().kill(index);
                scene.awaitAppends(scene.instancesBut(index));
                scene.services().replace(index, Map.of());
                line.judge();
                scene.pause();
            }
        }
    },
    /**
     * The reply to a commit is lost: between the database and a service or the library, or between both and a client.
     */
    REPLY_CUT(1) {
        @Override
        public void happen(Scene scene) throws Exception {
            int cuts = Scene.IS_LONG ? 200 : 10;
            try (DatabaseProxy door = DatabaseProxy.to(
                    "jdbc:http://127.0.0.1:%s/".formatted(scene.services().port(0)))) {
                Instance one = scene.instances().getFirst();
                Instance behindDoor = new ServiceInstance(one.name(), new Api(door.port()));
                for (int i = 0; i < cuts; i++) {
                    Instance instance =
                            scene.instances().get(i % scene.instances().size());
                    assertThat(scene.append(instance, scene.cutReply(), null).outcome())
                            .isEqualTo(Outcome.UNKNOWN);

                    List<NewEvent> keyed = scene.cutReply();
                    Part answered = scene.append(
                            instance, keyed, "key-" + keyed.getFirst().id());
                    assertThat(answered.outcome()).isEqualTo(Outcome.APPENDED);
                    assertThat(scene.append(
                                    instance, keyed, "key-" + keyed.getFirst().id()))
                            .isEqualTo(answered);

                    List<NewEvent> sent = scene.cutReply();
                    assertThat(scene.append(
                                            behindDoor,
                                            sent,
                                            "key-" + sent.getFirst().id())
                                    .outcome())
                            .isEqualTo(Outcome.UNKNOWN);
                    assertThat(scene.append(one, sent, "key-" + sent.getFirst().id())
                                    .outcome())
                            .isEqualTo(Outcome.APPENDED);
                }
            }
        }
    },
    SESSIONS_ENDED(1) {
        @Override
        public void happen(Scene scene) throws Exception {
            int times = Scene.IS_LONG ? 200 : 10;
            for (int i = 0; i < times; i++) {
                scene.execute("""
                        select pg_terminate_backend(pid)
                        from pg_stat_activity
                        where datname = current_database()
                        and pid <> pg_backend_pid()
                        order by random()
                        limit 1""");
                scene.pause();
            }
        }
    },
    DATABASE_FROZEN(5) {
        @Override
        public void happen(Scene scene) throws Exception {
            scene.server().freeze();
            try {
                LockSupport.parkNanos(Duration.ofSeconds(5).toNanos());
                scene.awaitRefusals(LONGEST_REFUSAL);
            } finally {
                scene.server().thaw();
            }
        }
    },
    NETWORK_FROZEN(5) {
        @Override
        public void happen(Scene scene) {
            scene.proxy().freeze();
            try {
                scene.awaitRefusals(LONGEST_REFUSAL);
            } finally {
                scene.proxy().thaw();
            }
        }
    },
    DATABASE_SLOW(5) {
        @Override
        public void happen(Scene scene) {
            scene.proxy().delay(Duration.ofMillis(200));
            try {
                scene.awaitCalls(60);
                scene.awaitAppends(scene.instances());
            } finally {
                scene.proxy().delay(Duration.ZERO);
            }
        }
    },
    /** Until the circuits of both services are open. */
    CONNECTIONS_REFUSED(5) {
        @Override
        public void happen(Scene scene) {
            scene.proxy().refuse();
            try {
                await().until(() ->
                        scene.services().isCircuitOpen(0) && scene.services().isCircuitOpen(1));
                scene.awaitRefusals(LONGEST_REFUSAL);
            } finally {
                scene.proxy().accept();
            }
        }
    },
    INSTANCE_FROZEN(5) {
        @Override
        public void happen(Scene scene) throws Exception {
            scene.services().freeze(1);
            try {
                for (int i = 0; i < 10; i++) {
                    scene.pause();
                    for (Instance other : scene.instancesBut(1)) {
                        assertThat(scene.probe(other, LONGEST_PAUSE)).isEqualTo(Outcome.APPENDED);
                    }
                }
            } finally {
                scene.services().thaw(1);
            }
        }
    },
    INSTANCE_ONE_DAY_AHEAD_AND_BEHIND(5, Need.CLOCK) {
        @Override
        public void happen(Scene scene) throws Exception {
            Clocks clock = scene.clock().orElseThrow();
            clock.move("+0");
            scene.services().stop(1);
            scene.services().replace(1, clock.environment());
            for (String by : List.of("+1d", "-1d")) {
                scene.pause();
                clock.move(by);
                await().until(() ->
                        Duration.between(Instant.now(), scene.services().clock(1))
                                        .abs()
                                        .toHours()
                                >= 23);
                for (Instance other : scene.instancesBut(1)) {
                    assertThat(scene.probe(other, LONGEST_PAUSE)).isEqualTo(Outcome.APPENDED);
                }
                scene.awaitCalls(500);
                scene.awaitAppends(scene.instances());
            }
            clock.move("+0");
        }
    },
    /** A long writer and a long reader of other tables, and what administrators do. */
    NEIGHBOURS(1) {
        @Override
        public void happen(Scene scene) throws Exception {
            scene.execute("create table if not exists neighbours (n int)");
            try (Connection writer = scene.connect();
                    Connection reader = scene.connect()) {
                writer.setAutoCommit(false);
                reader.setAutoCommit(false);
                reader.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
                try (Statement writes = writer.createStatement();
                        Statement reads = reader.createStatement()) {
                    writes.execute("insert into neighbours values (1)");
                    reads.execute("select count(*) from registrar.events");
                    scene.awaitCalls(500);
                    scene.execute("checkpoint");
                    scene.execute("vacuum (analyze)");
                    scene.awaitCalls(500);
                    scene.awaitAppends(scene.instances());
                    scene.listener().awaitPosition(JudgedLoad.head(scene.database()));
                    // Views follow the log, too.
                    scene.services()
                            .api()
                            .get("/api/courses/%s?consistency=strong"
                                    .formatted(scene.work().courses().getFirst()))
                            .expect(200);
                    writer.rollback();
                    reader.rollback();
                }
            }
            scene.execute("reindex (concurrently) schema registrar");
            scene.execute("reindex table registrar.events");
        }
    },
    /** Nothing fails but what {@code Retry-After} repairs, which every 503 has. */
    ROLLING_RESTART(5) {
        @Override
        public void happen(Scene scene) throws Exception {
            for (int index = 0; index < 2; index++) {
                scene.services().stop(index);
                scene.services().replace(index, Map.of());
                scene.pause();
            }
            assertThat(scene.recorder().calls(0))
                    .filteredOn(call -> call.isOutcomeUnknown())
                    .isEmpty();
        }
    },
    DATABASE_ONE_HOUR_BEHIND(2, Need.CLOCK) {
        @Override
        public void happen(Scene scene) throws Exception {
            Api office = scene.services().api();
            String student = office.student();
            String course = Api.newId("course");
            String opensAt = Instant.now().minus(Duration.ofMinutes(30)).toString();
            office.post(
                            "/api/courses",
                            "{\"id\": \"%s\", \"title\": \"Open\", \"capacity\": 5, \"opensAt\": \"%s\"}"
                                    .formatted(course, opensAt))
                    .expect(201);
            Clocks clock = scene.clock().orElseThrow();
            clock.move("-1h");
            scene.server().stop();
            scene.server().start(clock.environment());
            assertThat(scene.number("select extract(epoch from clock_timestamp())::bigint"))
                    .isLessThan(Instant.now().minus(Duration.ofMinutes(30)).getEpochSecond());
            scene.awaitAppends(scene.instances());
            await().until(() -> scene.services().knowsLateClock(0));
            // Until it is answered: a timer that rings while the server waits reads the machine's time, so that each
            // time-out is over. That is a fault of the library that moves the clock.
            Answer enrolled = await().until(() -> office.enroll(student, course), answer -> answer.status() < 500);
            assertThat(enrolled.status()).as(enrolled.text()).isBetween(200, 201);
            scene.awaitCalls(500);
            scene.server().stop();
            scene.server().start(Map.of());
            assertThat(scene.number("""
                            select count(*)
                            from (
                                select recorded_at < lag(recorded_at) over (order by position) as backwards
                                from registrar.events
                            ) as stamps
                            where backwards""")).isZero();
        }
    },
    DATA_DISK_FULL(2, Need.DISKS) {
        @Override
        public void happen(Scene scene) throws Exception {
            full(scene, scene.disks().getFirst(), answer -> answer.text().contains("out-of-resources"));
        }
    },
    WAL_DISK_FULL(2, Need.DISKS) {
        @Override
        public void happen(Scene scene) throws Exception {
            full(scene, scene.disks().getLast(), answer -> answer.status() != 201);
        }
    };

    /** After which a caller knows that nothing is stored because the database is not reached. */
    private static final Duration LONGEST_REFUSAL = Duration.ofSeconds(10);

    /** For which others wait when something happens to one instance. */
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(1);

    private final int rounds;
    private final Need need;

    /** What a fault needs besides processes. */
    enum Need {
        NOTHING,
        /** Clocks that can be moved. */
        CLOCK,
        /** Disks that can be made full. */
        DISKS
    }

    FaultTable(int rounds) {
        this(rounds, Need.NOTHING);
    }

    FaultTable(int rounds, Need need) {
        this.rounds = rounds;
        this.need = need;
    }

    int rounds() {
        return rounds;
    }

    Need need() {
        return need;
    }

    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /* A full disk for the log of transactions ends the server; its administrator starts it again. */
    private static void full(Scene scene, SmallDisk disk, Predicate<Answer> error) throws IOException {
        Api office = scene.services().api();
        disk.fill();
        try {
            Answer answer = await().until(
                            () -> {
                                scene.takeLogSegment();
                                return office.post(
                                        "/api/students",
                                        "{\"name\": \"Ann\", \"email\": \"%s@example.org\"}"
                                                .formatted(Api.newId("full")));
                            },
                            error);
            Scene.say("  %s %s".formatted(answer.status(), answer.text()));
            assertThat(answer.status()).isIn(503, 504);
            answer.expectProblem(answer.status(), answer.json().path("code").asString());
        } finally {
            disk.empty();
        }
        scene.server().awaitAnswer();
    }
}
