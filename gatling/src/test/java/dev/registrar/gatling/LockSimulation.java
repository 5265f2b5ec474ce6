package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.conflicts;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.events;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static dev.registrar.gatling.Dcb.strings;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;

import java.util.List;

/**
 * Appends that hold named resources: a resource of their own, a shared one, two resources in either order, and appends
 * with conditions.
 */
public final class LockSimulation extends LoadSimulation {
    private static final String TAKEN = query(item("RoomTaken", "room:taken"));

    private final Written written = new Written();

    {
        run(
                uniformRandomSwitch()
                        .on(
                                appends("a resource of its own", 1, written, s -> {
                                    String id = newId();
                                    return holding(event("RoomBooked", "room:" + id), "", "room:" + id);
                                }),
                                appends(
                                        "a shared resource",
                                        1,
                                        written,
                                        s -> holding(event("RoomBooked", "room:hot"), "", "room:hot")),
                                appends(
                                        "two resources",
                                        1,
                                        written,
                                        s -> holding(
                                                event("RoomsSwapped", "room:1", "room:2"), "", "room:1", "room:2")),
                                appends(
                                        "two resources, in reverse order",
                                        1,
                                        written,
                                        s -> holding(
                                                event("RoomsSwapped", "room:1", "room:2"), "", "room:2", "room:1")),
                                appends("batch (10)", 10, written, s -> {
                                    String id = newId();
                                    return holding(events(10, "RoomBooked", "room:" + id), "", "room:" + id);
                                }),
                                appends("with a condition that holds", 1, written, s -> {
                                    String id = newId();
                                    return holding(
                                            event("RoomTaken", "room:" + id),
                                            query(item("RoomTaken", "room:" + id)),
                                            "room:" + id);
                                }),
                                conflicts(
                                        "with a condition that fails",
                                        s -> holding(event("RoomTaken", "room:taken"), TAKEN, "room:taken"))),
                () -> written.check(SERVICE, 1));
    }

    private static String holding(String events, String failIfEventsMatch, String... resources) {
        String condition = failIfEventsMatch.isEmpty()
                ? ""
                : "\"condition\": {\"failIfEventsMatch\": %s}, ".formatted(failIfEventsMatch);
        return "{\"events\": %s, %s\"locks\": %s, \"lockTimeout\": 10000}"
                .formatted(events, condition, strings(List.of(resources)));
    }

    @Override
    void prepare() {
        SERVICE.clear();
        SERVICE.post("/dcb/append", Dcb.append(event("RoomTaken", "room:taken")));
    }
}
