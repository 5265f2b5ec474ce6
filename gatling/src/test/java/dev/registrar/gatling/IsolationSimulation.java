package dev.registrar.gatling;

import static dev.registrar.gatling.Dcb.append;
import static dev.registrar.gatling.Dcb.appendIf;
import static dev.registrar.gatling.Dcb.appends;
import static dev.registrar.gatling.Dcb.event;
import static dev.registrar.gatling.Dcb.events;
import static dev.registrar.gatling.Dcb.item;
import static dev.registrar.gatling.Dcb.newId;
import static dev.registrar.gatling.Dcb.query;
import static io.gatling.javaapi.core.CoreDsl.uniformRandomSwitch;

import io.gatling.javaapi.core.ChainBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The published isolation test: single, conditional and batch appends, each with the three isolation levels. */
public final class IsolationSimulation extends LoadSimulation {
    private static final int BATCH = 5;

    private final Written written = new Written();

    {
        List<ChainBuilder> all = new ArrayList<>();
        for (String level : List.of("READ_COMMITTED", "REPEATABLE_READ", "SERIALIZABLE")) {
            Map<String, String> asked = Map.of("X-Append-If-Isolation", level);
            ChainBuilder pause = PROFILE.pauses(100);
            all.add(appends("single, " + level, 1, written, asked, s -> append(event("UserCreated", "user:" + newId())))
                    .exec(pause));
            all.add(appends("conditional, " + level, 1, written, asked, s -> unlessThere(newId()))
                    .exec(pause));
            all.add(appends(
                            "batch (5), " + level,
                            BATCH,
                            written,
                            asked,
                            s -> append(events(BATCH, "LogEntry", "log:" + newId())))
                    .exec(pause));
        }
        run(uniformRandomSwitch().on(all), () -> written.check(SERVICE, 0));
    }

    private static String unlessThere(String id) {
        return appendIf(event("UserCreated", "user:" + id), query(item("UserCreated", "user:" + id)));
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
