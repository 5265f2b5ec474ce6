package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;

/** A service whose views and automations must all run after each test. */
abstract class HostileInputFixture {
    static final Pattern NEXT = Pattern.compile("<([^>]+)>; rel=\"next\"");
    final Api api;

    HostileInputFixture(int port) {
        this.api = new Api(port);
    }

    @AfterEach
    void every_view_and_automation_still_runs() {
        List<String> states = new ArrayList<>();
        api.get("/api/admin/projections")
                .expect(200)
                .json()
                .path("projections")
                .forEach(each -> states.add(each.path("state").asString()));
        assertThat(states).hasSize(6).containsOnly("running");
    }

    List<String> listed(String path, String list) {
        List<String> ids = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            Answer page = api.get(next).expect(200);
            page.json().path(list).forEach(entry -> ids.add(entry.path("id").asString()));
            Matcher link = NEXT.matcher(page.header("Link"));
            next = link.find() ? link.group(1) : "";
        }
        return ids;
    }

    void awaitAll(long position) {
        await().untilAsserted(() -> api.get("/api/admin/projections")
                .json()
                .path("projections")
                .forEach(each -> assertThat(each.path("lagEvents").asLong() == 0
                                || each.path("position").asLong() >= position)
                        .as(each.toString())
                        .isTrue()));
    }

    long skipped(String projection) {
        return api.get("/api/admin/projections/" + projection)
                .expect(200)
                .json()
                .path("skipped")
                .asLong();
    }

    long append(String... events) {
        return api.post("/dcb/append", "{\"events\": [%s]}".formatted(String.join(",", events)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    static String event(String type, String data, String... tags) {
        return "{\"type\": \"%s\", \"data\": %s, \"tags\": [%s]}"
                .formatted(type, data, Stream.of(tags).map(HostileValues::json).collect(Collectors.joining(",")));
    }
}
