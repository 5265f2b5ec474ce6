package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static dev.registrar.gatling.Dcb.reads;
import static io.gatling.javaapi.core.CoreDsl.exec;

/** Appends an event and reads it: the first simulation to try. */
public final class QuickSimulation extends LoadSimulation {
    private final Written written = new Written();

    {
        run(
                exec(session -> session.set("tag", "user:" + newId()))
                        .exec(appends("append", 1, written, s -> append(event("UserCreated", s.getString("tag")))))
                        .exec(reads("read", 1, s -> query(item("UserCreated", s.getString("tag"))), "{}")),
                () -> written.check(SERVICE, 0));
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
