package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static dev.registrar.gatling.Dcb.reads;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;

import java.time.Duration;

/** Reads of the whole store, as an array and as lines, with concurrent appends and small reads; at most 10 users. */
public final class FullScanSimulation extends LoadSimulation {
    private static final int BEFORE = 30_500;
    private static final int MOST_USERS = 10;

    private final Written written = new Written();

    {
        run(
                scenario("full scan")
                        .exec(appends("append", 1, written, s -> append(event("UserCreated", "user:" + newId()))))
                        .exec(reads("by type", 500, s -> query(item("CourseDefined")), "{}"))
                        .exec(reads("by tag", 2, s -> query(item("StudentEnrolledInCourse", "course:course-1")), "{}"))
                        .exec(reads("everything", BEFORE, s -> query(), "{}"))
                        .exec(exec(http("everything, as lines")
                                .get("/dcb/read")
                                .header("Accept", "application/x-ndjson")
                                .check(substring("\"position\":").count().gte(BEFORE))))
                        .injectClosed(constantConcurrentUsers(Math.min(MOST_USERS, Settings.users(2)))
                                .during(Settings.duration(Duration.ofSeconds(3)))),
                () -> written.check(SERVICE, BEFORE));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
    }
}
