package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
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
 * The rate of each kind of request with 100 concurrent users without pauses, compared with a request to which the
 * service responds after parsing alone. The kinds take turns; the CPU time of each turn is reported with its rate.
 */
public final class SpeedSimulation extends LoadSimulation {
    private static final int ROUNDS = 3;
    /** Turns until two cores have compiled the code of a kind of request, and the states of the courses are cached. */
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
            // Sometimes the data set has the enrollment already, or the course is full.
            new Kind(
                    "enroll",
                    name -> http(name)
                            .put(s -> Enrollments.path(
                                    Enrolled.distinct(enrollments.incrementAndGet(), COURSES, STUDENTS)))
                            .check(status().transform(this::counted).in(200, 201, 204, 409))));

    /** One kind of request, with the results of its turns. */
    private static final class Kind {
        final String name;
        final Function<String, HttpRequestActionBuilder> request;
        final Pace warmUp = new Pace(SERVICE);
        final Pace pace = new Pace(SERVICE);

        Kind(String name, Function<String, HttpRequestActionBuilder> request) {
            this.name = name;
            this.request = request;
        }

        /** A turn, between two readings of the clocks. The first turns only warm up. */
        List<PopulationBuilder> turn(int round, Duration lasts) {
            Pace turn = round == 0 ? warmUp : pace;
            String requestName = round == 0 ? "warm-up: " + name : name;
            PopulationBuilder load = scenario("%s, %s".formatted(name, round))
                    .exec(request.apply(requestName))
                    .exec(turn::count)
                    .injectClosed(constantConcurrentUsers(Settings.users(100)).during(lasts));
            return List.of(
                    Pace.moment("%s, %s begins".formatted(name, round), Duration.ZERO, turn::begin),
                    load,
                    Pace.moment("%s, %s ends".formatted(name, round), Duration.ZERO, turn::end));
        }

        long answered() {
            return warmUp.answered() + pace.answered();
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
        PopulationBuilder all = verification(this::check);
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

    /* The log has as many events as were acknowledged, and nearly all enrollments were accepted. */
    private String check() {
        for (Kind kind : kinds) {
            long answered = kind.answered();
            switch (kind.name) {
                case "append", "append-if" -> written.add(answered);
                case "enroll" -> {
                    if (enrolled.sum() < 0.95 * answered) {
                        return "%s of %s enrollments were accepted".formatted(enrolled.sum(), answered);
                    }
                    written.add(enrolled.sum());
                }
                default -> {}
            }
        }
        return written.check(SERVICE, BEFORE);
    }

    @Override
    void prepare() {
        SERVICE.reload("large");
        SERVICE.awaitViews();
    }

    @Override
    boolean isWarmedUp() {
        return true;
    }

    @Override
    Map<String, Object> facts() {
        Pace empty = kinds.getFirst().pace;
        List<Map<String, Object>> rows = kinds.stream()
                .map(kind -> {
                    Map<String, Object> row = new LinkedHashMap<>();
                    row.put("kind", kind.name);
                    row.put("perSecond", kind.pace.perSecond);
                    row.put("microsecondsOfCpu", kind.pace.microsecondsOfCpu);
                    row.put("speedToEmpty", Pace.medianRatio(kind.pace.perSecond, empty.perSecond));
                    row.put("cpuToEmpty", Pace.medianRatio(kind.pace.microsecondsOfCpu, empty.microsecondsOfCpu));
                    return row;
                })
                .collect(Collectors.toList());
        rows.forEach(System.out::println);
        return Map.of("speed", rows);
    }
}
