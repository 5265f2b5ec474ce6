package dev.registrar.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The entity tag of a look-up is derived from the position of the last event of its answer, and from its content. */
@ServiceTest
class EntityTagsTest {
    private final Api api;
    private String course = "";
    private String student = "";

    EntityTagsTest(@LocalServerPort int port) {
        this.api = new Api(port);
    }

    @BeforeEach
    void enroll() {
        course = api.course(5);
        student = api.student();
        api.enroll(student, course).expect(201);
    }

    @Test
    void an_unchanged_response_is_not_sent_again() {
        for (String template : List.of(
                "/api/courses/{course}",
                "/api/courses/{course}?consistency=strong",
                "/api/courses/{course}/students",
                "/api/courses/{course}/students?consistency=strong",
                "/api/courses/{course}/students/{student}",
                "/api/courses/{course}/students/{student}?consistency=strong",
                "/api/students",
                "/api/students/{student}",
                "/api/students/{student}?consistency=strong",
                "/api/students/{student}/courses",
                "/api/students/{student}/courses?consistency=strong")) {
            String path = path(template);
            Answer found = api.get(path).expect(200);
            String tag = found.header("ETag");
            assertThat(tag).matches("\"[0-9a-f-]+\"").isNotEqualTo("\"0\"");

            for (String known : new String[] {tag, "W/" + tag, "\"0\", " + tag}) {
                Answer unchanged = api.get(path, "If-None-Match", known).expect(304);
                assertThat(unchanged.text()).isEmpty();
                assertThat(unchanged.header("ETag")).isEqualTo(tag);
            }
            api.get(path, "If-None-Match", "\"0\"").expect(200);
        }
    }

    @Test
    void a_relevant_write_changes_the_tag() {
        for (String template : List.of(
                "/api/courses/{course}",
                "/api/courses/{course}?consistency=strong",
                "/api/courses/{course}/students/{student}",
                "/api/courses/{course}/students/{student}?consistency=strong")) {
            String path = path(template);
            String before = api.get(path).header("ETag");
            api.delete("/api/courses/%s/students/%s".formatted(course, student)).expect(204);
            long position = api.enroll(student, course).expect(201).position();

            Answer after = api.get(path, "If-None-Match", before).expect(200);

            assertThat(after.header("ETag")).startsWith("\"%s-".formatted(position));
        }
    }

    @Test
    void a_list_that_has_changed_is_sent_again() {
        for (String template : List.of(
                "/api/courses/{course}/students",
                "/api/courses/{course}/students?consistency=strong",
                "/api/students/{student}/courses",
                "/api/students/{student}/courses?consistency=strong")) {
            String path = path(template);
            String before = api.get(path).header("ETag");

            api.delete("/api/courses/%s/students/%s".formatted(course, student)).expect(204);

            assertThat(api.get(path, "If-None-Match", before).expect(200).header("ETag"))
                    .isNotEqualTo(before);
            api.enroll(student, course).expect(201);
        }
    }

    @Test
    void an_unrelated_write_keeps_the_tag() {
        for (String template : List.of(
                "/api/courses/{course}",
                "/api/courses/{course}/students?consistency=strong",
                "/api/students/{student}/courses")) {
            String path = path(template);
            String before = api.get(path).header("ETag");

            api.enroll(api.student(), api.course(1)).expect(201);

            api.get(path, "If-None-Match", before).expect(304);
        }
    }

    private String path(String template) {
        return template.replace("{course}", course).replace("{student}", student);
    }
}
