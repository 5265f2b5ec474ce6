package dev.registrar.security;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Each event records the caller whose token caused it, and nothing that the caller sends besides. */
@ServiceWithIssuerTest
class RecordedActorsTest {
    private static final String[] OFFICE = TestIssuer.person("f3c1", Role.COURSE_OFFICE);

    private final Api api;
    private final EventStore store;
    private final String course = Api.newId("course");
    private final String ann = Api.newId("ann");
    private final String bob = Api.newId("bob");

    RecordedActorsTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.api = new Api(port);
        this.store = store;
    }

    @BeforeEach
    void defineCourseAndStudents() {
        api.post("/api/courses", json("{'id': '%s', 'title': 'Maths', 'capacity': 1}".formatted(course)), OFFICE)
                .expect(201);
        for (String student : List.of(ann, bob)) {
            api.post(
                            "/api/students",
                            json("{'id': '%s', 'name': 'N', 'email': '%<s@example.org'}".formatted(student)),
                            OFFICE)
                    .expect(201);
        }
    }

    private static String json(String text) {
        return text.replace('\'', '"');
    }

    private Answer enroll(String student, String... authorization) {
        return api.put("/api/courses/%s/students/%s".formatted(course, student), "", authorization);
    }

    private @Nullable Actor actorOf(String type, String tag) {
        return store.last(Query.of(QueryItem.types(type).tagged(tag)))
                .map(SequencedEvent::actor)
                .orElseThrow();
    }

    @Test
    void the_course_office_acts_on_behalf_of_the_student() {
        enroll(ann, OFFICE).expect(201);

        Actor clerk = Actor.of(TestIssuer.URL, "f3c1");
        assertThat(actorOf("CourseDefined", "course:" + course)).isEqualTo(clerk);
        assertThat(actorOf("StudentRegistered", "student:" + ann)).isEqualTo(clerk.onBehalfOf(ann));
        assertThat(actorOf("StudentEnrolledInCourse", "student:" + ann)).isEqualTo(clerk.onBehalfOf(ann));
    }

    @Test
    void a_promotion_names_the_automation_and_not_the_caller_who_freed_the_seat() {
        enroll(ann, TestIssuer.student(ann)).expect(201);
        assertThat(actorOf("StudentEnrolledInCourse", "student:" + ann)).isEqualTo(Actor.of(TestIssuer.URL, ann));
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, bob), "", TestIssuer.student(bob))
                .expect(201);

        api.delete("/api/courses/%s/students/%s".formatted(course, ann), TestIssuer.student(ann))
                .expect(204);

        await().until(() ->
                store.exists(Query.of(QueryItem.types("StudentEnrolledInCourse").tagged("student:" + bob))));
        assertThat(actorOf("StudentEnrolledInCourse", "student:" + bob)).isEqualTo(Actor.ofApplication("waiting-list"));
    }

    @Test
    void an_import_names_the_caller_who_began_it() {
        String latin = Api.newId("latin");
        api.post(
                        "/api/courses/import",
                        json("{'id': '%s', 'title': 'Latin', 'capacity': 7}".formatted(latin)),
                        "Content-Type",
                        "application/x-ndjson",
                        OFFICE[0],
                        OFFICE[1])
                .expect(202);

        await().until(() -> store.exists(Query.of(QueryItem.tags("course:" + latin))));
        assertThat(actorOf("CourseDefined", "course:" + latin)).isEqualTo(Actor.of(TestIssuer.URL, "f3c1"));
    }

    @Test
    void a_machine_client_cannot_choose_its_actor() {
        String tag = Api.newId("forged");
        String metadata = "{'actor': {'issuer': 'application'},  'issuer':'x', 'subject':'waiting-list', 'client':1}";
        api.post(
                        "/dcb/append",
                        json("{'events': [{'type': 'Noted', 'tags': ['%s'], 'data': 1, 'metadata': %s}]}"
                                .formatted(tag, metadata)),
                        TestIssuer.machine(Scope.APPEND))
                .expect(200);

        SequencedEvent stored = store.last(Query.of(QueryItem.tags(tag))).orElseThrow();
        assertThat(stored.actor()).isEqualTo(new Actor(TestIssuer.URL, "machine", "machine", null));
        assertThat(stored.event().metadata()).isEqualTo(json(metadata));
    }

    @Test
    void a_subject_with_any_characters_is_recorded_as_it_is() {
        String subject = "'; drop table registrar.events; --\",\"issuer\":\"application\\\u202e\ud83c\udf93\u0001\n";
        enroll(ann, TestIssuer.person(subject, Role.COURSE_OFFICE)).expect(201);

        assertThat(actorOf("StudentEnrolledInCourse", "student:" + ann))
                .isEqualTo(Actor.of(TestIssuer.URL, subject).onBehalfOf(ann));
    }

    @Test
    void a_subject_has_at_most_255_characters() {
        enroll(ann, TestIssuer.person("s".repeat(256), Role.COURSE_OFFICE)).expect(401);
        enroll(ann, TestIssuer.person("s".repeat(255), Role.COURSE_OFFICE)).expect(201);

        assertThat(actorOf("StudentEnrolledInCourse", "student:" + ann))
                .isEqualTo(Actor.of(TestIssuer.URL, "s".repeat(255)).onBehalfOf(ann));
    }
}
