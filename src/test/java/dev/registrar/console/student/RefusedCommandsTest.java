package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Buttons whose commands the domain refuses, because the page was outdated or the form was sent twice. */
@ServiceTest
class RefusedCommandsTest extends StudentPagesFixture {

    RefusedCommandsTest(@LocalServerPort int port) {
        super(port);
    }

    private void assertRefused(Page page, String sentence) {
        assertThat(page.text()).contains("Not done. " + sentence);
        assertThat(page.html()).contains("role=\"alert\"");
    }

    @Test
    void a_second_enrollment_is_refused() {
        String course = course("Botany", 3);
        newStudent();
        press("enroll", course);

        assertRefused(press("enroll", course), "You are already enrolled in Botany. There is nothing more to do.");
        assertRefused(press("wait", course), "You are already enrolled in Botany.");
    }

    @Test
    void a_button_pressed_twice_at_once_enrolls_once() {
        String course = course("Chemistry", 3);
        String student = api.student();
        List<ConsoleClient> windows = List.of(browserOf(student), browserOf(student));
        String path = "/console/courses/" + course;
        open(path).expect(200);

        List<String> answers = windows.stream()
                .map(window -> CompletableFuture.supplyAsync(
                        () -> window.submit(path, path + "/enroll", "page", "course", "shownFor", student)
                                .text()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).anyMatch(text -> text.contains("Done. You are enrolled in Chemistry."));
        assertThat(answers).anyMatch(text -> text.contains("Not done. You are already enrolled in Chemistry."));
        assertThat(open(path).text()).contains("2 of 3 seats free");
    }

    @Test
    void a_full_course_is_refused_with_the_way_to_its_waiting_list() {
        String course = course("Drama", 1);
        api.enroll(api.student(), course).expect(201);
        newStudent();

        assertRefused(press("enroll", course), "Drama is full. Join the waiting list");
        assertThat(open("/console/courses/" + course).text()).contains("Join the waiting list");
    }

    @Test
    void students_on_the_waiting_list_take_precedence() {
        String course = course("Ethics", 1);
        String first = api.student();
        api.enroll(first, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        newStudent();

        assertRefused(press("enroll", course), "Other students already wait for a seat in Ethics.");
        press("wait", course);
        assertRefused(press("wait", course), "You are already on the waiting list of Ethics.");
    }

    @Test
    void a_closed_course_has_no_button_and_refuses_an_old_one() {
        String course = course("French", 2);
        newStudent();
        api.post("/api/courses/%s/close".formatted(course), "").expect(200);

        assertThat(open("/console/courses/" + course).text())
                .contains("Closed 0 of 2 seats taken", "This course is closed and takes no more students.")
                .contains("The course is closed. It does not open again.")
                .doesNotContain("seats free", "At any time");
        assertThat(open("/console/courses?search=French&sort=newest").text()).contains("Takes no more students.");
        assertRefused(
                client.submit(
                        "/", "/console/courses/%s/enroll".formatted(course), "page", "course", "shownFor", chosen),
                "French is closed and takes no more students. Choose another course.");
    }

    @Test
    void a_course_outside_its_enrollment_period_says_when_it_opens() {
        String course = course("German", 2, "'opensAt': '2999-05-01T08:00:00Z'");
        newStudent();

        Page page = open("/console/courses/" + course);
        assertThat(page.text())
                .contains("Not open yet 2 of 2 seats free", "Enrollment opens at 2999-05-01 08:00")
                .doesNotContain("Seats free");
        assertThat(page.html()).doesNotContain("/enroll\"");
        assertRefused(
                client.submit(
                        "/", "/console/courses/%s/enroll".formatted(course), "page", "course", "shownFor", chosen),
                "German does not take students now. Enroll in its enrollment period: from 2999-05-01 08:00 UTC on.");
    }

    @Test
    void a_course_whose_enrollment_has_ended_says_so() {
        String course = course("Gothic", 2, "'closesAt': '2020-05-01T08:00:00Z'");
        newStudent();

        assertThat(open("/console/courses/" + course).text())
                .contains("Enrollment ended 2 of 2 seats free", "Enrollment ended at 2020-05-01 08:00")
                .doesNotContain("Seats free", "Not open yet");
    }

    @Test
    void a_student_who_waits_for_a_closed_course_reads_that_no_seat_comes() {
        String course = course("Hittite", 1);
        api.enroll(api.student(), course).expect(201);
        newStudent();
        assertThat(press("wait", course).text())
                .contains("A free seat goes to the first student")
                .doesNotContain("gets a seat any more");

        api.post("/api/courses/%s/close".formatted(course), "").expect(200);

        assertThat(open("/console/courses/" + course).text())
                .contains("You wait: place 1 of 1.", "No student on the list gets a seat any more.")
                .doesNotContain("A free seat goes");
    }

    @Test
    void a_missing_prerequisite_is_named_by_its_title() {
        String first = course("Latin I", 2);
        String second = course("Latin II", 2, "'prerequisites': ['%s']".formatted(first));
        newStudent();

        Page before = open("/console/courses/" + second);
        Page list = open("/console/courses?search=" + encoded("Latin II"));

        assertThat(before.text())
                .contains("Latin I (enroll there first)", "Enroll in Latin I first.", "You must be enrolled");
        assertThat(list.text()).contains("Enroll in Latin I first.");
        for (Page page : List.of(before, list)) {
            assertThat(page.html())
                    .doesNotContain("/console/courses/%s/enroll\"".formatted(second))
                    .contains("href=\"/console/courses/%s\"".formatted(first));
        }
        assertRefused(
                client.submit(
                        "/", "/console/courses/%s/enroll".formatted(second), "page", "course", "shownFor", chosen),
                "Latin II requires courses in which you are not enrolled. Enroll in them first: Latin I.");
        press("enroll", first);
        assertThat(press("enroll", second).text())
                .contains("You are enrolled in Latin II.", "(you are enrolled)")
                .doesNotContain("You must be enrolled");
        press("drop", first);
        assertThat(open("/console/courses/" + second).text())
                .contains("You are enrolled.", "Latin I")
                .doesNotContain("You must be enrolled", "(enroll there first)");
    }

    @Test
    void a_student_at_the_limit_reads_that_a_course_must_be_dropped() {
        String student = newStudent();
        api.put("/api/students/%s/tier".formatted(student), "{\"tier\": \"basic\"}")
                .expect(200);
        press("enroll", course("Music I", 2));
        press("enroll", course("Music II", 2));

        assertRefused(
                press("enroll", course("Music III", 2)),
                "You have reached your limit of courses at a time, so you cannot enroll in Music III now.");
        assertThat(open("/console/my").text())
                .contains("your limit is 2 courses at a time")
                .doesNotContain("to get a seat, drop a course");
        String full = course("Music IV", 1);
        api.enroll(api.student(), full).expect(201);
        press("wait", full);
        assertThat(open("/console/my").text()).contains("You have reached your limit: to get a seat, drop a course.");
        assertThat(open("/console/my?after=999999999").text())
                .contains("You have reached your limit: to get a seat, drop a course.");
    }

    @Test
    void a_student_drops_and_leaves_only_what_they_have() {
        String course = course("Norse", 2);
        newStudent();
        open("/console/courses/" + course);

        assertRefused(press("drop", course), "You are not enrolled in Norse");
        assertRefused(press("leave", course), "You are not on the waiting list of Norse.");
        assertRefused(press("wait", course), "Norse has a free seat, and no student waits for it. Enroll instead.");
    }

    @Test
    void an_unknown_course_is_refused() {
        newStudent();

        for (String id : List.of(Api.newId("unknown"), "-", "%3Cscript%3E")) {
            Page page = client.submit("/", "/console/courses/%s/enroll".formatted(id), "page", "", "shownFor", chosen);

            assertRefused(page, "There is no course");
            assertThat(page.path()).isEqualTo("/console/courses");
            assertThat(page.html()).doesNotContain("<script>");
        }
    }

    @Test
    void a_visitor_without_a_student_reads_that_one_must_be_chosen() {
        String course = course("Optics", 2);

        assertRefused(
                client.submit(
                        "/", "/console/courses/%s/enroll".formatted(course), "page", "course", "shownFor", chosen),
                "You have not chosen a student. Choose one first.");
    }
}
