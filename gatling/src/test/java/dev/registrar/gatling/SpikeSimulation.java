package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.newId;
import static io.gatling.javaapi.core.CoreDsl.atOnceUsers;
import static io.gatling.javaapi.core.CoreDsl.constantUsersPerSec;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import dev.registrar.gatling.Enrollments.Before;

/** New students at a low rate, then a spike, then the low rate again. */
public final class SpikeSimulation extends LoadSimulation {
    private static final int STREAM = 20;
    private static final int CROWD = 300;

    private final Enrollments enrollments = new Enrollments();

    {
        run(
                scenario("spike")
                        .exec(session -> session.set("student", "spiking-" + newId()))
                        .exec(enrollments.registers("register", s -> s.getString("student")))
                        .exec(enrollments.enrolls("enroll", s -> Enrollments.anyCourse(), s -> s.getString("student")))
                        .injectOpen(
                                constantUsersPerSec(STREAM).during(2),
                                atOnceUsers(CROWD),
                                constantUsersPerSec(STREAM).during(2),
                                atOnceUsers(CROWD),
                                constantUsersPerSec(STREAM).during(2)),
                () -> enrollments.check(SERVICE, new Before(5_000, 25_000)));
    }

    @Override
    void prepare() {
        SERVICE.reload("small");
    }
}
