package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Pages after a command whose view is paused. */
@ServiceTest
class PausedViewTest {
    private static final List<String> VIEWS = List.of("courses", "students", "enrollments");

    private final Api api;
    private final ConsoleClient client;

    PausedViewTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.client = new ConsoleClient(port);
    }

    /* Other tests share the service. */
    @AfterEach
    void resume() {
        for (String view : VIEWS) {
            api.post("/api/admin/projections/%s/resume".formatted(view), "");
        }
    }

    private void pause(String view) {
        api.post("/api/admin/projections/%s/pause".formatted(view), "").expect(200);
    }

    @Test
    void a_page_says_that_a_new_course_or_student_is_stored_but_not_shown_yet() {
        String course = Api.newId("course");
        String student = Api.newId("student");
        pause("courses");
        pause("students");

        Page defined = client.submit(
                "/console/office/define", "/console/office/define", "id", course, "title", "Maths", "capacity", "3");
        Page registered = client.submit(
                "/console/office/register",
                "/console/office/register",
                "id",
                student,
                "name",
                "Ann",
                "email",
                student + "@example.org");

        assertThat(defined.text())
                .contains(
                        "Course %s is defined.".formatted(course),
                        "because a view is behind",
                        "The course %s is defined. Its page appears when the view has caught up".formatted(course))
                .doesNotContain("Not found", "There is no course", "seconds");
        assertThat(registered.text())
                .contains("The student %s is registered. Its page appears when".formatted(student))
                .doesNotContain("Not found", "There is no student");
        resume();
        await().until(() -> client.open("/console/office/courses/" + course).status() == 200);
        assertThat(client.open("/console/office/courses/" + course).text()).doesNotContain("a view is behind");
    }

    @Test
    void a_student_who_enrolls_in_a_course_that_no_view_has_reads_that_it_is_stored() {
        String student = api.student();
        api.get("/api/students/" + student).expect(200);
        String course = Api.newId("course");
        client.submit("/", "/console/role", "role", "student", "student", student);
        pause("courses");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Maths\", \"capacity\": 3}".formatted(course))
                .expect(201);

        Page enrolled = client.submit(
                "/", "/console/courses/%s/enroll".formatted(course), "shownFor", student, "page", "course");

        assertThat(enrolled.text())
                .contains("You are enrolled in", "The course %s is defined.".formatted(course))
                .doesNotContain("No such course", "There is no course");
    }

    @Test
    void a_page_of_a_paused_view_says_so_to_each_visitor() {
        String course = api.course(2);
        api.get("/api/courses/" + course).expect(200);
        client.submit("/", "/console/role", "role", "");
        assertThat(client.open("/console/courses/" + course).text()).doesNotContain("a view is behind");
        pause("courses");

        for (String page : new String[] {
            "/console/courses",
            "/console/courses/" + course,
            "/console/office/courses",
            "/console/office/courses/" + course
        }) {
            assertThat(client.open(page).text())
                    .contains("because a view is behind, paused or stopped. Load the page again later.");
        }
        assertThat(client.open("/console/courses/no-such-course").text()).contains("There is no course with the id");

        resume();
        await().until(() -> !client.open("/console/courses").text().contains("a view is behind"));
    }

    /*
     * A seat is given while the page is read: its waiting lists no longer have the student, and its courses do not have
     * the student yet. No change of seats would follow that loads the lists again.
     */
    @Test
    void a_page_without_the_place_and_the_freed_seat_says_that_a_view_is_behind() {
        String course = api.course(1);
        String holder = api.student();
        String student = api.student();
        api.enroll(holder, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, student)).expect(201);
        api.get("/api/students/" + student).expect(200);
        client.submit("/", "/console/role", "role", "student", "student", student);
        await().until(() -> client.open("/console/my").text().contains("1 of 1"));
        pause("enrollments");

        api.delete("/api/courses/%s/students/%s".formatted(course, holder)).expect(204);

        await().until(() -> !client.open("/console/my").text().contains("1 of 1"));
        assertThat(client.open("/console/my").text())
                .contains("You do not wait for any course", "because a view is behind");
        assertThat(client.open("/console/courses/" + course).text())
                .contains("because a view is behind")
                .doesNotContain("You are enrolled");
        resume();
        await().until(() -> client.open("/console/my").text().contains("from the waiting list"));
    }
}
