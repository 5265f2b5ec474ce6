package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.registrar.Api;
import dev.registrar.DatabaseProxy;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Stored;
import dev.registrar.testdatabase.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.util.FileSystemUtils;
import org.springframework.util.unit.DataSize;

/**
 * Faults of processes, disks, clocks and the network while clients call two services and two stores of the library.
 * {@link Checker} judges each round, {@link EnrollmentRules} and a program that compares the views with the log judge
 * all of them.
 *
 * <p>The system property {@code registrar.faults.select} has the names of the faults that happen (all);
 * {@code registrar.faults.long} makes as many rounds as {@link FaultTable} has, instead of one.
 */
@Tag("faults")
@Timeout(value = 4, unit = TimeUnit.HOURS)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FaultsTest {
    private static final Path FOLDER = Scene.FOLDER;
    private static final long SEED = Long.getLong("registrar.faults.seed", new SplittableRandom().nextLong());
    private static final List<String> SELECTED =
            List.of(System.getProperty("registrar.faults.select", "").split(" "));
    private static final DataSize DATA_DISK = DataSize.ofGigabytes(Scene.IS_LONG ? 8 : 1);
    private static final DataSize WAL_DISK = DataSize.ofMegabytes(300);
    private static final int CLIENTS = 8;
    private static final int CALLS_BEFORE = 500;
    private static final int CALLS_AFTER = 500;
    private static final int COURSES = 15;
    private static final int STUDENTS = 30;
    private static final Duration REST = Duration.ofMillis(100);

    /** Of killed processes, and of a web server that takes each idle connection for a day old. */
    private static final Set<FaultTable> LOSES_CONNECTIONS =
            EnumSet.of(FaultTable.INSTANCE_KILLED, FaultTable.INSTANCE_ONE_DAY_AHEAD_AND_BEHIND);

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final AtomicLong attempts = new AtomicLong();
    private final List<Instance> instances = new ArrayList<>();
    private final List<Call> commands = new ArrayList<>();
    private final List<SmallDisk> disks = new ArrayList<>();
    private Optional<Clocks> clock = Optional.empty();
    private List<String> courses = List.of();
    private List<String> students = List.of();

    @SuppressWarnings("NullAway.Init") // by open(), as the next three
    private DatabaseServer server;

    @SuppressWarnings("NullAway.Init")
    private TestDatabase database;

    @SuppressWarnings("NullAway.Init")
    private DatabaseProxy proxy;

    @SuppressWarnings("NullAway.Init")
    private Services services;

    @BeforeAll
    void open() throws IOException {
        FileSystemUtils.deleteRecursively(FOLDER.resolve("server"));
        Path files = Files.createDirectories(FOLDER.resolve("server"));
        Scene.say("-Dregistrar.faults.seed=" + SEED);
        try {
            SmallDisk data = opened(SmallDisk.mount(FOLDER.resolve("data-disk"), DATA_DISK.toBytes()));
            SmallDisk wal = opened(SmallDisk.mount(FOLDER.resolve("wal-disk"), WAL_DISK.toBytes()));
            disks.addAll(List.of(data, wal));
        } catch (IOException notAllowed) {
            Scene.say("No disk can be made full: " + notAllowed.getMessage());
        }
        clock = Clocks.in(FOLDER);
        server = opened(DatabaseServer.create(
                disks.isEmpty() ? files : disks.getFirst().folder(),
                disks.isEmpty() ? files : disks.getLast().folder(),
                FOLDER.resolve("server.log"),
                Map.of("max_wal_size", "128MB")));
        database = opened(TestDatabase.createOn(server.asTestServer()));
        proxy = opened(DatabaseProxy.to(database.url()));
        services = opened(new Services(database, proxy.url(), Tally.ENABLED));
        instances.addAll(services.instances());
        for (String name : List.of("here", "there")) {
            instances.add(new LibraryInstance(name, opened(open(proxy.url()))));
        }
        Api office = services.api();
        courses =
                IntStream.range(0, COURSES).mapToObj(i -> office.course(3 + i)).toList();
        students = IntStream.range(0, STUDENTS).mapToObj(i -> office.student()).toList();
    }

    private <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    private static PostgresEventStore open(String url) {
        return PostgresEventStore.open(url, "postgres", "");
    }

    @AfterAll
    void close() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    static Stream<FaultTable> faults() {
        return Stream.of(FaultTable.values())
                .filter(fault -> SELECTED.contains("") || SELECTED.contains(fault.title()));
    }

    @Order(1)
    @ParameterizedTest
    @MethodSource("faults")
    void nothing_is_lost_and_nothing_is_stored_twice(FaultTable fault) throws Exception {
        boolean isPossible = switch (fault.need()) {
            case NOTHING -> true;
            case CLOCK -> clock.isPresent();
            case DISKS -> !disks.isEmpty();
        };
        if (!isPossible) {
            Scene.say("%s SKIPPED: this machine has no %s".formatted(fault.title(), fault.need()));
        }
        assumeTrue(isPossible);
        for (int round = 1; round <= (Scene.IS_LONG ? fault.rounds() : 1); round++) {
            try (Recorder recorder = new Recorder(FOLDER.resolve("%s-%s.ndjson".formatted(fault.title(), round)))) {
                round(fault, round, recorder);
            }
        }
    }

    private void round(FaultTable fault, int number, Recorder recorder) throws Exception {
        Bystanders bystanders = new Bystanders(services, "%s-%s".formatted(fault.title(), number));
        long start = JudgedLoad.head(database);
        Listener listener = new Listener(services, start);
        Workload work =
                Workload.withOffice("%s-%s".formatted(fault.title(), number), recorder, attempts, courses, students);
        Scene scene = new Scene(
                server,
                proxy,
                database,
                services,
                instances,
                disks,
                clock,
                recorder,
                work,
                listener,
                new SplittableRandom(SEED + number));
        long begun = System.nanoTime();
        int lost = services.connectionsLost();
        CompletableFuture<Void> over =
                CompletableFuture.runAsync(() -> happen(fault, scene, bystanders), Thread::startVirtualThread);
        try (listener) {
            JudgedLoad.run(CLIENTS, instances, work, SEED, () -> goesOn(over));
            over.join();
            assertThat(services.connectionsLost() == lost || LOSES_CONNECTIONS.contains(fault))
                    .as("each call is answered")
                    .isTrue();
            judge(fault, number, begun, start, recorder, bystanders, listener);
        } finally {
            // The rules judge all rounds: what a failed round has enrolled, later ones must know.
            over.exceptionally(failed -> null).join();
            JudgedLoad.settle(instances, recorder, 0);
            recorder.calls(0).stream().filter(call -> call.command() != null).forEach(commands::add);
        }
        assertThat(EnrollmentRules.violations(new History(0, commands, office())))
                .isEmpty();
    }

    /* A service that starts needs the processors more than the load does. */
    private boolean goesOn(CompletableFuture<Void> over) {
        if (services.isStarting()) {
            LockSupport.parkNanos(REST.toNanos());
        }
        return !over.isDone();
    }

    private void judge(
            FaultTable fault,
            int number,
            long begun,
            long start,
            Recorder recorder,
            Bystanders bystanders,
            Listener listener)
            throws Exception {
        JudgedLoad.settle(instances, recorder, 0);
        History history = new History(start, recorder.calls(0), JudgedLoad.log(database, start));
        Scene.say("%s %s: %s s, %s calls, %s events, %s; longest time without an acknowledged append: %s"
                .formatted(
                        fault.title(),
                        number,
                        TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begun),
                        history.calls().size(),
                        history.log().size(),
                        JudgedLoad.counts(history.calls()),
                        gaps(history.calls())));
        assertThat(JudgedLoad.counts(history.calls()).keySet()).noneMatch(each -> each.contains(" 500 "));
        assertThat(Checker.violations(history)).isEmpty();
        bystanders.judge(history);
        Tally.judge(database, start + history.log().size());
        listener.judge(start + history.log().size());
    }

    /* The course office without the courses of bystanders, whose commands are not recorded. */
    private List<Stored> office() {
        Set<String> own = courses.stream().map(course -> "course:" + course).collect(Collectors.toSet());
        return JudgedLoad.log(database, 0).stream()
                .map(event -> event.tags().stream().anyMatch(own::contains)
                        ? event
                        : new Stored(event.position(), event.id(), event.type(), event.tags(), null))
                .toList();
    }

    private static void happen(FaultTable fault, Scene scene, Bystanders bystanders) {
        scene.awaitCalls(CALLS_BEFORE);
        CompletableFuture<Void> goesOn = bystanders.begin();
        scene.pause();
        try {
            fault.happen(scene);
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
        scene.awaitAppends(scene.instances());
        await().until(() -> scene.services().areCircuitsClosed());
        scene.awaitCalls(CALLS_AFTER);
        goesOn.join();
    }

    private String gaps(List<Call> calls) {
        return instances.stream()
                .map(instance -> "%s %s ms".formatted(instance.name(), longestGap(instance.name(), calls)))
                .collect(Collectors.joining(", "));
    }

    private static long longestGap(String instance, List<Call> calls) {
        long[] answers = calls.stream()
                .filter(call -> call.instance().equals(instance)
                        && call.append() != null
                        && call.append().parts().getFirst().outcome() == Outcome.APPENDED)
                .mapToLong(call -> Objects.requireNonNull(call.returned()))
                .sorted()
                .toArray();
        long longest = IntStream.range(1, answers.length)
                .mapToLong(i -> answers[i] - answers[i - 1])
                .max()
                .orElse(0);
        return Duration.ofNanos(longest).toMillis();
    }

    /* The control: a server that acknowledges commits before they are written loses some of them, and the checker says so. */
    @Order(3)
    @Test
    void without_waiting_for_the_log_acknowledged_appends_are_lost() throws Exception {
        for (int round = 1; round <= (Scene.IS_LONG ? 5 : 1); round++) {
            Path files = Files.createDirectories(FOLDER.resolve("server/control-" + round));
            try (DatabaseServer careless = DatabaseServer.create(
                            files,
                            files,
                            files.resolve("server.log"),
                            Map.of(
                                    "synchronous_commit", "off",
                                    "wal_writer_delay", "10s",
                                    "wal_writer_flush_after", "1GB"));
                    TestDatabase lost = TestDatabase.createOn(careless.asTestServer());
                    Recorder recorder = new Recorder(files.resolve("history.ndjson"))) {
                StoreSchema.migrate(lost.dataSource(), "registrar");
                try (PostgresEventStore one = open(lost.url());
                        PostgresEventStore two = open(lost.url())) {
                    // What is needed to read the log afterwards is not lost.
                    JdbcClient.create(lost.dataSource()).sql("checkpoint").update();
                    AtomicBoolean killed = new AtomicBoolean();
                    CompletableFuture<Void> kill = CompletableFuture.runAsync(
                            () -> killUnwritten(careless, lost, recorder, killed), Thread::startVirtualThread);
                    JudgedLoad.run(
                            CLIENTS,
                            List.of(new LibraryInstance("one", one), new LibraryInstance("two", two)),
                            Workload.of("control-" + round, recorder, attempts),
                            SEED,
                            () -> !killed.get() && !kill.isDone());
                    kill.join();
                }
                careless.start(Map.of());
                List<String> violations =
                        Checker.violations(new History(0, recorder.calls(0), JudgedLoad.log(lost, 0)));
                assertThat(violations).anyMatch(FaultsTest::isLoss);
                Scene.say("control %s: %s"
                        .formatted(
                                round,
                                violations.stream()
                                        .filter(FaultsTest::isLoss)
                                        .findFirst()
                                        .orElseThrow()));
            }
        }
    }

    /* An acknowledged event is not where the answer said. */
    private static boolean isLoss(String violation) {
        return violation.startsWith("(f) at ");
    }

    /** Kills a server when commits are not written. */
    private static void killUnwritten(
            DatabaseServer server, TestDatabase database, Recorder recorder, AtomicBoolean killed) {
        JdbcClient jdbc = JdbcClient.create(database.dataSource());
        await().until(() -> recorder.size() > CALLS_BEFORE
                && jdbc.sql("select pg_current_wal_insert_lsn() - pg_current_wal_flush_lsn() > 100000")
                        .query(Boolean.class)
                        .single());
        killed.set(true);
        try {
            server.kill();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    /* After the faults: it compares what all of them have left. */
    @Order(2)
    @Test
    void views_equal_the_log() throws Exception {
        JudgedLoad.assertViewsEqualLog(services.url(), FOLDER.resolve("views.log"));
        Scene.say(Files.readString(FOLDER.resolve("views.log")));
    }
}
