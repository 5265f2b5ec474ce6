package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.conflicts;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.events;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;

import io.gatling.javaapi.core.ChainBuilder;
import java.util.List;

/** Appends with conditions. All conditions hold except one, whose event already exists. */
public final class AppendIfSimulation extends LoadSimulation {
    private static final int BEFORE = 36;
    private static final String TAKEN = query(item("SeatTaken", "seat:1"));

    private final Written written = new Written();

    {
        ChainBuilder usual = PROFILE.pauses(50);
        ChainBuilder large = PROFILE.pauses(100);
        run(
                uniformRandomSwitch()
                        .on(
                                appends("single with condition", 1, written, s -> unlessThere(1, newId()))
                                        .exec(usual),
                                appends(
                                                "single without condition",
                                                1,
                                                written,
                                                s -> append(event("UserCreated", "user:" + newId())))
                                        .exec(usual),
                                appends("batch (2) with condition", 2, written, s -> unlessThere(2, newId()))
                                        .exec(usual),
                                conflicts("condition that fails", s -> appendIf(event("SeatTaken", "seat:1"), TAKEN))
                                        .exec(usual),
                                appends("complex condition", 1, written, s -> complex(newId()))
                                        .exec(usual),
                                appends("high concurrency", 1, written, s -> unlessThere(1, newId()))
                                        .exec(usual),
                                appends("large batch (20)", 20, written, s -> unlessThere(20, newId()))
                                        .exec(large)),
                () -> written.check(SERVICE, BEFORE));
    }

    private static String unlessThere(int events, String id) {
        return appendIf(events(events, "UserCreated", "user:" + id), query(item("UserCreated", "user:" + id)));
    }

    /* Two items: a type with two tags, and several types with one. */
    private static String complex(String id) {
        return appendIf(
                event("SeatTaken", "student:" + id, "course:course-1"),
                query(
                        item("SeatTaken", "student:" + id, "course:course-1"),
                        item(List.of("StudentSuspended", "StudentExpelled"), "student:" + id)));
    }

    @Override
    void prepare() {
        SERVICE.reload("tiny");
        SERVICE.post("/dcb/append", append(event("SeatTaken", "seat:1")));
    }
}
