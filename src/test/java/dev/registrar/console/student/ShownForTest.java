package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.console.Visitors;
import dev.registrar.enrollment.StudentId;
import dev.registrar.http.ServiceTest;
import dev.registrar.security.Role;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** A page that was made for one student, while the person has become another one in another tab. */
@ServiceTest
class ShownForTest extends StudentPagesFixture {
    private final int port;

    ShownForTest(@LocalServerPort int port) {
        super(port);
        this.port = port;
    }

    @Test
    void a_form_of_another_students_page_changes_nothing() {
        String course = course("Astronomy", 3);
        String ann = newStudent();
        Page old = open("/console/courses/" + course);
        String bob = newStudent();

        Page answer =
                client.submit(old, "/console/courses/%s/enroll".formatted(course), "shownFor", ann, "page", "course");

        assertThat(old.html()).contains("name=\"shownFor\" value=\"%s\"".formatted(ann));
        assertThat(answer.text())
                .contains(
                        "This page was for the student %s, but you are %s now. Nothing was changed."
                                .formatted(ann, bob),
                        "0 of 3 seats taken");
        assertThat(answer.html()).contains("name=\"shownFor\" value=\"%s\"".formatted(bob));
        for (String student : new String[] {ann, bob}) {
            api.get("/api/courses/%s/students/%s?consistency=strong".formatted(course, student))
                    .expect(404);
        }
    }

    @Test
    void a_form_that_names_no_student_changes_nothing() {
        String course = course("Astronomy", 3);
        String ann = newStudent();

        for (String button : new String[] {"enroll", "wait", "leave", "drop"}) {
            Page answer = client.submit(
                    open("/console/courses/" + course),
                    "/console/courses/%s/%s".formatted(course, button),
                    "page",
                    "course");
            assertThat(answer.text()).contains("does not say for which student", "0 of 3 seats taken");
        }
        api.get("/api/courses/%s/students/%s?consistency=strong".formatted(course, ann))
                .expect(404);
    }

    @Test
    void a_part_for_another_student_is_not_sent() throws Exception {
        String course = course("Biology", 3);
        String ann = newStudent();

        assertThat(open("/console/my").html())
                .contains("{&quot;%s&quot;: &quot;%s&quot;}".formatted(ShownFor.HEADER, ann));
        for (String path : new String[] {"/console/my", "/console/courses", "/console/courses/" + course}) {
            open(path).expect(200);
            for (String other : new String[] {"bob", ""}) {
                HttpResponse<String> answer = part(path, ann, other);
                assertThat(answer.headers().firstValue("HX-Refresh")).hasValue("true");
                assertThat(answer.body()).isEmpty();
            }
            HttpResponse<String> own = part(path, ann, ann);
            assertThat(own.headers().firstValue("HX-Refresh")).isEmpty();
            assertThat(own.body()).contains(ann);
        }
    }

    private HttpResponse<String> part(String path, String student, String shownFor)
            throws IOException, InterruptedException {
        String cookie = Visitors.choice(Role.STUDENT, new StudentId(student)).toString();
        try (HttpClient http = HttpClient.newHttpClient()) {
            return http.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s".formatted(port, path)))
                            .header("Cookie", cookie.substring(0, cookie.indexOf(';')))
                            .header("HX-Request", "true")
                            .header(ShownFor.HEADER, shownFor)
                            .build(),
                    BodyHandlers.ofString());
        }
    }
}
