package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
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
    void a_button_pressed_twice_at_once_enrolls_once() {
        String course = course("Chemistry", 3);
        String student = api.student();
        List<ConsoleClient> windows = List.of(browserOf(student), browserOf(student));
        String path = "/console/courses/" + course;
        // Both show the button before one of them presses it.
        List<Page> pages =
                windows.stream().map(window -> window.open(path).expect(200)).toList();

        List<String> answers = IntStream.range(0, windows.size())
                .mapToObj(number -> CompletableFuture.supplyAsync(() -> windows.get(number)
                        .submit(pages.get(number), path + "/enroll", "page", "course", "shownFor", student)
                        .text()))
                .toList()
                .stream()
                .map(CompletableFuture::join)
                .toList();

        assertThat(answers).anyMatch(text -> text.contains("Done. You are enrolled in Chemistry."));
        assertThat(answers).anyMatch(text -> text.contains("Not done. You are already enrolled in Chemistry."));
        assertThat(open(path).text()).contains("1 of 3 seats taken");
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
    void an_unknown_course_is_refused() {
        newStudent();

        Page page = client.submit(
                "/", "/console/courses/%s/enroll".formatted(Api.newId("unknown")), "page", "", "shownFor", chosen);

        assertRefused(page, "There is no course");
        assertThat(page.path()).isEqualTo("/console/courses");
    }

    @Test
    void a_path_without_a_possible_id_is_not_found() {
        newStudent();

        for (String id : List.of("-", "%20", "%3Cscript%3E")) {
            Page page = client.submit("/", "/console/courses/%s/enroll".formatted(id), "page", "", "shownFor", chosen);

            assertThat(page.status()).isEqualTo(404);
            assertThat(page.text()).contains("There is no such page.");
            assertThat(page.html()).doesNotContain("<script>");
        }
    }
}
