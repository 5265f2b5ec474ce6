package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.newId;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import dev.registrar.gatling.Enrollments.Before;
import io.gatling.javaapi.http.HttpRequestActionBuilder;

/**
 * What a look-up costs that must have every stored event, while all users append: each registers and enrolls a student,
 * and looks the course up in both ways.
 */
public final class StrongSimulation extends LoadSimulation {
    private final Enrollments enrollments = new Enrollments();

    {
        run(
                exec(session -> session.set("student", "new-" + newId()).set("course", Enrollments.anyCourse()))
                        .exec(enrollments.registers("register", s -> s.getString("student")))
                        .exec(enrollments.enrolls("enroll", s -> s.getString("course"), s -> s.getString("student")))
                        .exec(looksUp("look up", "view"))
                        .exec(looksUp("look up, strong", "strong")),
                () -> enrollments.check(SERVICE, new Before(5_000, 25_000)));
    }

    private static HttpRequestActionBuilder looksUp(String name, String consistency) {
        return http(name)
                .get("/api/courses/#{course}")
                .queryParam("consistency", consistency)
                .check(status().is(200), jsonPath("$.id").isEL("#{course}"));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
        SERVICE.awaitViews();
    }
}
