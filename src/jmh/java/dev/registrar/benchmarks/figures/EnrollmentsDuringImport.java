package dev.registrar.benchmarks.figures;

import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import java.io.IOException;
import java.net.http.HttpClient;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * How long does an enrollment over HTTP take while a file of 10,000 courses is imported? 10 callers pause 20 ms between
 * enrollments. The baseline is the same without an import.
 */
final class EnrollmentsDuringImport {
    private static final int CALLERS = 10;
    private static final int COURSES = 10_000;
    private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);
    private static final String IMPORTS = "/api/courses/import";

    private EnrollmentsDuringImport() {}

    /** Takes no arguments. */
    public static void main(String[] arguments) throws IOException, ExecutionException, InterruptedException {
        RunSettings settings = RunSettings.ofThisProcess();
        NewPairs pairs = new NewPairs();
        pairs.setUp();
        try (HttpClient client = HttpClient.newHttpClient();
                RunningRegistrar service =
                        new RunningRegistrar(client, "--registrar.enrollment.courses-per-student=1000")) {
            // Warms up the import, too.
            enrollments(service, pairs, importing(service, "before", settings.smoke() ? 100 : COURSES));
            MeasuringProgram.awaitStart();
            long end = System.nanoTime() + settings.measure().convertTo(TimeUnit.NANOSECONDS);
            double alone = percentile99(enrollments(service, pairs, () -> System.nanoTime() < end));
            double during = percentile99(
                    enrollments(service, pairs, importing(service, "measured", settings.smoke() ? 100 : COURSES)));
            MeasuringProgram.report("alone", alone);
            MeasuringProgram.report("during an import", during);
        }
    }

    /** How long the callers enroll. */
    private interface Condition {
        boolean holds();

        /** Throws if the condition ended with an error. */
        default void end() throws ExecutionException, InterruptedException {}
    }

    /** Holds while an import runs. */
    private record Importing(Future<?> over) implements Condition {
        @Override
        public boolean holds() {
            return !over.isDone();
        }

        @Override
        public void end() throws ExecutionException, InterruptedException {
            over.get();
        }
    }

    private static Condition importing(RunningRegistrar service, String name, int courses) {
        String file = IntStream.range(0, courses)
                .mapToObj("%s-%%d,A course,30".formatted(name)::formatted)
                .collect(Collectors.joining("\n", "id,title,capacity\n", "\n"));
        String begun = service.send("POST", IMPORTS, "text/csv", file, 202);
        String id = begun.replaceFirst(".*\"id\":\"([^\"]+)\".*", "$1");
        FutureTask<Void> over = new FutureTask<>(() -> awaitEnd(service, id), null);
        Thread.ofVirtual().start(over);
        return new Importing(over);
    }

    private static void awaitEnd(RunningRegistrar service, String id) {
        String progress;
        do {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(100));
            progress = service.send("GET", "/api/imports/" + id, "", "", 200);
            if (progress.contains("REFUSED") || progress.contains("STOPPED")) {
                throw new IllegalStateException(progress);
            }
        } while (!progress.contains("FINISHED"));
    }

    private static double[] enrollments(RunningRegistrar service, NewPairs pairs, Condition condition)
            throws ExecutionException, InterruptedException {
        Queue<Double> microseconds = new ConcurrentLinkedQueue<>();
        Callers.run(CALLERS, caller -> {
            while (condition.holds()) {
                Pair pair = pairs.next();
                String path = "/api/courses/%s/students/%s".formatted(pair.courseId(), pair.studentId());
                long started = System.nanoTime();
                service.send("PUT", path, "", "", 201);
                microseconds.add((System.nanoTime() - started) / 1e3);
                LockSupport.parkNanos(PAUSE);
            }
        });
        condition.end();
        return microseconds.stream().mapToDouble(Double::doubleValue).sorted().toArray();
    }

    private static double percentile99(double[] sorted) {
        if (sorted.length == 0) {
            throw new IllegalStateException("No student was enrolled");
        }
        return sorted[(int) (sorted.length * 0.99)];
    }
}
