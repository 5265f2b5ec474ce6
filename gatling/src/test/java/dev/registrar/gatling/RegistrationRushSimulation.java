package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.registrar.gatling.Enrollments.Before;
import java.util.concurrent.atomic.AtomicInteger;

/** 1,000 students enroll at once in a course with 100 seats: 100 are accepted, 900 refused. */
public final class RegistrationRushSimulation extends LoadSimulation {
    private static final int STUDENTS = 1_000;
    private static final int SEATS = 100;

    private final Enrollments enrollments = new Enrollments();
    private final AtomicInteger next = new AtomicInteger();

    {
        run(
                scenario("rush")
                        .exec(session -> session.set("student", "rushing-" + next.getAndIncrement()))
                        .exec(enrollments.enrolls("enroll", s -> "popular", s -> s.getString("student")))
                        .injectOpen(atOnceUsers(STUDENTS)),
                this::check);
    }

    private String check() {
        return enrollments.enrolled() == SEATS && enrollments.refused() == STUDENTS - SEATS
                ? enrollments.check(SERVICE, new Before(STUDENTS, 0))
                : "%s were enrolled and %s refused".formatted(enrollments.enrolled(), enrollments.refused());
    }

    @Override
    void prepare() {
        SERVICE.clear();
        Enrollments.defineCourse(SERVICE, "popular", SEATS);
        for (int i = 0; i < STUDENTS; i++) {
            Enrollments.registerStudent(SERVICE, "rushing-" + i);
        }
    }
}
