package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.events;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static dev.registrar.gatling.Dcb.reads;
import static io.gatling.javaapi.core.CoreDsl.exec;

import java.util.List;

/**
 * All kinds of request in sequence: append one event, append three, read them, append with a condition, read by several
 * items.
 */
public final class FullMixSimulation extends LoadSimulation {
    private static final int BEFORE = 35;

    private final Written written = new Written();

    {
        run(
                exec(session -> session.set("id", newId()))
                        .exec(appends(
                                "append one", 1, written, s -> append(event("UserCreated", tag(s.getString("id"))))))
                        .exec(appends(
                                "append three",
                                3,
                                written,
                                s -> append(events(3, "UserUpdated", tag(s.getString("id"))))))
                        .exec(reads("read them", 4, s -> query(item(List.of(), tag(s.getString("id")))), "{}"))
                        .exec(appends(
                                "append under a condition",
                                1,
                                written,
                                s -> appendIf(
                                        event("UserClosed", tag(s.getString("id"))),
                                        query(item("UserClosed", tag(s.getString("id")))))))
                        .exec(reads(
                                "read by several items",
                                3,
                                s -> query(
                                        item("UserCreated", tag(s.getString("id"))),
                                        item("UserClosed", tag(s.getString("id"))),
                                        item("CourseDefined", "course:course-1")),
                                "{}")),
                () -> written.check(SERVICE, BEFORE));
    }

    private static String tag(String id) {
        return "user:" + id;
    }

    @Override
    void prepare() {
        SERVICE.reload("tiny");
    }
}
