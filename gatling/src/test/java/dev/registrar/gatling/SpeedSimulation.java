package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.PopulationBuilder;
import io.gatling.javaapi.http.HttpRequestActionBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * How fast each kind of request is, a hundred users at a time without pauses, beside a request to the same service that
 * only parses and answers. They take turns, and what each turn took of the processors is told with what it did.
 */
public final class SpeedSimulation extends LoadSimulation {
    private static final int ROUNDS = 3;
    /** Until two cores have compiled what a kind of request runs through, and decisions know the courses. */
    private static final int WARM_UP_TURNS = 4;

    private static final int COURSES = 16_000;
    private static final int STUDENTS = 160_000;
    private static final long BEFORE = 1_000_000;
    private static final String APPENDED = "\"appendConditionFailed\":false";

    private final Written written = new Written();
    private final LongAdder enrolled = new LongAdder();
    private final AtomicInteger enrollments = new AtomicInteger();
    private final List<Kind> kinds = List.of(
            new Kind("empty", name -> post(name, "/load-test/empty", APPENDED, SpeedSimulation::unlessThere)),
            new Kind(
                    "append",
                    name -> post(name, "/dcb/append", APPENDED, () -> append(event("UserCreated", "user:" + newId())))),
            new Kind("append-if", name -> post(name, "/dcb/append", APPENDED, SpeedSimulation::unlessThere)),
            new Kind(
                    "read",
                    name -> http(name)
                            .get("/dcb/read")
                            .queryParam("query", s -> query(item(List.of(), student())))
                            .check(status().is(200), substring("\"position\":"))),
            new Kind(
                    "project",
                    name -> post(
                            name,
                            "/dcb/project",
                            "\"states\":{\"courses\":",
                            () -> "{\"projectors\": [{\"id\": \"courses\", \"kind\": \"count\", \"query\": %s}]}"
                                    .formatted(query(item("StudentEnrolledInCourse", student()))))),
            // Now and then the data set has the pair, or the course is full.
            new Kind(
                    "enroll",
                    name -> http(name)
                            .put(s -> enrollment(enrollments.incrementAndGet()))
                            .check(status().transform(this::counted).in(201, 409))));

    /** One kind of request, and what its turns did and took. */
    private static final class Kind {
        final String name;
        final Function<String, HttpRequestActionBuilder> request;
        final List<Double> perSecond = new ArrayList<>();
        final List<Double> microsecondsOfCpu = new ArrayList<>();
        final LongAdder allAnswered = new LongAdder();
        private final LongAdder answered = new LongAdder();
        private long started;
        private CpuTime before = CpuTime.NONE;

        Kind(String name, Function<String, HttpRequestActionBuilder> request) {
            this.name = name;
            this.request = request;
        }

        /** A turn between two looks at the clocks; the first one only warms up. */
        List<PopulationBuilder> turn(int round, Duration lasts) {
            boolean warmUp = round == 0;
            String told = warmUp ? "warm-up: " + name : name;
            PopulationBuilder load = scenario("%s, %d".formatted(name, round))
                    .exec(request.apply(told))
                    .exec(session -> {
                        if (!session.isFailed()) {
                            answered.increment();
                            allAnswered.increment();
                        }
                        return session;
                    })
                    .injectClosed(constantConcurrentUsers(Settings.users(100)).during(lasts));
            return List.of(
                    moment("%s, %d begins".formatted(name, round), this::begin),
                    load,
                    moment("%s, %d ends".formatted(name, round), () -> end(warmUp)));
        }

        private static PopulationBuilder moment(String name, Runnable look) {
            return scenario(name)
                    .exec(session -> {
                        look.run();
                        return session;
                    })
                    .injectOpen(atOnceUsers(1));
        }

        private void begin() {
            answered.reset();
            before = SERVICE.cpuTime();
            started = System.nanoTime();
        }

        private void end(boolean warmUp) {
            if (!warmUp) {
                long requests = answered.sum();
                perSecond.add(requests * 1e9 / (System.nanoTime() - started));
                microsecondsOfCpu.add(SERVICE.cpuTime().minus(before).both().toNanos() / 1e3 / requests);
            }
        }
    }

    {
        Duration lasts = Settings.duration(Duration.ofSeconds(8));
        List<PopulationBuilder> turns = new ArrayList<>();
        for (int round = 0; round <= ROUNDS; round++) {
            for (Kind kind : kinds) {
                turns.addAll(kind.turn(round, round == 0 ? lasts.multipliedBy(WARM_UP_TURNS) : lasts));
            }
        }
        PopulationBuilder all = verification(this::verdict);
        for (PopulationBuilder turn : turns.reversed()) {
            all = turn.andThen(all);
        }
        setUp(all)
                .protocols(protocol())
                .assertions(global().failedRequests().count().is(0L));
    }

    private static HttpRequestActionBuilder post(String name, String path, String expected, Supplier<String> body) {
        return http(name).post(path).body(StringBody(s -> body.get())).check(status().is(200), substring(expected));
    }

    private static String unlessThere() {
        String tag = "user:" + newId();
        return appendIf(event("UserCreated", tag), query(item("UserCreated", tag)));
    }

    private static String student() {
        return "student:student-" + ThreadLocalRandom.current().nextInt(1, STUDENTS + 1);
    }

    private int counted(int status) {
        if (status == 201) {
            enrolled.increment();
        }
        return status;
    }

    /* As many events as were acknowledged, and hardly a refusal among the enrollments. */
    private String verdict() {
        for (Kind kind : kinds) {
            long answered = kind.allAnswered.sum();
            switch (kind.name) {
                case "append", "append-if" -> written.add(answered);
                case "enroll" -> {
                    if (enrolled.sum() < 0.95 * answered) {
                        return "%d of %d enrollments were accepted".formatted(enrolled.sum(), answered);
                    }
                    written.add(enrolled.sum());
                }
                default -> {}
            }
        }
        return written.verdict(SERVICE, BEFORE);
    }

    /* A student's first, second, third, … course of those that nobody else has had as such. */
    private static String enrollment(int number) {
        int student = number % STUDENTS + 1;
        int course = (number * 31 + number / STUDENTS) % COURSES + 1;
        return "/api/courses/course-%d/students/student-%d".formatted(course, student);
    }

    @Override
    void prepare() {
        SERVICE.reload("large");
        SERVICE.awaitViews();
    }

    @Override
    Map<String, Object> facts() {
        Kind empty = kinds.getFirst();
        List<Map<String, Object>> rows = kinds.stream()
                .map(kind -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("kind", kind.name);
                    row.put("perSecond", kind.perSecond);
                    row.put("microsecondsOfCpu", kind.microsecondsOfCpu);
                    row.put("speedToEmpty", medianRatio(kind.perSecond, empty.perSecond));
                    row.put("cpuToEmpty", medianRatio(kind.microsecondsOfCpu, empty.microsecondsOfCpu));
                    return row;
                })
                .collect(Collectors.toList());
        rows.forEach(System.out::println);
        return Map.of("speed", rows);
    }

    private static double medianRatio(List<Double> some, List<Double> others) {
        List<Double> ratios = new ArrayList<>();
        for (int i = 0; i < Math.min(some.size(), others.size()); i++) {
            ratios.add(some.get(i) / others.get(i));
        }
        return ratios.isEmpty() ? Double.NaN : ratios.stream().sorted().toList().get(ratios.size() / 2);
    }
}
