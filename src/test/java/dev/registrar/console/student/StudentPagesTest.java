package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The pages of a student, used without scripts. */
@ServiceTest
class StudentPagesTest extends StudentPagesFixture {

    StudentPagesTest(@LocalServerPort int port) {
        super(port);
    }

    @Test
    void a_student_enrolls_on_the_page_of_a_course_and_drops_it() {
        String course = course("Botany", 3);
        newStudent();

        Page before = open("/console/courses/" + course).expect(200);
        Page enrolled = press("enroll", course);
        Page dropped = press("drop", course);

        assertThat(before.text()).contains("Botany", "0 of 3 seats taken").doesNotContain("You are enrolled");
        assertThat(enrolled.path()).isEqualTo("/console/courses/" + course);
        assertThat(enrolled.text())
                .contains("Done. You are enrolled in Botany.", "1 of 3 seats taken", "Enrolled since", "Drop");
        assertThat(dropped.text()).contains("You have dropped Botany.", "0 of 3 seats taken", "Enroll");
    }

    @Test
    void a_student_swaps_a_course_on_the_page_of_the_wanted_one() {
        String title = "Geology <b>";
        String given = course(title, 3);
        String wanted = course("Geometry", 3);
        String path = "/console/courses/" + wanted;
        String student = newStudent();
        assertThat(open(path).text()).doesNotContain("instead of");
        api.enroll(student, given).expect(201);

        Page offered = open(path).expect(200);
        Page swapped = client.submit(offered, path + "/swap", "page", "course", "shownFor", student, "other", given);

        assertThat(offered.text()).contains("Or take it instead of", title);
        assertThat(swapped.text())
                .contains("Done. You are enrolled in Geometry, and have dropped the course", "1 of 3 seats taken")
                .doesNotContain("instead of");
        assertThat(open("/console/courses/" + given).text()).contains("0 of 3 seats taken");
        Page refused = client.submit(
                "/",
                "/console/courses/%s/swap".formatted(given),
                "page",
                "course",
                "shownFor",
                student,
                "other",
                given);
        assertThat(refused.text()).contains("Not done. You are not enrolled in the course that you want to give up");
        assertThat(client.submit("/", path + "/swap", "page", "course", "shownFor", student, "other", "a b")
                        .text())
                .contains("Not done. You have not chosen the course to give up. Nothing was changed.");
    }

    @Test
    void a_course_is_dropped_only_after_its_page_has_said_what_will_happen() {
        String title = "Optics \u2069\u202e";
        String course = course(title, 1);
        String student = newStudent();
        api.enroll(student, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        String path = "/console/courses/" + course;

        Page asked = open(path + "/drop?page=my&shownFor=" + student).expect(200);

        assertThat(asked.text())
                .contains("What will happen", "The seat goes to the first student on the waiting list")
                .contains("Drop the course", "Keep the seat", "You can enroll again only if a seat is free");
        assertThat(asked.html()).contains("<bdi>%s</bdi>".formatted(title), "href=\"/console/my\"");
        assertThat(open(path).text()).contains("You are enrolled");
        Page dropped = client.submit(asked, path + "/drop", "page", "my", "shownFor", student);
        assertThat(dropped.text()).contains("You have dropped Optics .", "You are not enrolled in any course.");
    }

    @Test
    void a_student_joins_and_leaves_a_waiting_list() {
        String course = course("Zoology", 1);
        api.enroll(api.student(), course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        newStudent();

        Page waiting = press("wait", course);
        Page left = press("leave", course);

        assertThat(waiting.text()).contains("You are on the waiting list of Zoology.", "Full", "place 2 of 2");
        assertThat(left.text()).contains("You have left the waiting list of Zoology.", "Join the waiting list");
    }

    @Test
    void the_page_of_own_courses_shows_courses_and_places() {
        String mine = course("Harmony", 3);
        String full = course("Counterpoint", 1);
        api.enroll(api.student(), full).expect(201);
        String student = newStudent();
        api.enroll(student, mine).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(full, student)).expect(201);

        Page own = open("/console/my").expect(200);

        assertThat(own.text())
                .contains("Harmony", "Counterpoint", "1 of 1", "your limit is", "Leave the list")
                .doesNotContain("from the waiting list");
        Page dropped =
                client.submit(own, "/console/courses/%s/drop".formatted(mine), "page", "my", "shownFor", student);
        assertThat(dropped.path()).isEqualTo("/console/my");
        assertThat(dropped.text()).contains("You have dropped Harmony.", "You are not enrolled in any course.");
    }

    @Test
    void a_seat_from_the_waiting_list_is_said_when_the_page_is_loaded_again() {
        String title = "Acoustics \u202e<b>";
        String full = course(title, 1);
        String ann = api.student();
        api.enroll(ann, full).expect(201);
        String bob = newStudent();
        api.put("/api/courses/%s/waiting-list/%s".formatted(full, bob)).expect(201);
        String again = "/console/my?after=0&waitingAfter=0&waited=" + full;
        assertThat(open("/console/my").html()).contains(again.replace("&", "&amp;"));
        assertThat(open(again).text()).doesNotContain("You got a seat");

        api.delete("/api/courses/%s/students/%s".formatted(full, ann)).expect(204);

        await().untilAsserted(() -> assertThat(open(again).text()).contains("You got a seat in"));
        assertThat(open(again).html()).contains("<bdi>Acoustics \u202e&lt;b&gt;</bdi></a>.");
        assertThat(open("/console/my").text())
                .doesNotContain("You got a seat")
                .containsPattern("Acoustics .* from the waiting list Drop");
        assertThat(open(again + "&waited=%3Cscript%3E&waited=no-such-course").status())
                .isEqualTo(200);
    }

    @Test
    void the_end_of_a_waiting_list_is_said_when_the_page_is_loaded_again() {
        String full = course("Heraldry", 1);
        api.enroll(api.student(), full).expect(201);
        String bob = newStudent();
        api.put("/api/courses/%s/waiting-list/%s".formatted(full, bob)).expect(201);

        api.post("/api/courses/%s/close".formatted(full), "").expect(200);

        String again = "/console/my?after=0&waitingAfter=0&waited=" + full;
        await().untilAsserted(() -> assertThat(open(again).text())
                .contains("Heraldry was closed, and its waiting list has ended.", "You do not wait for any course."));
    }

    @Test
    void a_button_of_the_catalogue_keeps_search_filter_order_and_page() {
        String word = Api.newId("Rhetoric");
        String course = course(word + " 1", 2);
        course(word + " 2", 1);
        newStudent();

        Page page = client.submit(
                open("/console/courses?search=" + encoded(word)),
                "/console/courses/%s/enroll".formatted(course),
                "page",
                "",
                "search",
                word,
                "filter",
                "open",
                "sort",
                "seats",
                "shownFor",
                chosen);

        assertThat(page.path()).isEqualTo("/console/courses");
        assertThat(page.html())
                .contains("value=\"%s\"".formatted(word))
                .containsPattern("value=\"open\" selected")
                .containsPattern("value=\"seats\" selected");
        assertThat(page.text()).contains("You are enrolled in %s 1.".formatted(word), word + " 2");
    }

    @Test
    void a_visitor_without_a_student_is_asked_for_one() {
        String course = course("Logic", 1);
        api.student();

        for (String path : new String[] {"/console/courses", "/console/courses/" + course, "/console/my"}) {
            Page page = open(path).expect(200);

            assertThat(page.text()).contains("Which student are you?", "Choose the student");
            assertThat(page.html()).doesNotContain("/enroll\"");
        }
    }

    @Test
    void an_enrollment_of_a_student_who_is_not_registered_is_refused_with_a_sentence() {
        String course = api.course(1);
        String stranger = Base64.getUrlEncoder().encodeToString("stranger".getBytes(StandardCharsets.UTF_8));
        client.keep("registrar-role", "student." + stranger);

        Page page = client.submit(
                "/", "/console/courses/%s/enroll".formatted(course), "page", "course", "shownFor", "stranger");

        assertThat(page.text()).contains("No student is registered with the id stranger. Choose another student");
    }
}
