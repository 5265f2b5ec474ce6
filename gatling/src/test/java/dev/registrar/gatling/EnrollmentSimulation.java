package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.newId;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.registrar.gatling.Enrollments.Before;

/** Students register, look up a course, enroll and list their courses; some of them drop the course again. */
public final class EnrollmentSimulation extends LoadSimulation {

    private final Enrollments enrollments = new Enrollments();

    {
        run(
                exec(session -> session.set("student", "new-" + newId()).set("course", Enrollments.anyCourse()))
                        .exec(enrollments.registers("register", s -> s.getString("student")))
                        .exec(http("look up a course")
                                .get("/api/courses/#{course}")
                                .check(status().is(200), jsonPath("$.id").isEL("#{course}")))
                        .exec(enrollments.enrolls("enroll", s -> s.getString("course"), s -> s.getString("student")))
                        .doIf(s -> s.getInt("enrollment") == 201)
                        .then(exec(http("list the student's courses")
                                        .get("/api/students/#{student}/courses")
                                        .header("Registrar-After", "#{position}")
                                        .check(status().is(200), substring("#{course}")))
                                .exec(enrollments.drops(
                                        "drop", s -> s.getString("course"), s -> s.getString("student")))
                                .exec(http("list the student's courses after the drop")
                                        .get("/api/students/#{student}/courses")
                                        .header("Registrar-After", "#{position}")
                                        .check(
                                                status().is(200),
                                                substring("#{course}").notExists()))),
                () -> enrollments.check(SERVICE, new Before(5_000, 25_000)));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
        SERVICE.awaitViews();
    }
}
