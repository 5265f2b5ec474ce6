package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Enrollments by override on the page of a course, and what students see of them. */
@ServiceTest
class OfficeOverridesTest {
    private final ConsoleClient office;
    private final ConsoleClient other;
    private final Api api;

    OfficeOverridesTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
        this.other = new ConsoleClient(port).after(api);
    }

    private static String page(String course) {
        return "/console/office/courses/" + course;
    }

    /* A course of one seat, which is taken, as soon as the pages show it. */
    private String full() {
        String course = api.course(1);
        api.enroll(api.student(), course).expect(201);
        api.get("/api/courses/" + course).expect(200);
        return course;
    }

    private Page override(String course, String student, String reason) {
        return office.submit(page(course), page(course) + "/override", "admitted", student, "reason", reason);
    }

    @Test
    void a_student_is_enrolled_by_override_with_a_reason_on_the_roster() {
        String course = full();
        String student = api.student();

        Page admitted = override(course, student, " Retakes <b>\u202E it ").expect(200);

        assertThat(admitted.path()).isEqualTo(page(course));
        assertThat(admitted.text())
                .contains("Student %s is enrolled in course %s by override.".formatted(student, course))
                .contains("2 of 1 seat is taken", "Full", "(by the local user )");
        assertThat(admitted.html())
                .contains("<bdi>Retakes &lt;b&gt;\u202E it</bdi>")
                .containsOnlyOnce("Override</span>");
        assertThat(office.open(page(course) + "/history").expect(200).text())
                .contains("was enrolled by override: “\u2068Retakes <b> it\u2069”.");
    }

    @Test
    void a_form_that_is_refused_is_open_and_keeps_what_was_typed() {
        String course = full();
        String student = api.student();
        assertThat(office.open(page(course)).expect(200).html()).doesNotContain("open=\"open\"");

        Page without = override(course, "", " ");
        Page unknown = override(course, "nobody", "Retakes it");
        override(course, student, "Retakes it").expect(200);
        Page twice = override(course, student, "Is ill");

        assertThat(without.status()).isEqualTo(422);
        assertThat(without.text())
                .contains(
                        "Id of the student : Type the id of a student.", "Reason : Type a reason: 1 to 500 characters");
        assertThat(without.html()).contains("href=\"#admitted\"", "href=\"#reason\"", "open=\"open\"");
        assertThat(unknown.status()).isEqualTo(409);
        assertThat(unknown.text()).contains("There is no student nobody.").contains("register one");
        assertThat(unknown.html()).contains("value=\"nobody\"", "value=\"Retakes it\"");
        assertThat(twice.status()).isEqualTo(409);
        assertThat(twice.text()).contains("is already enrolled in course");
        assertThat(twice.html()).contains("value=\"Is ill\"");
    }

    @Test
    void a_drop_beyond_the_seats_says_that_no_seat_becomes_free() {
        String course = full();
        String student = api.student();
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        override(course, student, "Retakes it").expect(200);
        String drop = "/students/%s/drop".formatted(student);

        Page confirmation = office.open(page(course) + drop).expect(200);
        Page raised = office.submit(page(course), page(course) + "/capacity", "capacity", "2");
        Page afterwards = office.open(page(course) + drop).expect(200);

        assertThat(confirmation.text()).contains("No seat becomes free").doesNotContain("The seat goes to");
        assertThat(raised.expect(200).text()).contains("2 of 2 seats are taken");
        assertThat(afterwards.text()).contains("The seat goes to").doesNotContain("No seat becomes free");
    }

    @Test
    void a_closed_course_has_no_form() {
        String course = full();
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);
        api.get("/api/courses/" + course).expect(200);

        assertThat(office.open(page(course)).expect(200).text()).doesNotContain("by override");
        assertThat(office.submit("/", page(course) + "/override", "admitted", api.student(), "reason", "x")
                        .status())
                .isEqualTo(409);
    }

    @Test
    void the_student_sees_the_seat_and_neither_the_reason_nor_the_form() {
        String course = full();
        String student = api.student();
        override(course, student, "Retakes the course").expect(200);
        other.submit("/", "/console/role", "role", "student", "student", student)
                .expect(200);

        Page shown = other.open("/console/courses/" + course).expect(200);
        Page own = other.open("/console/my").expect(200);

        assertThat(shown.text())
                .contains("You are enrolled", "2 of 1 seat taken")
                .doesNotContain("Retakes", "verride");
        assertThat(own.text()).contains(course).doesNotContain("Retakes", "verride", "You got a seat");
        assertThat(other.open("/console/courses/%s/drop?page=my&shownFor=%s".formatted(course, student))
                        .expect(200)
                        .text())
                .doesNotContain("The seat goes to");
        assertThat(other.open(page(course)).status()).isEqualTo(403);
        assertThat(other.submit("/", page(course) + "/override", "admitted", student, "reason", "I want it")
                        .status())
                .isEqualTo(403);
    }
}
