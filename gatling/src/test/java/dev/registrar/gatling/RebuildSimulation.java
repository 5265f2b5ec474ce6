package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.asLongAs;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.pace;
import static io.gatling.javaapi.core.CoreDsl.pause;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.PopulationBuilder;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * All views are rebuilt while students enroll at a constant rate. No request may fail, and at the end the seats in the
 * courses' view must be those of the log.
 */
public final class RebuildSimulation extends LoadSimulation {
    private static final boolean BRIEF = PROFILE == Profile.SMOKE;
    private static final int PER_SECOND = Settings.number("rate", BRIEF ? 100 : 1_000);
    private static final int COURSES = BRIEF ? 500 : 16_000;
    private static final int STUDENTS = BRIEF ? 5_000 : 160_000;
    private static final long BEFORE = BRIEF ? 30_500 : 1_000_000;
    private static final Duration EACH = Duration.ofMillis(200);
    private static final Duration RAMP = Duration.ofSeconds(BRIEF ? 1 : 10);
    private static final Duration MAX_WAIT = Duration.ofMinutes(10);
    private static final String PROJECTIONS = "/api/admin/projections";
    private static final Pattern SEATS = Pattern.compile("\"id\":\"([^\"]+)\",[^}]*?\"enrolled\":(\\d+)");

    private final Written written = new Written();
    private final Enrollments enrollments = new Enrollments();
    private final AtomicInteger numbers = new AtomicInteger();
    private final Pace before = new Pace(SERVICE);
    private final Pace during = new Pace(SERVICE);
    private volatile boolean over;
    private volatile boolean built;
    private volatile double seconds;
    private volatile long started;

    {
        PopulationBuilder load = scenario("enrollments")
                .exec(asLongAs(session -> !over)
                        .on(pace(EACH)
                                .exec(session -> session.set(
                                        "pair", Enrolled.distinct(numbers.incrementAndGet(), COURSES, STUDENTS)))
                                .exec(enrollments.enrolls(
                                        "enroll",
                                        session -> session.<Enrolled>get("pair").course(),
                                        session -> session.<Enrolled>get("pair").student()))
                                .exec(before::count)
                                .exec(during::count)))
                .injectOpen(
                        rampUsers((int) (PER_SECOND * EACH.toMillis() / 1_000)).during(RAMP));
        PopulationBuilder rebuild = scenario("rebuild")
                .exec(pause(RAMP))
                .exec(look(before::begin))
                .exec(pause(RAMP))
                .exec(look(() -> {
                    before.end();
                    started = System.nanoTime();
                    during.begin();
                }))
                .exec(http("rebuild").post(PROJECTIONS + "/rebuild").check(status().is(200)))
                .exec(session -> session.set("building", true))
                .exec(asLongAs("#{building}")
                        .on(pause(Duration.ofMillis(100))
                                .exec(http("look")
                                        .get(PROJECTIONS)
                                        .check(
                                                status().is(200),
                                                substring("\"rebuild\":{")
                                                        .count()
                                                        .gte(0)
                                                        .saveAs("builds")))
                                .exec(session -> {
                                    seconds = (System.nanoTime() - started) / 1e9;
                                    built = !session.isFailed() && session.getInt("builds") == 0;
                                    return session.set(
                                            "building",
                                            !built && !session.isFailed() && seconds < MAX_WAIT.toSeconds());
                                })))
                .exec(look(() -> {
                    during.end();
                    over = true;
                }))
                .injectOpen(atOnceUsers(1));
        setUp(load.andThen(verification(this::check)), rebuild)
                .protocols(protocol())
                .assertions(Profile.NO_FAILURES);
    }

    private static ChainBuilder look(Runnable what) {
        return exec(session -> {
            what.run();
            return session;
        });
    }

    private String check() {
        if (!built) {
            return "The views were not rebuilt within %s s".formatted(Math.round(seconds));
        }
        // Sometimes the course is full.
        if (enrollments.refused() > 0.05 * during.answered()) {
            return "%s of %s enrollments were refused".formatted(enrollments.refused(), during.answered());
        }
        written.add(enrollments.enrolled());
        String inTheLog = written.check(SERVICE, BEFORE);
        if (!inTheLog.equals(CORRECT)) {
            return inTheLog;
        }
        SERVICE.awaitViews();
        Map<String, Integer> view = seatsOfTheView();
        Map<String, Integer> log = seatsOfTheLog();
        return view.equals(log) ? CORRECT : "The view of %s courses differs from the log".formatted(view.size());
    }

    private static Map<String, Integer> seatsOfTheView() {
        Map<String, Integer> seats = new HashMap<>();
        SERVICE.pages("/api/courses?limit=1000").forEach(page -> {
            Matcher course = SEATS.matcher(page);
            while (course.find()) {
                seats.put(course.group(1), Integer.valueOf(course.group(2)));
            }
        });
        return seats;
    }

    private static Map<String, Integer> seatsOfTheLog() {
        Map<String, Integer> seats = new HashMap<>();
        for (int i = 1; i <= COURSES; i++) {
            seats.put("course-" + i, 0);
        }
        try (Stream<String> events = SERVICE.events("{\"items\": [{\"types\": [\"StudentEnrolledInCourse\"]}]}")) {
            events.map(Enrolled::of).forEach(pair -> seats.merge(pair.course(), 1, Integer::sum));
        }
        return seats;
    }

    @Override
    void prepare() {
        SERVICE.reload(BRIEF ? "small" : "large");
        SERVICE.awaitViews();
    }

    @Override
    Map<String, Object> facts() {
        return Map.of(
                "enrollmentsPerSecondBefore", before.perSecond,
                "enrollmentsPerSecondDuring", during.perSecond,
                "secondsOfRebuild", seconds);
    }
}
