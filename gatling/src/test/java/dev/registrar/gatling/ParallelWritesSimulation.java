package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.scenario;

import java.time.Duration;

/**
 * The parallel-writes load of the dcb.events community. The conditions are independent of each other, so no append may
 * conflict.
 */
public final class ParallelWritesSimulation extends LoadSimulation {
    private final Written written = new Written();

    {
        run(
                scenario("parallel writes")
                        .exec(session -> session.set("tag", "order:" + Dcb.newId()))
                        .exec(Dcb.appends(
                                "independent append",
                                1,
                                written,
                                s -> Dcb.appendIf(
                                        Dcb.event("OrderPlaced", s.getString("tag")),
                                        Dcb.query(Dcb.item("OrderPlaced", s.getString("tag"))))))
                        .injectClosed(constantConcurrentUsers(Settings.users(20))
                                .during(Settings.duration(Duration.ofSeconds(3)))),
                () -> written.check(SERVICE, 0));
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
