package dev.registrar.gatling;

import static io.gatling.javaapi.core.CoreDsl.StringBody;
import static io.gatling.javaapi.core.CoreDsl.exec;
import static io.gatling.javaapi.core.CoreDsl.substring;
import static io.gatling.javaapi.http.HttpDsl.http;
import static io.gatling.javaapi.http.HttpDsl.status;

import io.gatling.javaapi.core.ChainBuilder;
import io.gatling.javaapi.core.Session;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Requests to the event store's own API, and their JSON. */
final class Dcb {
    private static final AtomicLong IDS = new AtomicLong();

    private Dcb() {}

    /** A tag's value that is unique in this run. */
    static String newId() {
        return Long.toString(IDS.incrementAndGet());
    }

    static String event(String type, String... tags) {
        return """
                {"type": "%s", "tags": %s, "data": {"sentBy": "a load test", "number": 12345, "active": true}}""".formatted(type, strings(List.of(tags)));
    }

    static String events(int count, String type, String... tags) {
        return IntStream.range(0, count).mapToObj(i -> event(type, tags)).collect(Collectors.joining(",", "[", "]"));
    }

    static String item(String type, String... tags) {
        return item(List.of(type), tags);
    }

    static String item(List<String> types, String... tags) {
        return """
                {"types": %s, "tags": %s}""".formatted(strings(types), strings(List.of(tags)));
    }

    static String query(String... items) {
        return "{\"items\": [%s]}".formatted(String.join(",", items));
    }

    static String append(String events) {
        return "{\"events\": %s}".formatted(events);
    }

    static String appendIf(String events, String failIfEventsMatch) {
        return "{\"events\": %s, \"condition\": {\"failIfEventsMatch\": %s}}".formatted(events, failIfEventsMatch);
    }

    static String appendIf(String events, String failIfEventsMatch, long after) {
        return "{\"events\": %s, \"condition\": {\"failIfEventsMatch\": %s, \"after\": %s}}"
                .formatted(events, failIfEventsMatch, after);
    }

    static String strings(List<String> values) {
        return values.stream().map("\"%s\""::formatted).collect(Collectors.joining(", ", "[", "]"));
    }

    /** Sends an append that must succeed, and counts its events when they are acknowledged. */
    static ChainBuilder appends(String name, int events, Written written, Function<Session, String> body) {
        return appends(name, events, written, Map.of(), body);
    }

    /** Sends an append with these headers that must succeed, and counts its events. */
    static ChainBuilder appends(
            String name, int events, Written written, Map<String, String> headers, Function<Session, String> body) {
        return exec(http(name)
                .post("/dcb/append")
                .headers(headers)
                .body(StringBody(session -> {
                    written.sends(events);
                    return body.apply(session);
                }))
                .check(
                        status().transform(status -> written.answered(events, status))
                                .is(200),
                        // In the check, since a warm-up's silent requests do not fail their session; null if not found.
                        substring("\"appendConditionFailed\":false").transform(found -> {
                            if (found != null) {
                                written.add(events);
                            }
                            return found;
                        })));
    }

    /** Sends an append whose condition must fail. */
    static ChainBuilder conflicts(String name, Function<Session, String> body) {
        return exec(http(name)
                .post("/dcb/append")
                .body(StringBody(body))
                .check(status().is(200), substring("\"appendConditionFailed\":true"), substring("\"conflict\":")));
    }

    /** Sends a read that must find at least a number of events. */
    static ChainBuilder reads(String name, int atLeast, Function<Session, String> query, String options) {
        return exec(http(name)
                .get("/dcb/read")
                .queryParam("query", query::apply)
                .queryParam("options", options)
                .check(status().is(200), substring("\"position\":").count().gte(atLeast)));
    }

    /** Sends a projection whose answer must contain a text. */
    static ChainBuilder projects(String name, String expected, Function<Session, String> body) {
        return exec(http(name)
                .post("/dcb/project")
                .body(StringBody(body))
                .check(status().is(200), substring(expected), substring("\"appendCondition\":")));
    }
}
