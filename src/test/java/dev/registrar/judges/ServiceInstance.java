package dev.registrar.judges;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.judges.History.Command;
import dev.registrar.judges.History.Counting;
import dev.registrar.judges.History.HeadSeen;
import dev.registrar.judges.History.Item;
import dev.registrar.judges.History.Outcome;
import dev.registrar.judges.History.Part;
import dev.registrar.judges.History.Reading;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A service in a process of its own, called over HTTP. */
final class ServiceInstance implements Instance {
    /** The data of all events. */
    static final String DATA = "{}";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final String name;
    private final AtomicInteger connectionsLost = new AtomicInteger();
    private volatile Api api;

    ServiceInstance(String name, Api api) {
        this.name = name;
        this.api = api;
    }

    /** Another process has taken over. */
    void moveTo(Api other) {
        api = other;
    }

    /** The process that answers for it now. */
    Api api() {
        return api;
    }

    /** The number of calls that ended without an answer. */
    int connectionsLost() {
        return connectionsLost.get();
    }

    /* Whatever else may happen: a refusal that changed nothing says when to come again. */
    private Answer answer(Supplier<Answer> call) {
        Answer answer;
        try {
            answer = call.get();
        } catch (UncheckedIOException failure) {
            connectionsLost.incrementAndGet();
            throw failure;
        }
        if ((answer.status() == 429 || answer.status() == 503)
                && answer.header("Retry-After").isEmpty()) {
            throw new IllegalStateException("Without Retry-After: " + answer);
        }
        return answer;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Part> append(List<Part> parts, @Nullable String key) {
        if (parts.size() > 1 || parts.getFirst().conditions().size() > 1) {
            throw new IllegalArgumentException("The API has no chains, and one condition for each append");
        }
        Part part = parts.getFirst();
        Map<String, Object> body = new LinkedHashMap<>();
        body.put(
                "events",
                part.events().stream()
                        .map(event ->
                                Map.of("id", event.id(), "type", event.type(), "tags", event.tags(), "data", DATA))
                        .toList());
        part.conditions()
                .forEach(each ->
                        body.put("condition", Map.of("failIfEventsMatch", query(each.items()), "after", each.after())));
        String[] headers = key == null ? new String[0] : new String[] {"Idempotency-Key", key};
        return List.of(outcome(part, body, headers));
    }

    private Part outcome(Part part, Map<String, Object> body, String... headers) {
        Answer answer;
        try {
            answer = answer(() -> api.post("/dcb/append", JSON.writeValueAsString(body), headers));
        } catch (UncheckedIOException failure) {
            return part.with(failure.getCause() instanceof ConnectException ? Outcome.FAILED : Outcome.UNKNOWN);
        }
        if (answer.status() == 200) {
            JsonNode json = answer.json();
            return json.path("appendConditionFailed").asBoolean()
                    ? part.refusedBy(json.at("/conflict/position").asLong())
                    : part.appendedAt(
                            json.at("/positions/0").asLong(),
                            json.at("/positions/1").asLong());
        }
        return part.with(
                switch (answer.status()) {
                    case 429, 503 -> Outcome.FAILED;
                    case 504 -> Outcome.UNKNOWN;
                    default -> throw new IllegalStateException(answer.text());
                });
    }

    private static Map<String, Object> query(List<Item> items) {
        return Map.of("items", items);
    }

    @Override
    public Reading read(List<Item> items, long after) {
        Answer answer = ask("/dcb/read", Map.of("query", query(items), "options", Map.of("after", after)));
        List<Long> positions = new ArrayList<>();
        List<Long> ids = new ArrayList<>();
        answer.json().forEach(event -> {
            positions.add(event.path("position").asLong());
            ids.add(UUID.fromString(event.path("id").asString()).getLeastSignificantBits());
        });
        String basis = answer.header("Registrar-Basis");
        return new Reading(items, after, positions, ids, Long.parseLong(basis.substring(0, basis.indexOf('.'))));
    }

    /** Counts by a projection. */
    @Override
    public Counting count(List<Item> items, long after) {
        JsonNode projected = ask(
                        "/dcb/project",
                        Map.of(
                                "projectors",
                                List.of(Map.of("id", "n", "query", query(items), "kind", "count")),
                                "after",
                                after))
                .json();
        return new Counting(
                items,
                after,
                projected.at("/states/n").asLong(),
                projected.path("head").asLong());
    }

    @Override
    public HeadSeen head() {
        return new HeadSeen(
                answered(() -> api.get("/dcb/head")).json().path("head").asLong());
    }

    private Answer ask(String path, Map<String, Object> body) {
        return answered(() -> api.post(path, JSON.writeValueAsString(body)));
    }

    private Answer answered(Supplier<Answer> call) {
        Answer answer;
        try {
            answer = answer(call);
        } catch (UncheckedIOException failure) {
            throw new NoAnswerException(failure);
        }
        if (answer.status() == 200) {
            return answer;
        }
        if (answer.status() == 429 || answer.status() == 503 || answer.status() == 504) {
            throw new NoAnswerException(answer.text());
        }
        throw new IllegalStateException(answer.text());
    }

    /**
     * Enrolls or drops a student.
     *
     * @param correlation id of the command and others
     * @return with the status {@link Command#UNKNOWN} if there was no answer
     */
    Command command(String method, String course, String student, String correlation) {
        try {
            Answer answer = answer(() -> api.send(
                    method,
                    "/api/courses/%s/students/%s".formatted(course, student),
                    "",
                    "X-Correlation-Id",
                    correlation));
            return new Command(
                    method,
                    course,
                    student,
                    answer.status(),
                    answer.status() < 400 ? "" : answer.json().path("code").asString(),
                    answer.header("Registrar-Position").isEmpty() ? null : Long.valueOf(answer.position()));
        } catch (UncheckedIOException failure) {
            return new Command(method, course, student, Command.UNKNOWN, "", null);
        }
    }
}
