package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import java.io.ByteArrayInputStream;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Imports of courses over HTTP: started, monitored to their end, and refused. */
@ServiceTest
class ImportsTest {
    private static final String PATH = "/api/courses/import";
    private static final String CSV = "text/csv";
    private static final String NDJSON = "application/x-ndjson";
    private static final String KEY = "Idempotency-Key";
    private static final String CORRELATION = "X-Correlation-Id";
    private static final String HEADER = "id,title,capacity\n";
    private static final int USUAL_LIMIT = 64 * 1024;
    private static final int FILE_LIMIT = 4 * 1024 * 1024;

    private final Api api;
    private final EventStore store;

    ImportsTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    @Test
    void the_courses_of_a_csv_file_are_defined() {
        String maths = Api.newId("maths");
        String music = Api.newId("music");

        Answer begun = begin(
                CSV,
                "capacity,id,title,opensAt\n30,%s,\"Sets, and more\",\n5,%s,Music,2026-09-01T08:00:00Z\n"
                        .formatted(maths, music));

        JsonNode progress = ended(begun);
        String id = progress.path("id").asString();
        assertThat(begun.header("Location")).isEqualTo("/api/imports/" + id);
        assertThat(progress.toString())
                .isEqualTo(("{'id':'%s','state':'FINISHED','courses':2,'defined':2,'repeated':0,'position':%s,"
                                + "'errorCount':0,'errors':[]}")
                        .formatted(id, positionOfLast(maths, music))
                        .replace('\'', '"'));
        String after = progress.path("position").asString();
        JsonNode found = api.get("/api/courses/" + maths, "Registrar-After", after)
                .expect(200)
                .json();
        assertThat(found.path("title").asString()).isEqualTo("Sets, and more");
        assertThat(found.path("capacity").asInt()).isEqualTo(30);
        assertThat(api.get("/api/courses/" + music, "Registrar-After", after)
                        .expect(200)
                        .json()
                        .path("opensAt")
                        .asString())
                .isEqualTo("2026-09-01T08:00:00Z");
    }

    private long positionOfLast(String... courses) {
        return Stream.of(courses)
                .mapToLong(course -> store.last(Query.of(QueryItem.tags("course:" + course)))
                        .orElseThrow()
                        .position()
                        .value())
                .max()
                .orElseThrow();
    }

    @Test
    void the_courses_of_an_ndjson_file_are_defined() {
        String correlation = Api.newId("correlation");
        String latin = Api.newId("latin");

        JsonNode progress = ended(begin(
                NDJSON + ";charset=utf-8",
                "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 7}\n".formatted(latin),
                CORRELATION,
                correlation));

        assertThat(progress.path("state").asString()).isEqualTo("FINISHED");
        assertThat(api.get(
                                "/api/courses/" + latin,
                                "Registrar-After",
                                progress.path("position").asString())
                        .expect(200)
                        .json()
                        .path("capacity")
                        .asInt())
                .isEqualTo(7);
        assertThat(store.read(Query.of(QueryItem.tags("course:" + latin))).toList())
                .singleElement()
                .satisfies(event -> assertThat(event.event().metadata()).contains(correlation));
    }

    @Test
    void a_guessed_encoding_is_noted_in_the_report() {
        String music = Api.newId("music");
        byte[] file = "sep=;\r\nCourse Id;Title;Capacity\r\n%s;Übung;30\r\n"
                .formatted(music)
                .getBytes(Charset.forName("windows-1252"));

        JsonNode progress = ended(
                api.send("POST", PATH, BodyPublishers.ofByteArray(file), "Content-Type", "application/vnd.ms-excel")
                        .expect(202));

        assertThat(progress.path("note").asString()).contains("was read as Windows-1252");
        assertThat(api.get(
                                "/api/courses/" + music,
                                "Registrar-After",
                                progress.path("position").asString())
                        .expect(200)
                        .json()
                        .path("title")
                        .asString())
                .isEqualTo("Übung");
    }

    @Test
    void an_invalid_file_defines_nothing_and_its_errors_have_lines() {
        String maths = Api.newId("maths");
        String taken = api.course(1);

        JsonNode wrong = ended(begin(CSV, HEADER + "%s,Mathematics,30\nlatin,,many\n".formatted(maths)));
        JsonNode refused = ended(begin(CSV, HEADER + "%s,Mathematics,30\n%s,Music,5\n".formatted(maths, taken)));

        assertThat(wrong.path("state").asString()).isEqualTo("REFUSED");
        assertThat(wrong.path("errorCount").asInt()).isEqualTo(2);
        assertThat(wrong.path("errors").toString())
                .isEqualTo("[{'line':3,'field':'title','detail':'is missing'},"
                        .concat("{'line':3,'field':'capacity','detail':'is not a number of seats: ~many~'}]")
                        .replace('\'', '"')
                        .replace('~', '\''));
        assertThat(refused.path("state").asString()).isEqualTo("REFUSED");
        assertThat(refused.path("errors").toString())
                .isEqualTo("[{\"line\":3,\"field\":\"id\",\"detail\":\"course-id-taken: '%s'\"}]".formatted(taken));
        api.get("/api/courses/" + maths).expectProblem(404, "course-unknown");
    }

    @Test
    void a_file_sent_again_under_its_key_is_the_same_import() {
        String key = Api.newId("key");
        String file = HEADER + "%s,Mathematics,30\n".formatted(Api.newId("maths"));
        Answer first = begin(CSV, file, KEY, key);

        Answer again = begin(CSV, file, KEY, key);
        ended(first);
        Answer afterwards = begin(CSV, file, KEY, key);
        Answer other = begin(CSV, file, KEY, Api.newId("key"));

        assertThat(again.header("Location")).isEqualTo(first.header("Location"));
        assertThat(afterwards.header("Location")).isEqualTo(first.header("Location"));
        assertThat(other.header("Location")).isNotEqualTo(first.header("Location"));
        assertThat(ended(other).path("state").asString()).isEqualTo("REFUSED");
    }

    @Test
    void a_request_that_begins_no_import_is_refused() {
        String key = Api.newId("key");
        begin(CSV, HEADER + "%s,Mathematics,30\n".formatted(Api.newId("maths")), KEY, key);

        BodyPublisher other = BodyPublishers.ofString(HEADER + "latin,Latin,5\n");
        api.send("POST", PATH, other, "Content-Type", CSV, KEY, key).expectProblem(422, "idempotency-key-reused");
        api.send("POST", PATH, other, "Content-Type", CSV, KEY, "two words")
                .expectProblem(400, "idempotency-key-malformed");
        api.send("POST", PATH, other, "Content-Type", "application/json").expectProblem(415, "unsupported-media-type");
        api.send("POST", PATH, other).expectProblem(415, "unsupported-media-type");
        byte[] large = "x".repeat(FILE_LIMIT + 1).getBytes(StandardCharsets.UTF_8);
        api.send("POST", PATH, BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(large)), "Content-Type", CSV)
                .expectProblem(413, "body-too-large");
        api.get("/api/imports/" + UUID.randomUUID()).expectProblem(404, "import-unknown");
        api.get(PATH).expectProblem(404, "course-unknown");
    }

    @Test
    void a_file_may_be_larger_than_other_bodies() {
        String maths = Api.newId("maths");
        String file = HEADER + "%s,Mathematics,30\n".formatted(maths);
        String large = file + "\n".repeat(FILE_LIMIT - file.length());

        api.post("/api/courses", "x".repeat(USUAL_LIMIT + 1)).expectProblem(413, "body-too-large");
        JsonNode progress = ended(begin(CSV, large));
        assertThat(progress.path("state").asString()).isEqualTo("FINISHED");
        api.get(
                        "/api/courses/" + maths,
                        "Registrar-After",
                        progress.path("position").asString())
                .expect(200);
    }

    private Answer begin(String type, String file, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Content-Type";
        all[headers.length + 1] = type;
        return api.send("POST", PATH, BodyPublishers.ofString(file), all).expect(202);
    }

    private JsonNode ended(Answer begun) {
        JsonNode progress = await().until(
                        () -> api.get(begun.header("Location")).expect(200).json(),
                        each -> each.path("state").asString().matches("REFUSED|FINISHED|STOPPED"));
        // The views follow the imported events.
        String head = Long.toString(store.head().position().value());
        await().until(() -> api.get("/api/courses", "Registrar-After", head).status() == 200);
        return progress;
    }
}
