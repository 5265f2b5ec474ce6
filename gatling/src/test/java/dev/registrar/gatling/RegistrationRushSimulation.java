package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.registrar.gatling.Enrollments.Before;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A thousand students, one course of a hundred seats, all at once: a hundred get one, and nobody is told anything
 * wrong.
 */
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
                this::verdict);
    }

    private String verdict() {
        return enrollments.enrolled() == SEATS && enrollments.refused() == STUDENTS - SEATS
                ? enrollments.verdict(SERVICE, new Before(STUDENTS, 0))
                : "%d were enrolled and %d refused".formatted(enrollments.enrolled(), enrollments.refused());
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
