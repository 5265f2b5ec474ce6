package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.judges.History.Stored;
import dev.registrar.testdatabase.TestDatabase;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.json.JsonMapper;

/**
 * One load, three judges. Clients of two services and of the library call the same store, and all calls are recorded.
 * {@link Checker} and {@link EnrollmentRules} judge all of them here, and a program beside the services compares their
 * views with the log. For Porcupine and Elle the test writes files; {@code .ci/judges} runs the first.
 *
 * <p>The system property {@code registrar.judges.seconds} is the length of the load (20); with
 * {@code registrar.judges.kill}, one of the services is killed every minute.
 */
@Tag("judges")
@Timeout(value = 2, unit = TimeUnit.HOURS)
class JudgesTest {
    private static final Path FOLDER = Path.of("target", "judges");
    private static final Path ROUNDS = FOLDER.resolve("porcupine");
    private static final Duration LOAD = Duration.ofSeconds(Integer.getInteger("registrar.judges.seconds", 20));
    private static final boolean KILLS = Boolean.getBoolean("registrar.judges.kill");
    private static final Duration BETWEEN_ROUNDS = Duration.ofMinutes(1);
    private static final Duration FURTHER_LOAD = Duration.ofSeconds(10);
    private static final Duration LONGEST_LOAD = LOAD.plusMinutes(10);
    private static final long SEED = Long.getLong("registrar.judges.seed", new SplittableRandom().nextLong());

    /** Porcupine searches: more clients or operations take it too long. */
    private static final int CLIENTS_OF_A_ROUND = 8;

    private static final int OPERATIONS_OF_A_ROUND = 2_000;
    private static final int LEAST_ROUNDS = 6;
    private static final int CLIENTS_OF_A_LOAD = 40;
    private static final int COURSES = 30;
    private static final int STUDENTS = 60;

    /** What each run must have seen. */
    private static final String[] WANTED = {
        "append APPENDED",
        "append REFUSED",
        "append UNTRIED",
        "read",
        "count",
        "head",
        "PUT 201 ",
        "PUT 409 course-full",
        "PUT 409 student-at-limit",
        "DELETE 204 "
    };

    private final AtomicLong attempts = new AtomicLong();

    @BeforeAll
    static void begin() throws IOException {
        Files.createDirectories(ROUNDS);
        try (Stream<Path> old = Files.list(ROUNDS)) {
            for (Path file : old.toList()) {
                Files.delete(file);
            }
        }
        System.out.println("Judges: -Dregistrar.judges.seed=" + SEED);
    }

    @Test
    void the_store_keeps_its_promise() throws Exception {
        try (TestDatabase database = TestDatabase.create();
                Services services = new Services(database);
                PostgresEventStore here = open(database);
                PostgresEventStore there = open(database);
                Recorder recorder = new Recorder(FOLDER.resolve("history.ndjson"))) {
            List<Instance> instances = new ArrayList<>(services.instances());
            instances.add(new LibraryInstance("here", here));
            instances.add(new LibraryInstance("there", there));

            int rounds = 0;
            while (rounds < LEAST_ROUNDS) {
                judgedRound(rounds++, instances, recorder, database);
            }
            History planted = round("planted", instances, recorder, database);
            assertThat(Checker.violations(planted)).isEmpty();
            for (PlantedFault fault : PlantedFault.values()) {
                assertThat(Checker.violations(fault.in(planted)))
                        .as(fault.text())
                        .anyMatch(violation -> violation.startsWith("(%s)".formatted(fault.rule())));
                PorcupineFile.write(
                        ROUNDS, "planted-" + fault.text().replace(' ', '-'), fault.text(), fault.in(planted));
            }

            Workload load = openOffice(services.api(), recorder);
            long begin = System.nanoTime();
            long end = begin + LOAD.toNanos();
            // A busy machine needs longer until all that is wanted was seen.
            while (System.nanoTime() - end < 0
                    || (System.nanoTime() - begin < LONGEST_LOAD.toNanos()
                            && !JudgedLoad.counts(recorder.calls(0)).keySet().containsAll(Set.of(WANTED)))) {
                int before = recorder.size();
                long now = System.nanoTime();
                long part = now - end < 0 ? Math.min(end - now, BETWEEN_ROUNDS.toNanos()) : FURTHER_LOAD.toNanos();
                put(load, services, instances, now + part);
                JudgedLoad.settle(instances, recorder, before);
                judgedRound(rounds++, instances, recorder, database);
            }
            History history = new History(0, recorder.calls(0), JudgedLoad.log(database, 0));
            writeLog(history.log());
            ElleHistory.write(history, FOLDER);
            assertThat(JudgedLoad.report(history)).containsKeys(WANTED);
            assertThat(Checker.violations(history)).isEmpty();
            assertThat(EnrollmentRules.violations(history)).isEmpty();
            JudgedLoad.assertViewsEqualLog(services.url(), FOLDER.resolve("views.log"));
        }
    }

    /* The store's own check is what the judges watch: without it, each of them must say so. */
    @Test
    void without_the_check_of_conditions_the_history_is_wrong() throws Exception {
        try (StoreDatabase database = new StoreDatabase(TestDatabase.create());
                Recorder recorder = new Recorder(FOLDER.resolve("unchecked.ndjson"))) {
            List<Instance> instances = List.of(
                    new LibraryInstance("one", database.newStore()), new LibraryInstance("two", database.newStore()));
            database.execute(without(database, "verdicts", "when conflict.item is not null then", "when false then"));
            database.execute(without(database, "append_event", "if suspected then", "if false then"));

            History history = round("unchecked", instances, recorder, database.database());

            assertThat(Checker.violations(history)).anyMatch(violation -> violation.startsWith("(a)"));
            PorcupineFile.write(ROUNDS, "unchecked", "no condition is checked", history);
        }
    }

    private static String without(StoreDatabase database, String function, String check, String by) {
        String definition = JdbcClient.create(database.database().dataSource())
                .sql("""
                        select pg_get_functiondef(oid)
                        from pg_proc
                        where proname = ?
                        and pronamespace = 'registrar'::regnamespace""")
                .param(function)
                .query(String.class)
                .single();
        assertThat(definition).contains(check);
        return definition.replace(check, by);
    }

    private History round(String space, List<Instance> instances, Recorder recorder, TestDatabase database)
            throws InterruptedException {
        long start = JudgedLoad.head(database);
        int before = recorder.size();
        Workload work = Workload.of(space, recorder, attempts);
        JudgedLoad.run(
                CLIENTS_OF_A_ROUND, instances, work, SEED, () -> recorder.size() - before < OPERATIONS_OF_A_ROUND);
        JudgedLoad.settle(instances, recorder, before);
        return new History(start, recorder.calls(before), JudgedLoad.log(database, start));
    }

    private Workload openOffice(Api office, Recorder recorder) {
        List<String> courses =
                IntStream.range(0, COURSES).mapToObj(i -> office.course(5 + i)).toList();
        List<String> students =
                IntStream.range(0, STUDENTS).mapToObj(i -> office.student()).toList();
        return Workload.withOffice("load", recorder, attempts, courses, students);
    }

    /** A load, in the middle of which one of the services is killed, if this run kills. */
    private void put(Workload load, Services services, List<Instance> instances, long end) throws Exception {
        long begin = System.nanoTime();
        CompletableFuture<Void> kill = CompletableFuture.runAsync(
                () -> {
                    if (KILLS) {
                        LockSupport.parkNanos((end - begin) / 2);
                        services.killNext();
                    }
                },
                Thread::startVirtualThread);
        JudgedLoad.run(CLIENTS_OF_A_LOAD, instances, load, SEED, () -> System.nanoTime() - end < 0 || !kill.isDone());
        kill.join();
    }

    private void judgedRound(int number, List<Instance> instances, Recorder recorder, TestDatabase database)
            throws Exception {
        History history = round("round-" + number, instances, recorder, database);
        assertThat(Checker.violations(history)).isEmpty();
        PorcupineFile.write(ROUNDS, "round-" + number, null, history);
    }

    private static PostgresEventStore open(TestDatabase database) {
        return PostgresEventStore.open(database.url(), database.username(), database.password());
    }

    private static void writeLog(List<Stored> log) throws IOException {
        try (BufferedWriter file = Files.newBufferedWriter(FOLDER.resolve("log.ndjson"))) {
            for (Stored event : log) {
                file.write(JsonMapper.shared().writeValueAsString(event));
                file.newLine();
            }
        }
    }
}
