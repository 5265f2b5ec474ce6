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

/** Appends of 1 to 50 events. Two of the eight kinds have a condition: one always holds, the other always fails. */
public final class AppendSimulation extends LoadSimulation {
    private static final int BEFORE = 36;
    private static final String FORBIDDEN = query(item("ConditionalTestEvent", "conditional:test"));

    private final Written written = new Written();

    {
        ChainBuilder usual = PROFILE.pauses(50);
        ChainBuilder large = PROFILE.pauses(100);
        run(
                uniformRandomSwitch()
                        .on(
                                appends("single", 1, written, s -> append(event("UserCreated", "user:" + newId())))
                                        .exec(usual),
                                appends(
                                                "small batch (2)",
                                                2,
                                                written,
                                                s -> append(events(2, "UserCreated", "user:" + newId())))
                                        .exec(usual),
                                appends(
                                                "medium batch (5)",
                                                5,
                                                written,
                                                s -> append(events(5, "UserCreated", "user:" + newId())))
                                        .exec(usual),
                                appends(
                                                "large batch (25)",
                                                25,
                                                written,
                                                s -> append(events(25, "LogEntry", "log:" + newId())))
                                        .exec(large),
                                appends(
                                                "condition that holds",
                                                1,
                                                written,
                                                s -> appendIf(
                                                        event("ConditionalUser", "user:" + newId()),
                                                        query(item("ConditionalUser", "unique:" + newId()))))
                                        .exec(usual),
                                conflicts(
                                                "condition that fails",
                                                s -> appendIf(event("ConditionalUser", "user:" + newId()), FORBIDDEN))
                                        .exec(usual),
                                appends("mixed types (5)", 5, written, s -> append(mixed(newId())))
                                        .exec(usual),
                                appends(
                                                "high frequency (50)",
                                                50,
                                                written,
                                                s -> append(events(50, "SensorReading", "sensor:" + newId())))
                                        .exec(large)),
                () -> written.check(SERVICE, BEFORE));
    }

    private static String mixed(String id) {
        return "[%s,%s,%s,%s,%s]"
                .formatted(
                        event("UserCreated", "user:" + id),
                        event("ProfileUpdated", "user:" + id),
                        event("EmailVerified", "user:" + id),
                        event("OrderPlaced", "user:" + id, "order:" + id),
                        event("PaymentTaken", "order:" + id));
    }

    @Override
    void prepare() {
        SERVICE.reload("tiny");
        SERVICE.post("/dcb/append", append(event("ConditionalTestEvent", "conditional:test")));
    }
}
