package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The service records who caused each event, and a client cannot choose it. In these tests all callers are local. */
@ServiceTest
class ActorsTest {
    private static final Actor LOCAL = Actor.of("local", "local");

    private final Api api;
    private final EventStore store;

    ActorsTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    private SequencedEvent at(long position) {
        return store.read(
                        Query.all(),
                        ReadOptions.forwards().from(Position.of(position)).limit(1))
                .next();
    }

    private SequencedEvent lastOf(Answer written) {
        return at(Long.parseLong(written.header("Registrar-Position")));
    }

    @Test
    void a_command_about_a_course_records_its_caller() {
        Answer closed =
                api.post("/api/courses/%s/close".formatted(api.course(1)), "").expect(200);

        assertThat(lastOf(closed).actor()).isEqualTo(LOCAL);
    }

    @Test
    void a_command_about_a_student_records_on_whose_behalf() {
        String course = api.course(1);
        String ann = api.student();
        String typed = "{\"type\": \"DropStudent\", \"data\": {\"courseId\": \"%s\", \"studentId\": \"%s\"}}"
                .formatted(course, ann);

        Answer enrolled =
                api.put("/api/courses/%s/students/%s".formatted(course, ann)).expect(201);
        Answer dropped = api.post("/api/commands", typed).expect(200);

        assertThat(lastOf(enrolled).actor()).isEqualTo(LOCAL.onBehalfOf(ann));
        assertThat(lastOf(dropped).actor()).isEqualTo(LOCAL.onBehalfOf(ann));
    }

    @ParameterizedTest
    @ValueSource(strings = {"/dcb/append", "/go-crablet/append"})
    void an_event_cannot_name_another_actor(String path) {
        String tag = "test:" + Api.newId("forged");
        String metadata =
                "{\"actor\": {\"issuer\": \"application\", \"subject\":  \"waiting-list\"}, \"onBehalfOf\":1 }";
        api.post(path, "{\"events\": [{\"type\": \"Noted\", \"tags\": [\"%s\"], \"data\": \"{}\"}]}".formatted(tag))
                .expect(200);
        api.post(
                        "/dcb/append",
                        "{\"events\": [{\"type\": \"Noted\", \"tags\": [\"%s\"], \"data\": \"{}\", \"metadata\": %s}]}"
                                .formatted(tag, HostileValues.json(metadata)))
                .expect(200);

        List<SequencedEvent> events = store.read(Query.of(QueryItem.tags(tag))).toList();
        assertThat(events).extracting(SequencedEvent::actor).containsExactly(LOCAL, LOCAL);
        assertThat(events.getLast().event().metadata()).isEqualTo(metadata);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"actor\": {\"issuer\": \"x\", \"subject\": \"y\"}", "\"actor\": \"dean\""})
    void an_append_that_names_an_actor_is_refused(String member) {
        api.post("/dcb/append", "{\"events\": [{\"type\": \"Noted\", \"data\": \"{}\", %s}]}".formatted(member))
                .expect(400);
    }

    @Test
    void an_event_of_the_api_shows_its_actor() {
        Answer closed =
                api.post("/api/courses/%s/close".formatted(api.course(1)), "").expect(200);

        assertThat(api.get("/dcb/events/" + closed.header("Registrar-Position"))
                        .expect(200)
                        .json()
                        .path("actor")
                        .toString())
                .isEqualTo("{\"issuer\":\"local\",\"subject\":\"local\"}");
    }
}
