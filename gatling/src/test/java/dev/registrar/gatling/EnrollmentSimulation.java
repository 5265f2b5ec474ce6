package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.newId;
import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import java.util.concurrent.ThreadLocalRandom;

/** What students do: register, look at a course, enroll, look at their courses, and some drop out again. */
public final class EnrollmentSimulation extends LoadSimulation {
    private static final int COURSES = 500;
    private static final int BEFORE = 25_000;

    private final Enrollments enrollments = new Enrollments();

    {
        run(
                exec(session -> session.set("student", "new-" + newId()).set("course", anyCourse()))
                        .exec(http("register")
                                .post("/api/students")
                                .body(StringBody(s -> Enrollments.student(s.getString("student"))))
                                .check(status().is(201)))
                        .exec(http("look up a course")
                                .get("/api/courses/#{course}")
                                .check(status().is(200), jsonPath("$.id").isEL("#{course}")))
                        .exec(enrollments.enrolls("enroll", s -> s.getString("course"), s -> s.getString("student")))
                        .doIf(s -> s.getInt("enrollment") == 201)
                        .then(exec(http("look up one's courses")
                                        .get("/api/students/#{student}/courses")
                                        .check(status().is(200), substring("#{course}")))
                                .exec(http("drop")
                                        .delete("/api/courses/#{course}/students/#{student}")
                                        .check(status().is(204)))
                                .exec(http("look up one's courses after the drop")
                                        .get("/api/students/#{student}/courses")
                                        .check(
                                                status().is(200),
                                                substring("#{course}").notExists()))),
                () -> enrollments.verdict(SERVICE, BEFORE));
    }

    private static String anyCourse() {
        return "course-" + ThreadLocalRandom.current().nextInt(1, COURSES + 1);
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
    }
}
