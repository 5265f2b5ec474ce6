package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.details;
import static io.gatling.javaapi.core.CoreDsl.global;
import static io.gatling.javaapi.core.CoreDsl.nothingFor;
import static io.gatling.javaapi.core.CoreDsl.rampUsers;
import static io.gatling.javaapi.core.CoreDsl.repeat;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.sse;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.PopulationBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Appends with a condition, alternately without and with many listeners. Each listener has a live stream of a course of
 * its own, which gets one event at the end of the turn.
 */
public final class ListenersSimulation extends LoadSimulation {
    private static final boolean BRIEF = PROFILE == Profile.SMOKE;
    private static final int LISTENERS = Settings.number("listeners", BRIEF ? 200 : 1_000);
    private static final int ROUNDS = BRIEF ? 1 : 3;
    private static final int CONNECTED_PER_SECOND = 400;
    private static final int SENDERS = 4;
    private static final String LISTEN = "listen";

    private static final Duration MEASURED = Settings.duration(Duration.ofSeconds(BRIEF ? 2 : 8));
    private static final Duration WARM_UP = MEASURED.multipliedBy(BRIEF ? 1 : 4);
    private static final Duration CONNECTING = Duration.ofSeconds(1 + LISTENERS / CONNECTED_PER_SECOND);
    /** A busy machine needs longer than an idle one until all listeners are connected. */
    private static final Duration REST = Duration.ofSeconds(BRIEF ? 6 : 1);

    /** The longest time until every listener has received its event. */
    private static final Duration DELIVERY = Duration.ofSeconds(BRIEF ? 6 : 10);

    /** A stream whose listener has disconnected ends with the second heartbeat, at the latest after twice 15 s. */
    private static final Duration DISCONNECTING = Duration.ofSeconds(BRIEF ? 0 : 32);

    private static final Duration ROUND =
            MEASURED.multipliedBy(2).plus(CONNECTING).plus(REST).plus(DELIVERY).plus(DISCONNECTING);

    private final Written written = new Written();
    private final Pace alone = new Pace(SERVICE);
    private final Pace beside = new Pace(SERVICE);
    private volatile long head;
    private final AtomicLong missing = new AtomicLong();

    {
        if (LISTENERS % SENDERS != 0) {
            throw new IllegalArgumentException("-Dlisteners must be a multiple of %s".formatted(SENDERS));
        }
        List<PopulationBuilder> all = new ArrayList<>();
        // This population ends last: by then every listener has received its event.
        all.add(scenario("appends")
                .exec(http("append-if")
                        .post("/dcb/append")
                        .body(StringBody(session -> unlessThere()))
                        .check(status().is(200), substring("\"appendConditionFailed\":false")))
                .exec(alone::count)
                .exec(beside::count)
                .injectClosed(constantConcurrentUsers(Settings.users(BRIEF ? 5 : 100))
                        .during(WARM_UP.plus(ROUND.multipliedBy(ROUNDS))))
                .andThen(verification(this::check)));
        for (int round = 0; round < ROUNDS; round++) {
            all.addAll(round(round, WARM_UP.plus(ROUND.multipliedBy(round))));
        }
        setUp(all)
                .protocols(protocol())
                .assertions(
                        global().failedRequests().count().is(0L),
                        details(LISTEN).successfulRequests().count().is((long) LISTENERS * ROUNDS));
    }

    private List<PopulationBuilder> round(int number, Duration begins) {
        Duration connect = begins.plus(MEASURED);
        Duration connected = connect.plus(CONNECTING).plus(REST);
        Duration deliver = connected.plus(MEASURED);
        return List.of(
                Pace.moment("alone, begins, " + number, begins, alone::begin),
                Pace.moment("alone, ends, " + number, connect, () -> {
                    alone.end();
                    head = SERVICE.head();
                }),
                listeners(number, connect.plus(Duration.ofMillis(500))),
                Pace.moment("beside, begins, " + number, connected, () -> {
                    missing.addAndGet(LISTENERS - SERVICE.listeners());
                    beside.begin();
                }),
                Pace.moment("beside, ends, " + number, deliver, beside::end),
                senders(number, deliver));
    }

    private PopulationBuilder listeners(int round, Duration after) {
        AtomicInteger next = new AtomicInteger();
        return scenario("listeners, " + round)
                .exec(session -> session.set("course", next.incrementAndGet()).set("head", head))
                .exec(sse(LISTEN)
                        .get("/api/courses/quiet-#{course}/events?after=#{head}")
                        .await(CONNECTING.plus(REST).plus(MEASURED).plus(DELIVERY))
                        .on(sse.checkMessage("receive").check(substring("\"Noted\""))))
                .exec(sse("disconnect").close())
                .injectOpen(nothingFor(after), rampUsers(LISTENERS).during(CONNECTING));
    }

    private PopulationBuilder senders(int round, Duration after) {
        AtomicInteger next = new AtomicInteger();
        return scenario("senders, " + round)
                .exec(repeat(LISTENERS / SENDERS)
                        .on(appends(
                                "append for a listener",
                                1,
                                written,
                                session -> append(event("Noted", "course:quiet-" + next.incrementAndGet())))))
                .injectOpen(nothingFor(after), atOnceUsers(SENDERS));
    }

    private static String unlessThere() {
        String tag = "user:" + newId();
        return appendIf(event("UserCreated", tag), query(item("UserCreated", tag)));
    }

    private String check() {
        if (missing.get() > 0) {
            return "%s listeners were not connected when the measurement began".formatted(missing.get());
        }
        written.add(alone.answered());
        return written.check(SERVICE, LISTENERS);
    }

    @Override
    void prepare() {
        SERVICE.clear();
        for (int i = 1; i <= LISTENERS; i++) {
            Enrollments.defineCourse(SERVICE, "quiet-" + i, 1);
        }
        SERVICE.awaitViews();
    }

    @Override
    boolean isWarmedUp() {
        return true;
    }

    @Override
    Map<String, Object> facts() {
        return Map.of(
                "listeners",
                LISTENERS,
                "appendsPerSecondAlone",
                alone.perSecond,
                "appendsPerSecondBeside",
                beside.perSecond,
                "besideToAlone",
                Pace.medianRatio(beside.perSecond, alone.perSecond));
    }
}
