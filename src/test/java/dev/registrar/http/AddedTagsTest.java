package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.jdbc.core.simple.JdbcClient;
import tools.jackson.databind.JsonNode;

/** Operators add tags to stored events. */
@ServiceTest
class AddedTagsTest {
    private final Api api;
    private final JdbcClient sql;

    private final String course = Api.newId("course");
    private final String term = Api.newId("term");

    AddedTagsTest(@LocalServerPort int port, @Autowired DataSource database) {
        this.api = new Api(port);
        this.sql = JdbcClient.create(database);
    }

    private void appendLecture() {
        api.post("/dcb/append", """
                        {"events": [{"type": "LectureHeld", "tags": ["lecture:%s"], "data": {}}]}""".formatted(course)).expect(200);
    }

    private String body() {
        return """
                {"query": {"items": [{"types": ["LectureHeld"], "tags": ["lecture:%s"]}]},
                 "tags": ["%s"], "reason": "Ticket 17"}""".formatted(course, term);
    }

    private long eventsOfTerm() {
        return api.post("/dcb/read", """
                        {"query": {"items": [{"tags": ["%s"]}]}, "count": true}""".formatted(term))
                .expect(200)
                .json()
                .path("numberOfMatchingEvents")
                .asLong();
    }

    @Test
    void an_operator_adds_tags_and_it_is_recorded() {
        appendLecture();
        appendLecture();

        JsonNode added = api.post("/api/admin/tags", body()).expect(200).json();

        assertThat(added.path("events").asInt()).isEqualTo(2);
        assertThat(eventsOfTerm()).isEqualTo(2);
        assertThat(sql.sql("""
                        select reason || ' ' || events || ' ' || (actor is not null)
                        from registrar.retaggings
                        where position = ?""")
                        .param(added.path("position").asLong())
                        .query(String.class)
                        .single())
                .isEqualTo("Ticket 17 2 true");
        JsonNode again = api.post("/api/admin/tags", body()).expect(200).json();
        assertThat(again.path("events").asInt()).isZero();
        assertThat(again.has("position")).isFalse();
    }

    @Test
    void a_client_that_reads_on_from_an_earlier_basis_is_told_to_begin_again() {
        appendLecture();
        String basis = api.get("/dcb/head").expect(200).header("Registrar-Basis");
        api.post("/api/admin/tags", body()).expect(200);
        String after = """
                {"query": {"items": [{"tags": ["%%s"]}]}, "options": {"after": %s, "basis": "%s"}}""".formatted(basis.substring(0, basis.indexOf('.')), basis);

        api.post("/dcb/read", after.formatted(term)).expectProblem(409, "store-replaced");
        api.post("/dcb/read", after.formatted("lecture:" + course)).expect(200);
    }

    @Test
    void a_request_that_names_no_tag_or_the_reserved_type_is_refused() {
        api.post("/api/admin/tags", """
                        {"query": {}, "tags": [], "reason": "Ticket 17"}""").expectProblem(422, "invalid-value");
        api.post("/api/admin/tags", """
                        {"query": {}, "tags": [null], "reason": "Ticket 17"}""").expectProblem(422, "invalid-value");
        api.post("/dcb/append", """
                        {"events": [{"type": "registrar.TagsAdded", "data": "[]"}]}""").expectProblem(422, "invalid-value");
    }
}
