package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.constantConcurrentUsers;
import static io.gatling.javaapi.core.CoreDsl.jsonPath;
import static io.gatling.javaapi.core.CoreDsl.scenario;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The consistency load of the dcb.events community. Each event contains the query of its append condition and the last
 * position that matched the query. At the end the log must have no event between that position and the event that
 * matches the query.
 */
public final class ConsistencySimulation extends LoadSimulation {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int NAMES = 10;

    private final Written written = new Written();
    private final LongAdder conflicts = new LongAdder();

    {
        run(
                scenario("consistency")
                        .exec(session -> session.set("query", anyQuery())
                                .set("decision", Dcb.newId())
                                .set("events", ThreadLocalRandom.current().nextInt(1, 3)))
                        .exec(http("last match")
                                .get("/dcb/read")
                                .queryParam("query", s -> s.getString("query"))
                                .queryParam("options", "{\"backwards\": true, \"limit\": 1}")
                                .check(
                                        status().is(200),
                                        jsonPath("$[0].position")
                                                .ofLong()
                                                .withDefault(0L)
                                                .saveAs("after")))
                        .exec(http("append if unchanged")
                                .post("/dcb/append")
                                .body(StringBody(s -> Dcb.appendIf(
                                        decided(
                                                s.getInt("events"),
                                                s.getString("decision"),
                                                s.getString("query"),
                                                s.getLong("after")),
                                        s.getString("query"),
                                        s.getLong("after"))))
                                .check(
                                        status().is(200),
                                        jsonPath("$.appendConditionFailed")
                                                .ofBoolean()
                                                .saveAs("conflict")))
                        .exec(session -> {
                            if (session.contains("conflict") && !session.getBoolean("conflict")) {
                                written.add(session.getInt("events"));
                            } else if (session.contains("conflict")) {
                                conflicts.increment();
                            }
                            return session;
                        })
                        .injectClosed(constantConcurrentUsers(Settings.users(20))
                                .during(Settings.duration(Duration.ofSeconds(3)))),
                this::check);
    }

    /* 0 to 3 items with 0 to 2 types and tags each. Without an item, or with an empty item, the query matches every event. */
    private static String anyQuery() {
        String[] items = IntStream.range(0, ThreadLocalRandom.current().nextInt(4))
                .mapToObj(i -> Dcb.item(some("Type"), some("tag:").toArray(String[]::new)))
                .toArray(String[]::new);
        return Dcb.query(items);
    }

    private static List<String> some(String kind) {
        return ThreadLocalRandom.current()
                .ints(ThreadLocalRandom.current().nextInt(3), 0, NAMES)
                .distinct()
                .mapToObj(number -> kind + number)
                .toList();
    }

    private static String decided(int events, String decision, String query, long after) {
        return IntStream.range(0, events)
                .mapToObj(i -> """
                        {"type": "%s", "tags": %s, "data": {"decision": %s, "query": %s, "after": %s}}""".formatted(
                                "Type" + ThreadLocalRandom.current().nextInt(NAMES),
                                Dcb.strings(some("tag:")),
                                decision,
                                query,
                                after))
                .toList()
                .toString();
    }

    private String check() {
        List<JsonNode> log = new ArrayList<>();
        try (Stream<String> events = SERVICE.events("{\"items\": []}")) {
            events.map(ConsistencySimulation::parsed).forEach(log::add);
        }
        Map<Long, Long> decidedAt = new HashMap<>();
        for (int i = 0; i < log.size(); i++) {
            JsonNode event = log.get(i);
            if (event.path("position").asLong() != i + 1) {
                return "position %s is missing".formatted(i + 1);
            }
            JsonNode data = parsed(event.path("data").asText());
            long first = decidedAt.computeIfAbsent(
                    data.path("decision").asLong(),
                    decision -> event.path("position").asLong());
            for (long between = data.path("after").asLong() + 1; between < first; between++) {
                if (matches(data.path("query"), log.get((int) between - 1))) {
                    return "%s was appended although its condition matches %s"
                            .formatted(event, log.get((int) between - 1));
                }
            }
        }
        return conflicts.sum() == 0 ? "no append conflicted with another" : written.check(SERVICE, 0);
    }

    private static boolean matches(JsonNode query, JsonNode event) {
        JsonNode items = query.path("items");
        if (items.isEmpty()) {
            return true;
        }
        List<String> tags = texts(event.path("tags"));
        for (JsonNode item : items) {
            List<String> types = texts(item.path("types"));
            if ((types.isEmpty() || types.contains(event.path("type").asText()))
                    && tags.containsAll(texts(item.path("tags")))) {
                return true;
            }
        }
        return false;
    }

    private static List<String> texts(JsonNode array) {
        List<String> texts = new ArrayList<>();
        array.forEach(text -> texts.add(text.asText()));
        return texts;
    }

    private static JsonNode parsed(String json) {
        try {
            return JSON.readTree(json);
        } catch (JsonProcessingException malformed) {
            throw new IllegalStateException(malformed);
        }
    }

    @Override
    void prepare() {
        SERVICE.clear();
    }
}
