package dev.registrar.judges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.judges.History.Appending;
import dev.registrar.judges.History.Call;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Stored;
import dev.registrar.testdatabase.TestDatabase;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;
import org.springframework.jdbc.core.simple.JdbcClient;

/** Clients that put a load on a store, and what the judges need of it afterwards. */
final class JudgedLoad {
    /** Of the client that settles, which is none of a load. */
    private static final int SETTLES = 40;

    private JudgedLoad() {}

    /** Lets clients call their instances, one call after the other. */
    static void run(int clients, List<? extends Instance> instances, Workload work, long seed, BooleanSupplier goesOn)
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
                            seed + begun);
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

    /** Sends what is unknown again, under its key, until an answer says what became of it. */
    static void settle(List<? extends Instance> instances, Recorder recorder, int from) {
        Workload work = Workload.of("settled", recorder, new AtomicLong());
        for (Call call : recorder.calls(from)) {
            Appending append = call.append();
            if (append != null
                    && append.key() != null
                    && append.parts().getFirst().outcome() == Outcome.UNKNOWN) {
                Instance instance = instances.stream()
                        .filter(each -> each.name().equals(call.instance()))
                        .findFirst()
                        .orElseThrow();
                Client client = new Client(SETTLES, instance, instance, work, 0);
                await().until(() -> client.settle(append));
            }
        }
    }

    static long head(TestDatabase database) {
        return JdbcClient.create(database.dataSource())
                .sql("select coalesce(max(position), 0) from registrar.events")
                .query(Long.class)
                .single();
    }

    static List<Stored> log(TestDatabase database, long after) {
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

    static Map<String, Integer> report(History history) {
        Map<String, Integer> counts = counts(history.calls());
        System.out.printf(
                "Judges: %s calls, %s events: %s%n",
                history.calls().size(), history.log().size(), counts);
        return counts;
    }

    static Map<String, Integer> counts(List<Call> calls) {
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

    /** @param said the file for what the comparison prints */
    static void assertViewsEqualLog(String url, Path said) throws Exception {
        Process comparison = new ProcessBuilder("python3", "src/test/fuzz/views.py", url)
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        comparison.waitFor();
        assertThat(comparison.exitValue()).as(Files.readString(said)).isZero();
        System.out.println(Files.readString(said));
    }
}
