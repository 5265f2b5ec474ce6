package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Requests whose state holds already, such as those that a proxy sends again: they succeed and store nothing. */
@ServiceTest
class RepeatedRequestsTest {
    private final Api api;
    private final String course = Api.newId("course");
    private String ann = "";
    private String bob = "";

    RepeatedRequestsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    /* Ann has the only seat, Bob waits for it. */
    @BeforeEach
    void populate() {
        ann = api.student();
        bob = api.student();
        api.post("/api/courses", named("{'id': 'COURSE', 'title': 'Latin', 'capacity': 1}"))
                .expect(201);
        api.enroll(ann, course).expect(201);
        api.put(named("/api/courses/COURSE/waiting-list/BOB")).expect(201);
        api.put(named("/api/students/ANN/tier"), named("{'tier': 'basic'}")).expect(200);
    }

    private String named(String text) {
        return text.replace("COURSE", course)
                .replace("ANN", ann)
                .replace("BOB", bob)
                .replace('\'', '"');
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /api/courses/COURSE/students/ANN     | ``                     | /api/courses/COURSE/students/ANN
            /api/courses/COURSE/waiting-list/BOB | ``                     | /api/courses/COURSE/waiting-list/BOB
            /api/courses/COURSE/title            | {'title': 'Latin'}     | /api/courses/COURSE
            /api/courses/COURSE/capacity         | {'capacity': 1}        | /api/courses/COURSE
            /api/courses/COURSE/window           | {'opensAt': null}      | /api/courses/COURSE
            /api/courses/COURSE/prerequisites    | {'prerequisites': []}  | /api/courses/COURSE
            /api/courses/COURSE/times            | {'times': []}          | /api/courses/COURSE
            /api/students/ANN/name               | {'name': 'Ann'}        | /api/students/ANN
            /api/students/ANN/email              | {'email': 'ANN@example.org'} | /api/students/ANN
            /api/students/ANN/tier               | {'tier': 'basic'}      | /api/students/ANN
            """)
    void a_put_is_answered_with_the_resource(String path, String body, String resource) {
        List<Long> before = stored();

        assertThat(held(path, body).json())
                .isEqualTo(api.get(named(resource)).expect(200).json());
        assertThat(stored()).isEqualTo(before);

        if (!path.contains("waiting-list")) { // which ends with the course
            api.post(named("/api/courses/COURSE/close"), "").expect(200);
            assertThat(held(path, body).json())
                    .isEqualTo(api.get(named(resource)).expect(200).json());
        }
    }

    /* The answer has no body while the view is behind, which can take a while on a busy machine. */
    private Answer held(String path, String body) {
        Answer answer = await().until(() -> api.put(named(path), named(body)), put -> put.status() != 204)
                .expect(200);
        assertThat(answer.header("Location")).isEmpty();
        return answer;
    }

    @ParameterizedTest
    @ValueSource(strings = {"/api/courses/COURSE/students/BOB", "/api/courses/COURSE/waiting-list/ANN"})
    void the_deletion_of_what_is_not_there_has_no_content(String path) {
        List<Long> before = stored();

        assertThat(api.delete(named(path)).expect(204).text()).isEmpty();

        assertThat(stored()).isEqualTo(before);
        api.delete(named(path).replace(course, "nowhere")).expectProblem(404, "course-unknown");
        api.delete(named(path).replaceFirst("[^/]*$", "unknown")).expectProblem(404, "student-unknown");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            EnrollStudent       | 'studentId': 'ANN', 'courseId': 'COURSE'
            JoinWaitingList     | 'studentId': 'BOB', 'courseId': 'COURSE'
            ChangeTitle         | 'courseId': 'COURSE', 'title': 'Latin'
            ChangeCapacity      | 'courseId': 'COURSE', 'capacity': 1
            ChangeWindow        | 'courseId': 'COURSE'
            ChangePrerequisites | 'courseId': 'COURSE', 'prerequisites': []
            ChangeTimes         | 'courseId': 'COURSE', 'times': []
            ChangeName          | 'studentId': 'ANN', 'name': 'Ann'
            ChangeEmail         | 'studentId': 'ANN', 'email': 'ANN@example.org'
            ChangeTier          | 'studentId': 'ANN', 'tier': 'basic'
            DropStudent         | 'studentId': 'BOB', 'courseId': 'COURSE'
            LeaveWaitingList    | 'studentId': 'ANN', 'courseId': 'COURSE'
            """)
    void a_command_is_answered_without_events(String type, String data) {
        List<Long> before = stored();

        Answer answer = api.post("/api/commands", named("{'type': '%s', 'data': {%s}}".formatted(type, data)))
                .expect(200);

        assertThat(answer.json().path("events").isEmpty()).isTrue();
        assertThat(answer.json().path("position").asLong()).isEqualTo(answer.position());
        assertThat(stored()).isEqualTo(before);
    }

    @Test
    void of_concurrent_equal_requests_one_is_stored() {
        String student = api.student();
        String free = api.course(1);

        List<Answer> answers = Stream.generate(() -> decided("/api/courses/%s/students/%s".formatted(free, student)))
                .limit(20)
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).extracting(Answer::status).isSubsetOf(200, 201, 204).containsOnlyOnce(201);
        assertThat(stored("student:" + student)).hasSize(2);
    }

    /* Sent again as long as the service is too busy to decide. */
    private CompletableFuture<Answer> decided(String path) {
        return api.sending("PUT", path, "")
                .thenCompose(
                        answer -> answer.status() == 503 ? decided(path) : CompletableFuture.completedFuture(answer));
    }

    /* The positions of all events of the course and the students. */
    private List<Long> stored() {
        return stored("course:" + course, "student:" + ann, "student:" + bob);
    }

    private List<Long> stored(String... tags) {
        String items = Stream.of(tags).map("{\"tags\": [\"%s\"]}"::formatted).collect(Collectors.joining(","));
        return api.post("/dcb/read", "{\"query\": {\"items\": [%s]}}".formatted(items))
                .expect(200)
                .json()
                .valueStream()
                .map(event -> event.path("position").asLong())
                .toList();
    }
}
