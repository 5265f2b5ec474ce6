package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Hostile but well-formed input is refused with a reason, or every view handles it. */
@ServiceTest
class HostileInputTest extends HostileInputFixture {
    HostileInputTest(@LocalServerPort int port) {
        super(port);
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\u0000b@x.org", "a\\u2028b@x.org", "\\u200b@x.org", "a\\ud800b@x.org"})
    void an_address_with_control_or_only_invisible_characters_is_refused(String email) {
        api.post("/api/students", "{\"name\": \"Ann\", \"email\": \"%s\"}".formatted(email))
                .expectProblem(422, "invalid-value")
                .expectPointer("/email");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a\\u0000b", "\\u200b\\u3000", "\\ufeff", "\\udc00", "a\\u2029b"})
    void names_and_titles_with_control_or_only_invisible_characters_are_refused(String text) {
        api.post("/api/students", "{\"name\": \"%s\", \"email\": \"ann@example.org\"}".formatted(text))
                .expectProblem(422, "invalid-value")
                .expectPointer("/name");
        api.post("/api/courses", "{\"title\": \"%s\", \"capacity\": 1}".formatted(text))
                .expectProblem(422, "invalid-value")
                .expectPointer("/title");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "0000-06-01T00:00:00Z",
                "+10000-01-01T00:00:00Z",
                "9999-12-31T23:59:59-00:01",
                "9999-12-31T23:59:60Z"
            })
    void an_instant_outside_the_years_1_to_9999_is_refused(String instant) {
        for (String field : List.of("opensAt", "closesAt")) {
            api.post("/api/courses", "{\"title\": \"T\", \"capacity\": 1, \"%s\": \"%s\"}".formatted(field, instant))
                    .expectProblem(422, "invalid-value")
                    .expectPointer("/" + field);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "2026-09-01t00:00:00.0000005-18:01, 2026-09-01T18:01:00Z",
        "0000-12-31T23:59:00-00:01, 0001-01-01T00:00:00Z"
    })
    void every_date_time_of_rfc_3339_is_accepted_in_each_request(String sent, String shown) {
        String course = "{\"id\": \"%s\", \"title\": \"T\", \"capacity\": 1, \"opensAt\": \"%s\"}";
        String defined = Api.newId("instant");
        String commanded = Api.newId("instant");
        String imported = Api.newId("instant");

        api.post("/api/courses", course.formatted(defined, sent)).expect(201);
        api.post(
                        "/api/commands",
                        "{\"type\": \"DefineCourse\", \"data\": %s}".formatted(course.formatted(commanded, sent)))
                .expect(200);
        Answer begun = api.send(
                        "POST",
                        "/api/courses/import",
                        BodyPublishers.ofString(course.formatted(imported, sent)),
                        "Content-Type",
                        "application/x-ndjson")
                .expect(202);
        await().until(() ->
                api.get(begun.header("Location")).json().path("defined").asInt() == 1);

        for (String id : List.of(defined, commanded, imported)) {
            assertThat(api.get("/api/courses/%s?consistency=strong".formatted(id))
                            .expect(200)
                            .json()
                            .path("opensAt")
                            .asString())
                    .isEqualTo(shown);
        }
    }

    @Test
    void an_instant_is_read_back_in_microseconds_from_view_and_store() {
        String id = Api.newId("last-instant");
        String course = """
                {'id': '%s', 'title': 'T', 'capacity': 1, 'enrolled': 0, 'available': 1, 'waiting': 0, 'full': false,
                 'closed': false, 'opensAt': '0001-01-01T00:00:00Z', 'closesAt': '9999-12-31T23:59:59.999999Z'}""".formatted(id);

        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"T\", \"capacity\": 1, \"opensAt\": \"0001-01-01T00:00:00.000000999Z\", \"closesAt\": \"9999-12-31T23:59:59.999999999Z\"}"
                                .formatted(id))
                .expect(201)
                .expectJson(course);

        api.get("/api/courses/" + id).expect(200).expectJson(course);
        api.get("/api/courses/" + id + "?consistency=strong").expect(200).expectJson(course);
    }

    @Tag("thorough")
    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void accepted_text_reaches_every_view_unchanged(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        HostileValues values = new HostileValues(random);
        List<String> courses = new ArrayList<>();
        List<String> students = new ArrayList<>();
        for (int i = 0; i < 80; i++) {
            if (random.nextBoolean()) {
                define(values).ifPresent(courses::add);
            } else {
                register(values).ifPresent(students::add);
            }
            if (!courses.isEmpty() && !students.isEmpty()) {
                String pair = "/api/courses/%s/%%s/%s".formatted(values.oneOf(courses), values.oneOf(students));
                isAccepted(api.put(pair.formatted("students")));
                isAccepted(api.put(pair.formatted("waiting-list")));
                isAccepted(api.delete(pair.formatted("students")));
            }
        }

        assertThat(courses).hasSizeGreaterThan(5);
        assertThat(students).hasSizeGreaterThan(5);
        assertThat(listed("/api/courses?limit=50", "courses"))
                .containsAll(courses)
                .doesNotHaveDuplicates();
        assertThat(listed("/api/students?limit=50", "students"))
                .containsAll(students)
                .doesNotHaveDuplicates();
        awaitAll(api.get("/dcb/head").json().path("head").asLong());
    }

    private Optional<String> define(HostileValues values) {
        String id = Api.newId("hostile");
        String title = values.text();
        @Nullable String opensAt = values.oneOf(List.of(true, false)) ? values.instant() : null;
        @Nullable String closesAt = values.oneOf(List.of(true, false)) ? values.instant() : null;
        String sent = "{\"id\": \"%s\", \"title\": %s, \"capacity\": %s, \"opensAt\": %s, \"closesAt\": %s}"
                .formatted(
                        id,
                        HostileValues.json(title),
                        values.number(),
                        opensAt == null ? null : HostileValues.json(opensAt),
                        closesAt == null ? null : HostileValues.json(closesAt));

        Answer answer = api.post("/api/courses", sent);

        if (!isAccepted(answer)) {
            return Optional.empty();
        }
        assertThat(answer.json().path("title").asString()).as(sent).isEqualTo(title);
        assertThat(instant(answer, "opensAt")).as(sent).isEqualTo(inMicroseconds(opensAt));
        assertThat(instant(answer, "closesAt")).as(sent).isEqualTo(inMicroseconds(closesAt));
        assertThat(api.get("/api/courses/" + id).expect(200).json())
                .as(sent)
                .isEqualTo(answer.json())
                .isEqualTo(api.get("/api/courses/%s?consistency=strong".formatted(id))
                        .expect(200)
                        .json());
        return Optional.of(id);
    }

    private static @Nullable Instant inMicroseconds(@Nullable String sent) {
        return sent == null ? null : OffsetDateTime.parse(sent).toInstant().truncatedTo(ChronoUnit.MICROS);
    }

    private static @Nullable Instant instant(Answer answer, String field) {
        return answer.json().has(field)
                ? Instant.parse(answer.json().path(field).asString())
                : null;
    }

    private Optional<String> register(HostileValues values) {
        String id = Api.newId("hostile");
        String name = values.text();
        String email = values.email(id);
        String sent = "{\"id\": \"%s\", \"name\": %s, \"email\": %s}"
                .formatted(id, HostileValues.json(name), HostileValues.json(email));

        Answer answer = api.post("/api/students", sent);

        if (!isAccepted(answer)) {
            return Optional.empty();
        }
        assertThat(answer.json().path("name").asString()).as(sent).isEqualTo(name);
        assertThat(answer.json().path("email").asString()).as(sent).isEqualTo(email);
        assertThat(api.get("/api/students/" + id).expect(200).json())
                .as(sent)
                .isEqualTo(answer.json())
                .isEqualTo(api.get("/api/students/%s?consistency=strong".formatted(id))
                        .expect(200)
                        .json());
        return Optional.of(id);
    }

    /** Whether the request was accepted. Otherwise it was refused with a reason. */
    private static boolean isAccepted(Answer answer) {
        if (answer.status() < 300) {
            return true;
        }
        assertThat(answer.status()).as(answer.text()).isIn(400, 404, 409, 422);
        answer.expectProblem(answer.status(), answer.json().path("code").asString());
        if (answer.status() == 422) {
            assertThat(answer.json().at("/errors/0/detail").asString())
                    .as(answer.text())
                    .isNotBlank();
        }
        return false;
    }
}
