package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The course office's pages of students, as a person uses them without scripts. */
@ServiceTest
class OfficeStudentsTest {
    private static final String LIST = "/console/office/students";
    private static final String REGISTER = "/console/office/register";

    private final ConsoleClient office;
    private final Api api;

    OfficeStudentsTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
    }

    private Page register(String id, String name, String email, String tier) {
        return office.submit(REGISTER, REGISTER, "id", id, "name", name, "email", email, "tier", tier);
    }

    @Test
    void an_address_or_id_that_is_taken_is_said_beside_its_field() {
        String id = Api.newId("student");
        register(id, "Ann", id + "@example.org", "").expect(200);

        Page idTaken = register(id, "Ann", "other-%s@example.org".formatted(id), "");
        Page addressTaken = register(Api.newId("student"), "Ann", id + "@EXAMPLE.org", "");

        assertThat(idTaken.status()).isEqualTo(409);
        assertThat(idTaken.text()).contains("Student %s already exists. Choose another id.".formatted(id));
        assertThat(addressTaken.status()).isEqualTo(409);
        assertThat(addressTaken.text()).contains("belongs to another student. Search for the student");
        assertThat(addressTaken.html()).contains("aria-describedby=\"email-fault email-hint\"");
    }

    @Test
    void an_address_fills_in_no_field_of_the_form() {
        Page form = office.open(REGISTER + "?email=x&name=").expect(200);

        assertThat(form.text()).doesNotContain("Type an e-mail address", "Type a name");
        assertThat(form.html()).doesNotContain("value=\"x\"");
    }

    @Test
    void the_tier_is_changed_or_refused_with_a_reason() {
        String id = Api.newId("student");
        String tier = LIST + "/" + id + "/tier";
        Page registered = register(id, "Ann", id + "@example.org", "").expect(200);

        Page changed = office.submit(registered, tier, "tier", "basic").expect(200);
        Page same = office.submit(changed, tier, "tier", "basic").expect(409);
        Page unknown = office.submit(changed, tier, "tier", "gold").expect(422);
        Page none = office.submit(changed, tier, "tier", "").expect(422);

        assertThat(changed.text()).contains("now has the tier basic", "tier basic");
        assertThat(changed.html()).contains("<option value=\"basic\" selected=\"selected\"");
        assertThat(same.text()).contains("Not done.", "already has the tier 'basic'", "Choose another tier");
        assertThat(same.html())
                .contains("aria-describedby=\"tier-fault tier-hint\"")
                .contains("<option value=\"basic\" selected=\"selected\"");
        for (Page wrong : List.of(unknown, none)) {
            assertThat(wrong.text()).contains("Nothing was changed yet.", "Choose one of the tiers.");
            assertThat(wrong.html())
                    .contains("aria-describedby=\"tier-fault tier-hint\"")
                    .contains("aria-invalid=\"true\"");
        }
    }

    @Test
    void the_name_and_the_address_are_changed_or_refused_with_a_reason() {
        String id = api.student();
        String other = api.student();
        api.get("/api/students/" + other).expect(200);
        String page = LIST + "/" + id;
        String name = Api.newId("\u202EQuentin <b>");

        Page named = office.submit(page, page + "/name", "name", name).expect(200);
        Page sameName = office.submit(named, page + "/name", "name", name);
        Page noName = office.submit(named, page + "/name", "name", "");
        Page taken = office.submit(named, page + "/email", "email", other + "@EXAMPLE.org");
        Page moved = office.submit(named, page + "/email", "email", id + "@example.com")
                .expect(200);
        Page noAddress = office.submit(named, page + "/email", "email", "ann");

        assertThat(named.text()).contains("has a new name.", name);
        assertThat(named.html()).doesNotContain("<b>");
        assertThat(sameName.status()).isEqualTo(409);
        assertThat(sameName.text()).contains("already has this name. Type another name");
        assertThat(noName.status()).isEqualTo(422);
        assertThat(noName.text()).contains("Type a name: 1 to 200 characters on one line.");
        assertThat(taken.status()).isEqualTo(409);
        assertThat(taken.text()).contains("belongs to another student. Search for the student");
        assertThat(moved.text()).contains("has a new e-mail address.", id + "@example.com");
        assertThat(noAddress.status()).isEqualTo(422);
        assertThat(noAddress.text()).contains("Type an e-mail address such as");
        assertThat(office.open(LIST + "?search=" + id + "%40EXAMPLE.com")
                        .expect(200)
                        .text())
                .contains("The student with this id or e-mail address: " + name);
        assertThat(office.open(LIST + "?search=" + id + "%40example.org")
                        .expect(200)
                        .text())
                .doesNotContain("The student with this id or e-mail address");
        assertThat(office.submit(page, LIST + "/no-such-student/name", "name", "Ann")
                        .status())
                .isEqualTo(404);
    }

    /* Earlier versions stored names that cannot be typed now. */
    @Test
    void a_student_whose_name_cannot_be_typed_has_a_page(@Autowired EventStore store) {
        String id = Api.newId("student");
        store.append(Append.of(Event.of(
                        "StudentRegistered",
                        "{\"studentId\": \"%s\", \"name\": \"\\u0000\\n\", \"email\": \"a\"}".formatted(id),
                        "student:" + id))
                .by(Actor.ofApplication("test")));
        await().until(() -> api.get("/api/students/" + id).status() == 200);

        assertThat(office.open(LIST + "/" + id).expect(200).html())
                .contains("name=\"name\" value=\"\"", "name=\"email\" value=\"\"");
    }

    @Test
    void a_student_is_found_by_the_name_or_the_id_and_shown_with_courses() {
        String id = Api.newId("student");
        String course = api.course(1);
        String full = api.course(1);
        register(id, "Quentin %_ <b>", id + "@example.org", "").expect(200);
        api.enroll(id, course).expect(201);
        api.enroll(api.student(), full).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(full, id)).expect(201);
        api.get("/api/courses/%s/waiting-list".formatted(full)).expect(200);
        api.get("/api/students/%s/courses".formatted(id)).expect(200);

        Page byName = office.open(LIST + "?search=quentin%20%25_").expect(200);
        Page byId = office.open(LIST + "?search=" + id).expect(200);
        Page shown = office.open(LIST + "/" + id).expect(200);

        assertThat(byName.text()).contains(id);
        assertThat(byName.html()).doesNotContain("<b>");
        assertThat(byId.text()).contains("The student with this id or e-mail address: Quentin %_ <b>");
        assertThat(shown.text()).contains(course, full);
        assertThat(shown.html()).contains("/console/office/courses/%s/students/%s/drop".formatted(course, id));
    }

    @Test
    void an_id_is_completed_by_its_beginning_or_by_the_name() {
        String id = Api.newId("student");
        String name = Api.newId("Xaver <b>");
        register(id, name, id + "@example.org", "").expect(200);
        String course = api.course(1);
        String required = api.course(1);
        api.get("/api/courses/" + required).expect(200);

        assertThat(choices(LIST + "?complete=student&student=" + id)).containsExactly(id);
        assertThat(choices(LIST + "?complete=who&who=" + name.replace("Xaver <b>", "xAVER+%3Cb%3E")))
                .containsExactly(id);
        assertThat(choices(LIST + "?complete=student&student=")).hasSizeBetween(1, 20);
        assertThat(choices(LIST + "?complete=student&student=%00%25_")).isEmpty();
        assertThat(choices("/console/office/courses?complete=course&course=" + course))
                .containsExactly(course);
        assertThat(choices("/console/office/courses?complete=course&course=mathem"))
                .isNotEmpty();
        assertThat(choices("/console/office/courses?complete=p&several=true&p=" + course + "+" + required))
                .containsExactly(course + " " + required);
        assertThat(office.open(LIST + "/" + id).expect(200).html())
                .contains("hx-get=\"/console/office/courses?complete=course\"", "list=\"course-choices\"");
    }

    private List<String> choices(String path) {
        return Pattern.compile("<option value=\"([^\"]*)\"")
                .matcher(office.open(path).expect(200).html())
                .results()
                .map(choice -> choice.group(1))
                .toList();
    }

    @Test
    void a_student_is_enrolled_or_refused_on_the_page_of_the_student() {
        String id = api.student();
        String course = api.course(1);
        String page = LIST + "/" + id;
        api.get("/api/students/" + id).expect(200);

        Page enrolled = office.submit(page, page + "/courses", "course", course).expect(200);
        Page twice = office.submit(page, page + "/courses", "course", course);
        Page noId = office.submit(page, page + "/courses", "course", "a b");
        Page unknown = office.submit(page, page + "/courses", "course", "no-such-course");

        assertThat(enrolled.path()).isEqualTo(page);
        assertThat(enrolled.text()).contains("Student %s is enrolled in course %s.".formatted(id, course));
        assertThat(enrolled.html()).contains("/console/office/courses/%s/students/%s/drop".formatted(course, id));
        assertThat(twice.status()).isEqualTo(409);
        assertThat(twice.text()).contains("There is nothing more to do.");
        assertThat(noId.status()).isEqualTo(422);
        assertThat(noId.text()).contains("is not the id of a course.", "Search for a course");
        assertThat(noId.html()).contains("value=\"a b\"");
        assertThat(unknown.status()).isEqualTo(409);
        assertThat(unknown.text())
                .contains("Check the id, or search for the course in the list.", "Search for a course");
        Page noStudent = office.submit(page, LIST + "/no-such-student/courses", "course", course);
        assertThat(noStudent.status()).isEqualTo(404);
    }

    @Test
    void a_student_swaps_a_course_or_keeps_it_on_the_page_of_the_student() {
        String id = api.student();
        String held = api.course(1);
        String full = api.course(1);
        String free = api.course(1);
        String page = LIST + "/" + id;
        api.enroll(id, held).expect(201);
        api.enroll(api.student(), full).expect(201);
        api.get("/api/students/%s/courses".formatted(id)).expect(200);

        Page refused = office.submit(page, page + "/swap", "other", held, "wanted", full);
        Page notHeld = office.submit(page, page + "/swap", "other", full, "wanted", free);
        Page nothing = office.submit(page, page + "/swap", "other", "", "wanted", free);
        Page swapped = office.submit(page, page + "/swap", "other", held, "wanted", free)
                .expect(200);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("Course %s is full".formatted(full));
        assertThat(refused.html())
                .contains(
                        "aria-describedby=\"wanted-fault wanted-hint\"", "name=\"wanted\" value=\"%s\"".formatted(full))
                .contains("<option value=\"%s\" selected=\"selected\"".formatted(held));
        assertThat(notHeld.status()).isEqualTo(409);
        assertThat(notHeld.text()).contains("Choose one of the student's courses.");
        assertThat(notHeld.html()).contains("aria-describedby=\"other-fault other-hint\"");
        assertThat(nothing.status()).isEqualTo(422);
        assertThat(nothing.text()).contains("Choose the course to drop.");
        assertThat(nothing.html()).contains("name=\"wanted\" value=\"%s\"".formatted(free));
        assertThat(swapped.text())
                .contains("Student %s is enrolled in course %s, and no longer in course %s.".formatted(id, free, held));
        assertThat(swapped.html())
                .contains("/console/office/courses/%s/students/%s/drop".formatted(free, id))
                .doesNotContain("/console/office/courses/%s/students/%s/drop".formatted(held, id));
    }

    @Test
    void the_page_of_a_student_has_the_places_on_waiting_lists_which_the_student_can_leave() {
        String id = api.student();
        String course = api.course(1);
        String page = LIST + "/" + id;
        String leave = page + "/waiting-lists/%s/leave".formatted(course);
        api.enroll(api.student(), course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, id)).expect(201);
        api.get("/api/courses/%s/waiting-list".formatted(course)).expect(200);

        Page waiting = office.open(page).expect(200);
        Page left = office.submit(waiting, leave).expect(200);
        Page again = office.submit(left, leave).expect(200);

        assertThat(waiting.html()).contains("data-label=\"Place\" class=\"number\">2</td>", leave);
        assertThat(left.text())
                .contains("Student %s has left the waiting list of course %s.".formatted(id, course))
                .contains("The student waits for no course.");
        assertThat(again.text()).contains("Not done.", "is not on the waiting list", "There is nothing more to do.");
    }

    @Test
    void an_enrollment_by_override_is_shown_with_its_reason_and_actor_on_the_page_of_the_student() {
        String id = api.student();
        String ordinary = api.course(1);
        String course = api.course(1);
        api.enroll(id, ordinary).expect(201);
        api.put("/api/courses/%s/students/%s/override".formatted(course, id), "{\"reason\": \"Retakes <b> it\"}")
                .expect(201);
        api.get("/api/students/%s/courses".formatted(id)).expect(200);

        Page shown = office.open(LIST + "/" + id).expect(200);

        assertThat(shown.text()).containsOnlyOnce("Override Retakes <b> it (by the local user )");
        assertThat(shown.html()).doesNotContain("<b>");
    }
}
