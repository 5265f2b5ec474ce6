package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The course office's pages of courses, as a person uses them without scripts. */
@ServiceTest
class OfficeCoursesTest {
    private static final String DEFINE = "/console/office/define";

    private final ConsoleClient office;
    private final Api api;

    OfficeCoursesTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
    }

    /* Defines a course, and waits until the pages show it. */
    private String course(int capacity) {
        String course = api.course(capacity);
        api.get("/api/courses/" + course).expect(200);
        return course;
    }

    private static String page(String course) {
        return "/console/office/courses/" + course;
    }

    @Test
    void a_defined_course_is_shown_with_what_was_typed() {
        String required = course(1);
        String id = Api.newId("course");

        Page shown = office.submit(
                        DEFINE,
                        DEFINE,
                        "id",
                        id,
                        "title",
                        "Algebra & Logic",
                        "capacity",
                        "12",
                        "prerequisites",
                        required,
                        "opensAt",
                        "2027-02-01T08:00",
                        "closesAt",
                        "2027-03-01T00:00",
                        "zone",
                        "+02:00")
                .expect(200);

        assertThat(shown.path()).isEqualTo(page(id));
        assertThat(shown.text())
                .contains("Course %s is defined.".formatted(id))
                .contains("Algebra & Logic", "0 of 12", "2027-02-01 06:00", "2027-02-28 22:00", required);
    }

    @Test
    void a_form_without_an_id_that_is_sent_twice_defines_one_course() {
        String title = Api.newId("Twice");
        Page form = office.open(DEFINE).expect(200);
        String newId = form.html().replaceAll("(?s).*name=\"newId\" value=\"([^\"]+)\".*", "$1");

        Page first = office.submit(form, DEFINE, "title", title, "capacity", "3", "newId", newId);
        Page second = office.submit(form, DEFINE, "title", title, "capacity", "3", "newId", newId);

        assertThat(first.path()).isEqualTo(page(newId));
        assertThat(second.path()).isEqualTo(page(newId));
        assertThat(second.text()).contains("The form was sent twice, and defined one course.");
        Page changed = office.submit(form, DEFINE, "title", title + " 2", "capacity", "3", "newId", newId);
        assertThat(changed.status()).isEqualTo(409);
        assertThat(changed.text()).contains("Send it again to define this one, too.");
        assertThat(changed.html()).contains("value=\"%s 2\"".formatted(title)).doesNotContain(newId);
        assertThat(office.submit(form, DEFINE, "title", title, "capacity", "4", "newId", newId)
                        .status())
                .isEqualTo(409);
        assertThat(office.open("/console/office/courses?search=" + title).text())
                .contains("1 course found with");
    }

    @Test
    void invalid_input_is_kept_with_a_sentence_beside_each_field() {
        Page again = office.submit(
                DEFINE,
                DEFINE,
                "id",
                "a \"b\"",
                "title",
                "",
                "capacity",
                "many",
                "prerequisites",
                "not/an/id",
                "opensAt",
                "2027-02-01T08:00",
                "closesAt",
                "2027-02-01T08:00",
                "zone",
                "UTC");

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text())
                .contains(
                        "Nothing was changed yet.",
                        "This is not an id. An id is a letter",
                        "Type a title",
                        "Type a whole number")
                .contains("These are not the ids of at most 16 courses.");
        assertThat(again.html())
                .contains("value=\"a &quot;b&quot;\"", "value=\"many\"", "value=\"not/an/id\"")
                .contains("value=\"2027-02-01T08:00\"", "aria-describedby=\"id-fault id-hint\"")
                .contains("aria-invalid=\"true\"", "autofocus", "href=\"#capacity\"");
    }

    @Test
    void a_form_with_missing_or_unknown_fields_is_refused() {
        Page without = office.submit(DEFINE, DEFINE, "id", "");
        Page crafted = office.submit(DEFINE, DEFINE, "title", "T", "capacity.seats", "0");

        assertThat(without.status()).isEqualTo(422);
        assertThat(without.text()).contains("Type a title: 1 to", "Type a whole number of seats, 1 to");
        assertThat(crafted.status()).isBetween(400, 499);
    }

    @Test
    void a_window_that_ends_before_it_begins_is_refused_beside_its_end() {
        Page again = office.submit(
                DEFINE,
                DEFINE,
                "title",
                "Algebra",
                "capacity",
                "3",
                "opensAt",
                "2027-02-01T08:00",
                "closesAt",
                "2027-02-01T08:00");

        assertThat(again.status()).isEqualTo(422);
        assertThat(again.text()).contains("Enrollment must close after it opens.");
        assertThat(again.html())
                .contains("value=\"Algebra\"", "value=\"2027-02-01T08:00\"", "closesAt-fault closesAt-hint");
    }

    @Test
    void the_seats_of_a_course_are_changed_or_refused_with_a_reason() {
        String course = course(2);
        api.enroll(api.student(), course).expect(201);
        api.enroll(api.student(), course).expect(201);

        Page more = office.submit(page(course), page(course) + "/capacity", "capacity", "5");
        Page fewer = office.submit(more, page(course) + "/capacity", "capacity", "1");
        Page none = office.submit(more, page(course) + "/capacity", "capacity", "none");

        assertThat(more.expect(200).text()).contains("now has 5 seats", "2 of 5");
        assertThat(fewer.status()).isEqualTo(409);
        assertThat(fewer.text()).contains("has 2 students enrolled").contains("drop students first");
        assertThat(fewer.html()).contains("id=\"capacity\" name=\"capacity\" value=\"1\"");
        assertThat(none.status()).isEqualTo(422);
        assertThat(none.html()).contains("value=\"none\"");
    }

    @Test
    void the_title_is_changed_or_refused_with_a_reason_also_of_a_closed_course() {
        String course = course(2);
        String action = page(course) + "/title";
        String title = Api.newId("Caf\u00E9 <b>");

        Page changed = office.submit(page(course), action, "title", title);
        Page same = office.submit(changed, action, "title", title);
        Page blank = office.submit(changed, action, "title", " ");
        office.submit(page(course) + "/close", page(course) + "/close").expect(200);
        Page closed = office.submit(page(course), action, "title", "Sets");

        assertThat(changed.expect(200).text()).contains("has a new title.", title);
        assertThat(changed.html()).doesNotContain("<b>");
        assertThat(same.status()).isEqualTo(409);
        assertThat(same.text()).contains("already has this title. Type another title");
        assertThat(blank.status()).isEqualTo(422);
        assertThat(blank.text()).contains("Type a title: 1 to 200 characters on one line.");
        assertThat(closed.expect(200).text()).contains("has a new title.", "Sets");
        assertThat(office.open(page(course) + "/history").expect(200).text())
                .contains("The course now has the title", title);
    }

    @Test
    void the_enrollment_period_is_changed_or_refused_with_a_reason() {
        String course = course(1);
        String action = page(course) + "/window";

        Page changed = office.submit(
                page(course), action, "opensAt", "2001-02-03T04:05", "closesAt", "9999-01-01T00:00", "zone", "+02:00");
        Page early = office.submit(
                changed, action, "opensAt", "2027-02-01T08:00", "closesAt", "2027-02-01T08:00", "zone", "UTC");
        Page nonsense = office.submit(changed, action, "opensAt", "soon", "closesAt", "", "zone", "UTC");
        api.enroll(api.student(), course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, api.student()))
                .expect(201);
        Page later = office.submit(changed, action, "opensAt", "9998-01-01T00:00", "closesAt", "", "zone", "UTC");
        Page always = office.submit(changed, action, "opensAt", "", "closesAt", "", "zone", "");

        assertThat(changed.expect(200).text()).contains("now takes enrollments from 2001-02-03T02:05:00Z");
        assertThat(changed.html())
                .contains("value=\"2001-02-03T02:05\"", "value=\"9998-12-31T22:00\"", "value=\"UTC\"")
                .doesNotContain("data-reader-zone");
        assertThat(early.status()).isEqualTo(422);
        assertThat(early.text()).contains("Enrollment must close after it opens.");
        assertThat(nonsense.status()).isEqualTo(422);
        assertThat(nonsense.html()).contains("value=\"soon\"", "opensAt-fault opensAt-hint");
        assertThat(later.status()).isEqualTo(409);
        assertThat(later.text())
                .contains("has 1 student on its waiting list, so its enrollment cannot open later than now")
                .contains("Leave the beginning empty");
        assertThat(always.expect(200).text())
                .contains("now takes enrollments always.")
                .doesNotContain("Enrollment closes 9");
        assertThat(always.html()).contains("data-reader-zone=\"true\"");
        office.submit(page(course) + "/close", page(course) + "/close").expect(200);
        Page closed = office.submit(changed, action, "opensAt", "2002-01-01T00:00", "closesAt", "", "zone", "UTC");
        assertThat(closed.status()).isEqualTo(409);
        assertThat(closed.text()).contains("The enrollment period of a closed course no longer changes.");
    }

    /* A browser's field for times would drop the microseconds, and the form would change an end that the office left alone. */
    @Test
    void an_end_in_microseconds_is_kept_by_the_form() {
        String course = course(1);
        api.change(
                        "PUT",
                        "/api/courses/%s/window".formatted(course),
                        "{\"closesAt\": \"9999-12-31T23:59:59.999999Z\"}",
                        Api.newId("key"))
                .expect(200);

        assertThat(office.open(page(course)).expect(200).html())
                .contains("value=\"9999-12-31T23:59:59.999999\"")
                .doesNotContain("datetime-local");
    }

    @Test
    void the_required_courses_are_changed_or_refused_with_a_reason() {
        String course = course(2);
        String required = course(2);
        String action = page(course) + "/prerequisites";

        Page changed = office.submit(page(course), action, "prerequisites", required);
        Page cycle = office.submit(page(required), page(required) + "/prerequisites", "prerequisites", course);
        Page removed = office.submit(page(course), action, "prerequisites", "");

        assertThat(changed.expect(200).text()).contains("now requires: " + required);
        assertThat(cycle.status()).isEqualTo(409);
        assertThat(cycle.text()).contains("would require itself").contains("Leave out the course");
        assertThat(cycle.html()).contains("value=\"%s\"".formatted(course));
        assertThat(removed.expect(200).text()).contains("It requires no other course.");
    }

    @Test
    void a_student_is_enrolled_on_their_behalf_and_dropped_after_a_confirmation() {
        String course = course(1);
        String student = api.student();
        String drop = "%s/students/%s/drop".formatted(page(course), student);

        Page enrolled = office.submit(page(course), page(course) + "/students", "student", student);
        Page full = office.submit(enrolled, page(course) + "/students", "student", api.student());
        Page already = office.submit(enrolled, page(course) + "/students", "student", student);
        Page confirmation = office.open(drop).expect(200);
        Page dropped = office.submit(confirmation, drop);
        Page twice = office.submit(confirmation, drop);

        assertThat(enrolled.expect(200).text())
                .contains("is enrolled in course")
                .contains("1 of 1", "Ann");
        assertThat(already.status()).isEqualTo(409);
        assertThat(already.text())
                .contains("is already enrolled in course", "There is nothing more to do.")
                .doesNotContain("Nothing was changed yet");
        assertThat(full.status()).isEqualTo(409);
        assertThat(full.text()).contains("is full: 1 of 1 seat taken").contains("Add seats");
        assertThat(already.text()).contains("Not done.");
        assertThat(confirmation.text()).contains("Drop Ann ?", "Student " + student, "The student loses the seat");
        assertThat(dropped.expect(200).text())
                .contains("is dropped from course")
                .contains("0 of 1");
        assertThat(twice.expect(200).text()).contains("Not done.", "is not enrolled in course");
        assertThat(office.open(drop).status()).isEqualTo(404);
    }

    @Test
    void a_course_is_closed_on_a_page_that_says_what_will_happen() {
        String course = course(3);

        Page confirmation = office.open(page(course) + "/close").expect(200);
        Page closed = office.submit(confirmation, page(course) + "/close").expect(200);
        Page twice = office.submit(confirmation, page(course) + "/close").expect(200);

        assertThat(confirmation.text())
                .contains("Seats, enrollment period and required courses no longer change.", "This cannot be undone.");
        assertThat(closed.path()).isEqualTo(page(course));
        assertThat(closed.text()).contains("is closed.").doesNotContain("Change the seats");
        assertThat(twice.text()).contains("Not done.", "is already closed");
    }

    @Test
    void the_waiting_list_shows_places_and_students_at_their_limit() {
        String course = course(1);
        String first = api.student();
        String second = api.student();
        api.enroll(api.student(), course).expect(201);
        api.put("/api/students/%s/tier".formatted(first), "{\"tier\": \"basic\"}")
                .expect(200);
        api.enroll(first, course(1)).expect(201);
        api.enroll(first, course(1)).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, first)).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, second)).expect(201);
        api.get("/api/courses/%s/waiting-list".formatted(course)).expect(200);

        assertThat(office.open(page(course)).expect(200).text())
                .containsPattern("1 Ann at the limit of courses %s .* 2 Ann %s".formatted(first, second));
    }

    @Test
    void the_history_links_required_courses_by_their_titles_and_shows_unknown_ids(@Autowired EventStore store) {
        String course = course(1);
        String required = course(1);
        office.submit(page(course), page(course) + "/prerequisites", "prerequisites", required)
                .expect(200);
        store.append(Append.of(Event.of(
                        "StudentEnrolledInCourse",
                        "{\"studentId\": \"unknown-one\", \"courseId\": \"%s\"}".formatted(course),
                        "course:" + course,
                        "student:unknown-one"))
                .by(Actor.ofApplication("test").onBehalfOf("<b>\u202E")));

        Page history = office.open(page(course) + "/history").expect(200);

        assertThat(history.text())
                .contains("Student unknown-one was enrolled.")
                .contains("The course now requires Mathematics ( %s ).".formatted(required));
        assertThat(history.html())
                .contains("href=\"%s\"><bdi>Mathematics</bdi></a>".formatted(page(required)))
                .contains("<code><bdi>&lt;b&gt;\u202E</bdi></code>")
                .doesNotContain("/students/unknown-one");
    }
}
