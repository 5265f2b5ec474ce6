package dev.registrar.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.eventstore.postgres.StoreDatabase;
import java.net.URLEncoder;
import java.util.UUID;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.JdbcTemplate;
import tools.jackson.databind.JsonNode;

/**
 * The answers to clients after the last events were replaced by others at the same positions under the same
 * incarnation, as after a failover that lost commits.
 */
@ServiceTest
class ReplacedHistoryTest {
    private static final UUID UNKNOWN_EVENT = UUID.fromString("00000000-0000-7000-8000-000000000001");

    private final int port;
    private final Api api;
    private final JdbcTemplate database;
    private final String tag = "test:" + Api.newId("history");

    ReplacedHistoryTest(@LocalServerPort int port, @Autowired DataSource connections) {
        this.port = port;
        this.api = new Api(port);
        this.database = new JdbcTemplate(connections);
    }

    private long note() {
        return api.post("/dcb/append", json("{'events': {'type': 'Noted', 'tags': ['%s'], 'data': {}}}".formatted(tag)))
                .expect(200)
                .json()
                .path("position")
                .asLong();
    }

    private void replaceAfter(long position) {
        database.execute(StoreDatabase.replacement(position, "Latin", "Greek"));
    }

    private static String json(String quoted) {
        return quoted.replace('\'', '"');
    }

    private String query() {
        return json("{'items': [{'tags': ['%s']}]}".formatted(tag));
    }

    private Answer read(String options) {
        return api.get("/dcb/read?query=%s&options=%s"
                .formatted(URLEncoder.encode(query(), UTF_8), URLEncoder.encode(json(options), UTF_8)));
    }

    private Answer append(long after, String basis) {
        return api.post("/dcb/append", json("""
                {'events': {'type': 'Noted', 'tags': ['%s'], 'data': {}},
                 'condition': {'failIfEventsMatch': {'items': [{'tags': ['%s']}]}, 'after': %s %s}}""".formatted(
                        tag, tag, after, basis.isEmpty() ? "" : ", 'basis': '%s'".formatted(basis))));
    }

    private static String basis(Answer answer) {
        return answer.expect(200).header("Registrar-Basis");
    }

    @Test
    void an_append_on_a_replaced_basis_is_refused() {
        note();
        long second = note();
        note();
        note();
        long fifth = note();
        String basis = basis(read("{}"));

        replaceAfter(second);

        append(fifth, basis).expectProblem(409, "store-replaced");
        assertThat(read("{}").json().size()).isEqualTo(5);
        // A position alone cannot show that the events up to it were replaced.
        assertThat(append(fifth, "")
                        .expect(200)
                        .json()
                        .path("appendConditionFailed")
                        .asBoolean())
                .isFalse();
    }

    @Test
    void the_condition_of_a_projection_on_a_replaced_history_is_refused() {
        long first = note();
        note();
        String projectors = "'projectors': [{'id': 'n', 'kind': 'count', 'query': %s}]".formatted(query());
        JsonNode projected = api.post("/dcb/project", json("{%s}".formatted(projectors)))
                .expect(200)
                .json();
        JsonNode condition = projected.path("appendCondition");
        String decided = "{\"events\": {\"type\": \"Noted\", \"tags\": [\"%s\"], \"data\": {}}, \"condition\": %s}"
                .formatted(tag, condition);
        String basis = condition.path("basis").asString();
        assertThat(basis).startsWith(condition.path("after").asLong() + ".");

        replaceAfter(first);

        api.post("/dcb/append", decided).expectProblem(409, "store-replaced");
        api.post("/dcb/project", json("{%s, 'after': %s, 'basis': '%s'}".formatted(projectors, first, basis)))
                .expectProblem(409, "store-replaced");
    }

    @Test
    void every_read_on_a_replaced_basis_is_refused() {
        long first = note();
        String sound = basis(read("{}"));
        long second = note();
        String basis = basis(read("{}"));
        assertThat(basis(api.get("/dcb/head"))).matches("[0-9]+([.][0-9a-f-]{36}){2}");

        replaceAfter(first);

        for (String options : new String[] {
            "{'after': %s, 'basis': '%s'}".formatted(second, basis),
            "{'basis': '%s'}".formatted(basis),
            "{'backwards': true, 'basis': '%s', 'limit': 1}".formatted(basis)
        }) {
            read(options).expectProblem(409, "store-replaced");
            api.get("/dcb/read?options=" + URLEncoder.encode(json(options), UTF_8), "Accept", "application/x-ndjson")
                    .expectProblem(409, "store-replaced");
            for (boolean count : new boolean[] {false, true}) {
                api.post(
                                "/dcb/read",
                                json("{'query': %s, 'options': %s, 'count': %s}".formatted(query(), options, count)))
                        .expectProblem(409, "store-replaced");
            }
        }
        Answer onwards =
                read("{'after': %s, 'basis': '%s'}".formatted(first, sound)).expect(200);
        assertThat(onwards.json().size()).isOne();
        assertThat(onwards.json().get(0).path("position").asLong()).isEqualTo(second);
        assertThat(basis(onwards)).isNotEqualTo(basis);
    }

    @ParameterizedTest
    @CsvSource({
        "12,false",
        "1000000000000000000.00000000-0000-7000-8000-000000000001.00000000-0000-7000-8000-000000000001,false",
        "0.00000000-0000-7000-8000-000000000001,true",
        "999999999999999999.00000000-0000-7000-8000-000000000001.00000000-0000-7000-8000-000000000001,true"
    })
    void a_malformed_basis_and_that_of_another_store_are_refused(String basis, boolean wellFormed) {
        Answer read = read("{'basis': '%s'}".formatted(basis));
        Answer append = api.post("/dcb/append", json("""
                {'events': {'type': 'Noted', 'tags': ['%s'], 'data': {}},
                 'condition': {'failIfEventsMatch': %s, 'basis': '%s'}}""".formatted(tag, query(), basis)));
        Answer project = api.post("/dcb/project", json("""
                {'projectors': [{'id': 'n', 'kind': 'count', 'query': %s}], 'basis': '%s'}""".formatted(query(), basis)));

        if (wellFormed) {
            read.expectProblem(409, "store-replaced");
            append.expectProblem(409, "store-replaced");
            project.expectProblem(409, "store-replaced");
        } else {
            read.expectProblem(422, "invalid-value").expectPointer("/options/basis");
            append.expectProblem(422, "invalid-value").expectPointer("/condition/basis");
            project.expectProblem(422, "invalid-value").expectPointer("/basis");
        }
    }

    @Test
    void after_a_replacement_a_stream_ends_and_its_last_id_is_refused() {
        long first = note();
        long second = note();
        String path = "/dcb/events?query=" + URLEncoder.encode(query(), UTF_8);
        String id;
        try (LiveClient client = LiveClient.get(port, path, "Accept", "text/event-stream")) {
            client.awaitLines(6);
            id = client.dataLines().get(3).substring("id: ".length());
            assertThat(id).startsWith(second + ".");

            replaceAfter(first);

            client.awaitEnd();
            assertThat(client.lines()).contains(": ended: store replaced");
        }

        api.get(path, "Last-Event-ID", id).expectProblem(409, "store-replaced");
        try (LiveClient again = LiveClient.get(port, path, "Last-Event-ID", Long.toString(first))) {
            assertThat(again.awaitLines(3).dataLines().getFirst()).startsWith("id: %s.".formatted(second));
        }
    }

    @Test
    void an_id_beyond_the_last_event_is_refused() {
        String incarnation = basis(api.get("/dcb/head")).split("\\.", -1)[1];

        api.get("/dcb/events", "Last-Event-ID", "1000000000.%s.%s".formatted(incarnation, UNKNOWN_EVENT))
                .expectProblem(409, "store-replaced");
        api.get("/dcb/events", "Last-Event-ID", "1000000000")
                .expectProblem(422, "invalid-value")
                .expectPointer("/Last-Event-ID");
        api.get("/dcb/events", "Last-Event-ID", "1.x").expectProblem(422, "invalid-value");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?consistency=strong"})
    void an_entity_tag_of_a_replaced_history_no_longer_matches(String consistency) {
        String id = Api.newId("course");
        long defined = api.post("/api/courses", json("{'id': '%s', 'title': 'Latin', 'capacity': 1}".formatted(id)))
                .expect(201)
                .position();
        String path = "/api/courses/" + id + consistency;
        Answer before = api.get(path).expect(200);
        api.get(path, "If-None-Match", before.header("ETag")).expect(304);

        replaceAfter(defined - 1);

        Answer after = api.get(path, "If-None-Match", before.header("ETag")).expect(200);
        assertThat(after.json().path("title").asString()).isEqualTo("Greek");
        assertThat(after.header("ETag")).isNotEqualTo(before.header("ETag"));
    }
}
