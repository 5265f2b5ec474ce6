package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/**
 * A character of a limit is a code point, as in the schema of the API: the longest types and tags may consist of emoji.
 */
@ServiceTest
class LongTextsTest {
    /** One code point that is two characters of a Java string. */
    private static final String EMOJI = "\ud83c\udf93";

    private static final String LONGEST = EMOJI.repeat(255);

    private final Api api;
    private final ConsoleClient client;
    private final String room = Api.newId("room");

    LongTextsTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.client = new ConsoleClient(port);
    }

    private Answer append(String type, String tag) {
        return api.post(
                "/dcb/append",
                "{\"events\": [{\"type\": \"%s\", \"tags\": [\"%s\", \"%s\"], \"data\": {}}]}"
                        .formatted(type, tag, room));
    }

    private Answer read(String type, String tag) {
        return api.post(
                "/dcb/read",
                "{\"query\": {\"items\": [{\"types\": [\"%s\"], \"tags\": [\"%s\", \"%s\"]}]}}"
                        .formatted(type, tag, room));
    }

    @Test
    void the_schema_has_the_limit_that_the_store_checks() {
        JsonNode event = api.get("/v3/api-docs").expect(200).json().at("/components/schemas/DcbNewEvent/properties");

        assertThat(event.at("/type/maxLength").asInt()).isEqualTo(LONGEST.codePointCount(0, LONGEST.length()));
        assertThat(event.at("/tags/items/maxLength").asInt()).isEqualTo(LONGEST.codePointCount(0, LONGEST.length()));
    }

    @Test
    void a_type_and_a_tag_of_255_emoji_are_stored_read_and_shown() {
        append(LONGEST, LONGEST).expect(200);

        assertThat(read(LONGEST, LONGEST).expect(200).json())
                .singleElement()
                .satisfies(event -> assertThat(event.path("type").asString()).isEqualTo(LONGEST));
        Page list = client.open("/console/events?" + ConsoleClient.form("type0", LONGEST, "tag0", room))
                .expect(200);
        assertThat(list.text()).contains("1 event on this page");
        assertThat(client.open("/console/events?" + ConsoleClient.form("tag0", LONGEST, "tag0", room))
                        .expect(200)
                        .text())
                .contains("1 event on this page");
        assertThat(client.open("/console/lab?" + ConsoleClient.form("type0", LONGEST, "tag0", room, "after", "0"))
                        .expect(200)
                        .text())
                .contains("Refused: 1 event after position 0 matches");
    }

    @Test
    void one_character_more_is_refused_with_its_number() {
        assertThat(append(LONGEST + "x", room).expect(422).text()).contains("at most 255 characters but has 256");
        assertThat(append("Type", "x" + LONGEST).expect(422).text()).contains("at most 255 characters but has 256");
        assertThat(read(LONGEST + EMOJI, room).expect(422).text()).contains("at most 255 characters but has 256");

        Page page = client.open("/console/events?" + ConsoleClient.form("type0", LONGEST + "x", "tag0", room));

        assertThat(page.status()).isEqualTo(422);
        assertThat(page.text()).contains("Not searched.", "at most 255 characters");
    }

    @Test
    void an_id_of_a_client_of_go_crablet_may_have_255_emoji() {
        String body = "{\"events\": [{\"id\": \"%s\", \"type\": \"Any\", \"tags\": [\"room:%s\"], \"data\": \"{}\"}]}";

        api.post("/go-crablet/append", body.formatted(LONGEST, room)).expect(200);
        assertThat(api.post("/go-crablet/append", body.formatted(LONGEST + "x", room))
                        .expect(422)
                        .text())
                .contains("has 256 characters (limit 255)");
    }
}
