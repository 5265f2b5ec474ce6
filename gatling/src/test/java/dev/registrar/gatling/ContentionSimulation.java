package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.registrar.gatling.Enrollments.Before;
import io.gatling.javaapi.core.ChainBuilder;
import java.util.concurrent.ThreadLocalRandom;

/** Contention: all users enroll in one course, or append under a condition on one tag. */
public final class ContentionSimulation extends LoadSimulation {
    private static final String COURSE = "contended";
    private static final int SEATS = 20;
    private static final int STUDENTS = 200;
    private static final String COUNTED = query(item("Counted", "counter:1"));

    private final Enrollments enrollments = new Enrollments();
    private final Written counted = new Written();

    {
        run(
                uniformRandomSwitch()
                        .on(
                                enrollments.enrolls("enroll in the hot course", s -> COURSE, s -> student()),
                                enrollments.drops("drop from the hot course", s -> COURSE, s -> student()),
                                readAndAppend()),
                () -> {
                    String rules = enrollments.check(SERVICE, new Before(STUDENTS, 0));
                    return rules.equals(CORRECT) ? counted.check(SERVICE, foreign()) : rules;
                });
    }

    /* Appends under a condition on what was read. The loser of a race gets a conflict, and nothing is appended. */
    private ChainBuilder readAndAppend() {
        return exec(http("read the counter")
                        .get("/dcb/read")
                        .queryParam("query", COUNTED)
                        .queryParam("options", "{\"backwards\": true, \"limit\": 1}")
                        .check(jsonPath("$[0].position")
                                .ofLong()
                                .withDefault(0L)
                                .saveAs("after")))
                .exec(http("append to the counter")
                        .post("/dcb/append")
                        .body(StringBody(s -> appendIf(event("Counted", "counter:1"), COUNTED, s.getLong("after"))))
                        .check(
                                status().is(200),
                                jsonPath("$.appendConditionFailed").ofBoolean().saveAs("conflict")))
                .exec(session -> {
                    if (session.contains("conflict") && !session.getBoolean("conflict")) {
                        counted.add(1);
                    }
                    return session;
                });
    }

    private static String student() {
        return "eager-" + ThreadLocalRandom.current().nextInt(STUDENTS);
    }

    /* All events but the counter's, which are added to what was acknowledged. */
    private static long foreign() {
        String others = SERVICE.post("/dcb/read", """
                {"count": true, "query": {"items": [{"types": ["CourseDefined", "StudentRegistered",
                    "StudentEnrolledInCourse", "StudentDroppedCourse"]}]}}""");
        return Long.parseLong(others.replaceFirst(".*\"numberOfMatchingEvents\":(\\d+).*", "$1"));
    }

    @Override
    void prepare() {
        SERVICE.clear();
        Enrollments.defineCourse(SERVICE, COURSE, SEATS);
        for (int i = 0; i < STUDENTS; i++) {
            Enrollments.registerStudent(SERVICE, "eager-" + i);
        }
    }
}
