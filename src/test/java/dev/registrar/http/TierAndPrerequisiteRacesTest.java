package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.RepeatedTest;
import org.springframework.boot.test.web.server.LocalServerPort;
import tools.jackson.databind.JsonNode;

/** Concurrent requests about one student or one course: in any order, the log obeys the rules. */
@ServiceTest
class TierAndPrerequisiteRacesTest {
    private final Api api;

    TierAndPrerequisiteRacesTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    /*
     * A student without a tier enrolls in eight courses and becomes basic at the same time. Any number of enrollments
     * may precede the tier. Each enrollment after the tier must have found fewer than two.
     */
    @RepeatedTest(3)
    void no_enrollment_after_a_lower_tier_exceeds_it() {
        String student = api.student();
        List<String> courses = Stream.generate(() -> api.course(1)).limit(8).toList();
        List<CompletableFuture<Answer>> sent = new ArrayList<>();
        for (String course : courses) {
            if (sent.size() == 3) {
                sent.add(decided("/api/students/%s/tier".formatted(student), "{\"tier\": \"basic\"}"));
            }
            sent.add(decided("/api/courses/%s/students/%s".formatted(course, student), ""));
        }
        List<Answer> answers = sent.stream().map(CompletableFuture::join).toList();

        assertThat(answers).extracting(Answer::status).isSubsetOf(200, 201, 409);
        int enrolled = 0;
        boolean isBasic = false;
        for (JsonNode event : events("student:" + student)) {
            switch (event.path("type").asString()) {
                case "StudentTierChanged" -> isBasic = true;
                case "StudentEnrolledInCourse" -> {
                    assertThat(!isBasic || enrolled < 2).isTrue();
                    enrolled++;
                }
                default -> {}
            }
        }
        assertThat(isBasic).isTrue();
        assertThat(enrolled)
                .isGreaterThanOrEqualTo(2)
                .isEqualTo(answers.stream()
                        .filter(answer -> answer.status() == 201)
                        .count());
    }

    /*
     * Three concurrent changes would make three courses require each other in a cycle. At most two of them are
     * accepted.
     */
    @RepeatedTest(3)
    void changes_that_close_a_cycle_together_are_not_all_accepted() {
        List<String> courses = List.of(api.course(1), api.course(1), api.course(1));
        List<Answer> answers = Stream.of(0, 1, 2)
                .map(i -> decided(
                        "/api/courses/%s/prerequisites".formatted(courses.get(i)),
                        "{\"prerequisites\": [\"%s\"]}".formatted(courses.get((i + 1) % 3))))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers.stream().filter(answer -> answer.status() == 200)).hasSize(2);
        answers.stream()
                .filter(answer -> answer.status() != 200)
                .forEach(answer -> answer.expectProblem(409, "prerequisite-cycle"));
    }

    /* The answer to a PUT, which is sent again as long as the service is too busy to decide. */
    private CompletableFuture<Answer> decided(String path, String body) {
        return api.sending("PUT", path, body)
                .thenCompose(answer ->
                        answer.status() == 503 ? decided(path, body) : CompletableFuture.completedFuture(answer));
    }

    private JsonNode events(String tag) {
        return api.post("/dcb/read", "{\"query\": {\"items\": [{\"tags\": [\"%s\"]}]}}".formatted(tag))
                .expect(200)
                .json();
    }
}
