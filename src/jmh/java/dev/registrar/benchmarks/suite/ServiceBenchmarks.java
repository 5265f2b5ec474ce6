package dev.registrar.benchmarks.suite;

import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;
import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.RegistrarApplication;
import dev.registrar.benchmarks.Callers;
import dev.registrar.benchmarks.NewPairs;
import dev.registrar.benchmarks.NewPairs.Pair;
import dev.registrar.benchmarks.Row;
import dev.registrar.security.TestIssuer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.springframework.boot.builder.SpringApplicationBuilder;

/** The whole service in this process, over HTTP: access tokens, the first request, an import beside enrollments. */
public class ServiceBenchmarks {
    /** A service that asks for the access token of each request, or one in mode {@code local}. */
    @State(Scope.Benchmark)
    public static class Secured {
        @Param("local")
        String access = "";

        private final AtomicLong seats = new AtomicLong();
        private RunningRegistrar service;
        private String[] header = {};

        @Setup
        public void start() {
            if (access.equals("token")) {
                service = new RunningRegistrar(
                        new SpringApplicationBuilder(RegistrarApplication.class, TestIssuer.Keys.class)
                                .properties(TestIssuer.settings()),
                        "--registrar.security.dcb-enabled=true");
                header = TestIssuer.machine(dev.registrar.security.Scope.APPEND);
            } else {
                service = new RunningRegistrar();
            }
        }

        @TearDown
        public void stop() {
            service.close();
        }
    }

    /** What does it cost that the service asks who is calling? */
    @Row(value = "service/append-if dataset=small access=local,token callers=10", by = "access=local")
    @Benchmark
    public Answer appendIf(Secured secured) {
        String body = """
                {
                  "events": [{"type": "SeatNumbered", "tags": ["seat:%1$s"], "data": {}}],
                  "condition": {
                    "failIfEventsMatch": {"items": [{"types": ["SeatNumbered"], "tags": ["seat:%1$s"]}]}
                  }
                }""".formatted(secured.seats.incrementAndGet());
        return secured.service.api.post("/dcb/append", body, secured.header).expect(200);
    }

    /** A service that has just reported that it is ready, and a client whose own code is warm. */
    @State(Scope.Benchmark)
    public static class Started {
        private static final int REHEARSALS = 3_000;

        @Param("true")
        boolean warm;

        /** Requests before the measurement. */
        @Param("0")
        int after;

        private final AtomicLong numbers = new AtomicLong();
        private RunningRegistrar service;

        @Setup
        public void start() throws IOException {
            rehearse();
            service = new RunningRegistrar("--registrar.warm-up.enabled=" + warm);
            for (int i = 0; i < after; i++) {
                register();
            }
        }

        /* Calls another server. */
        private static void rehearse() throws IOException {
            HttpServer other = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            other.createContext("/", exchange -> {
                exchange.getRequestBody().readAllBytes();
                exchange.sendResponseHeaders(204, -1);
                exchange.close();
            });
            other.start();
            Api api = new Api(other.getAddress().getPort());
            for (int i = 0; i < REHEARSALS; i++) {
                api.post("/", "{}").expect(204);
            }
            other.stop(0);
        }

        Answer register() {
            String json = "{\"id\": \"new-%1$s\", \"name\": \"New\", \"email\": \"new-%1$s@example.org\"}"
                    .formatted(numbers.incrementAndGet());
            return service.api.post("/api/students", json).expect(201);
        }

        @TearDown
        public void stop() {
            service.close();
        }
    }

    /** How slow is the first request, with and without the service's warm-up, beside one after 5,000 others? */
    @Row(value = "service/request dataset=small warm=true after=5000", length = Row.Length.ONE_CALL)
    @Row(
            value = "service/request dataset=small warm=true,false after=0",
            by = "after=5000 warm=true",
            length = Row.Length.ONE_CALL)
    @Benchmark
    public Answer request(Started started) {
        return started.register();
    }

    /** A service and imports of courses, one after another, or none. */
    @State(Scope.Benchmark)
    public static class Importing {
        private static final String IMPORTS = "/api/courses/import";
        private static final int COURSES = 10_000;

        @Param("none")
        String imports = "";

        private final AtomicLong files = new AtomicLong();
        private RunningRegistrar service;
        private Callers importer = Callers.repeat(0, number -> {});

        @Setup
        public void start() {
            service = new RunningRegistrar("--registrar.enrollment.courses-per-student=1000");
            importer = Callers.repeat(imports.equals("running") ? 1 : 0, only -> importCourses());
        }

        private void importCourses() {
            long number = files.incrementAndGet();
            String file = IntStream.range(0, COURSES)
                    .mapToObj(course -> "imported-%s-%s,A course,30".formatted(number, course))
                    .collect(Collectors.joining("\n", "id,title,capacity\n", "\n"));
            Answer begun = service.api
                    .send("POST", IMPORTS, BodyPublishers.ofString(file), "Content-Type", "text/csv")
                    .expect(202);
            String id = begun.json().path("id").asString();
            String state = await("the end of the import")
                    .atMost(AwaitilityTimeouts.MAX_WAIT)
                    .until(
                            () -> service.api
                                    .get("/api/imports/" + id)
                                    .expect(200)
                                    .json()
                                    .path("state")
                                    .asString(),
                            Set.of("REFUSED", "STOPPED", "FINISHED")::contains);
            if (!state.equals("FINISHED")) {
                throw new IllegalStateException("The import ended as " + state);
            }
        }

        /** Fails if an import has failed. */
        @TearDown
        public void stop() {
            importer.close();
            service.close();
        }
    }

    /** A pause of 20 ms before each call. */
    @State(Scope.Thread)
    public static class Pause {
        private static final long PAUSE = TimeUnit.MILLISECONDS.toNanos(20);

        @Setup(Level.Invocation)
        public void pause() {
            LockSupport.parkNanos(PAUSE);
        }
    }

    /** How long does an enrollment take while files of 10,000 courses are imported? */
    @Row(value = "service/enroll dataset=small imports=none,running callers=10", by = "imports=none")
    @Benchmark
    public Answer enroll(Importing importing, NewPairs pairs, Pause pause) {
        Pair pair = pairs.next();
        return importing
                .service
                .api
                .enroll(pair.student().value(), pair.course().value())
                .expect(201);
    }
}
