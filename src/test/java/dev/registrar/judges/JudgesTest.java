package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Stored;
import dev.registrar.testdatabase.TestDatabase;
import java.io.BufferedWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
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
                    || System.nanoTime() - begin < LONGEST_LOAD.toNanos()
                            && !counts(recorder.calls(0)).keySet().containsAll(Set.of(WANTED))) {
                int before = recorder.size();
                long now = System.nanoTime();
                long part = now - end < 0 ? Math.min(end - now, BETWEEN_ROUNDS.toNanos()) : FURTHER_LOAD.toNanos();
                put(load, services, instances, now + part);
                settle(instances, recorder, before);
                judgedRound(rounds++, instances, recorder, database);
            }
            History history = new History(0, recorder.calls(0), log(database, 0));
            writeLog(history.log());
            ElleHistory.write(history, FOLDER);
            assertThat(report(history)).containsKeys(WANTED);
            assertThat(Checker.violations(history)).isEmpty();
            assertThat(EnrollmentRules.violations(history)).isEmpty();
            assertViewsEqualLog(services.url());
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
        long start = head(database);
        int before = recorder.size();
        Workload work = Workload.of(space, recorder, attempts);
        run(CLIENTS_OF_A_ROUND, instances, work, () -> recorder.size() - before < OPERATIONS_OF_A_ROUND);
        settle(instances, recorder, before);
        return new History(start, recorder.calls(before), log(database, start));
    }

    private static void run(int clients, List<Instance> instances, Workload work, BooleanSupplier goesOn)
            throws InterruptedException {
        Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
        long begun = work.attempts().get();
        List<Thread> threads = IntStream.range(0, clients)
                .mapToObj(number -> {
                    Client client = new Client(
                            number,
                            instances.get(number % instances.size()),
                            // Of the same kind: over HTTP a key covers the bytes of the request.
                            instances.get((number % instances.size()) ^ 1),
                            work,
                            SEED + begun);
                    return Thread.ofVirtual()
                            .uncaughtExceptionHandler((thread, failure) -> {
                                failures.add(failure);
                            })
                            .unstarted(() -> {
                                while (goesOn.getAsBoolean() && failures.isEmpty()) {
                                    client.step();
                                }
                            });
                })
                .toList();
        threads.forEach(Thread::start);
        for (Thread thread : threads) {
            thread.join();
        }
        assertThat(failures).isEmpty();
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
        run(CLIENTS_OF_A_LOAD, instances, load, () -> System.nanoTime() - end < 0 || !kill.isDone());
        kill.join();
    }

    private void judgedRound(int number, List<Instance> instances, Recorder recorder, TestDatabase database)
            throws Exception {
        History history = round("round-" + number, instances, recorder, database);
        assertThat(Checker.violations(history)).isEmpty();
        PorcupineFile.write(ROUNDS, "round-" + number, null, history);
    }

    /** Sends what is unknown again, under its key, until an answer says what became of it. */
    private void settle(List<Instance> instances, Recorder recorder, int from) {
        Workload work = Workload.of("settled", recorder, attempts);
        for (Call call : recorder.calls(from)) {
            Appending append = call.append();
            if (append != null
                    && append.key() != null
                    && append.parts().getFirst().outcome() == Outcome.UNKNOWN) {
                Instance instance = instances.stream()
                        .filter(each -> each.name().equals(call.instance()))
                        .findFirst()
                        .orElseThrow();
                Client client = new Client(CLIENTS_OF_A_LOAD, instance, instance, work, SEED);
                await().until(() -> client.settle(append));
            }
        }
    }

    private static PostgresEventStore open(TestDatabase database) {
        return PostgresEventStore.open(database.url(), database.username(), database.password());
    }

    private static long head(TestDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select coalesce(max(position), 0) from registrar.events")
                .query(Long.class)
                .single();
    }

    private static List<Stored> log(TestDatabase database, long after) {
        return JdbcClient.create(database.dataSource())
                .sql("""
                        select position, id, type, tags, case when type = any(?) then payload end as data
                        from registrar.events
                        where position > ?
                        order by position""")
                .params(EnrollmentRules.TYPES.toArray(String[]::new), after)
                .query((row, number) -> new Stored(
                        row.getLong("position"),
                        row.getObject("id", UUID.class),
                        row.getString("type"),
                        List.of((String[]) row.getArray("tags").getArray()),
                        row.getString("data")))
                .list();
    }

    private static void writeLog(List<Stored> log) throws IOException {
        try (BufferedWriter file = Files.newBufferedWriter(FOLDER.resolve("log.ndjson"))) {
            for (Stored event : log) {
                file.write(JsonMapper.shared().writeValueAsString(event));
                file.newLine();
            }
        }
    }

    private static Map<String, Integer> report(History history) {
        Map<String, Integer> counts = counts(history.calls());
        System.out.printf(
                "Judges: %s calls, %s events: %s%n",
                history.calls().size(), history.log().size(), counts);
        return counts;
    }

    private static Map<String, Integer> counts(List<Call> calls) {
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (Call call : calls) {
            if (call.append() != null) {
                call.append().parts().forEach(part -> counts.merge("append " + part.outcome(), 1, Integer::sum));
            } else if (call.command() != null) {
                counts.merge(
                        "%s %s %s"
                                .formatted(
                                        call.command().method(),
                                        call.command().status(),
                                        call.command().code()),
                        1,
                        Integer::sum);
            } else {
                counts.merge(call.read() != null ? "read" : call.count() != null ? "count" : "head", 1, Integer::sum);
            }
        }
        return counts;
    }

    private static void assertViewsEqualLog(String url) throws Exception {
        Path said = FOLDER.resolve("views.log");
        Process comparison = new ProcessBuilder("python3", "src/test/fuzz/views.py", url)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        comparison.waitFor();
        assertThat(comparison.exitValue()).as(Files.readString(said)).isZero();
        System.out.println(Files.readString(said));
    }
}
