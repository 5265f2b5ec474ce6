package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** Weekly times on the pages of the console: typed, shown, and what clashes. */
@ServiceTest
class OfficeTimesTest {
    private static final String MONDAY = "Mon 10:00-12:00";

    private final ConsoleClient office;
    private final ConsoleClient other;
    private final Api api;

    OfficeTimesTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
        this.other = new ConsoleClient(port).after(api);
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
    void the_weekly_times_are_changed_or_refused_with_a_reason() {
        String course = course(2);
        String action = page(course) + "/times";

        Page changed = office.submit(page(course), action, "times", "Monday 10:00 – 12:00");
        Page same = office.submit(page(course), action, "times", "Mon 10:00-12:00");
        Page none = office.submit(page(course), action, "times", "");
        Page wrong = office.submit(page(course), action, "times", "Monday at ten");

        assertThat(changed.expect(200).text()).contains("now meets weekly: Mon 10:00-12:00");
        assertThat(same.status()).isEqualTo(409);
        assertThat(changed.path()).isEqualTo(page(course));
        assertThat(changed.text()).contains("No student of the course is in another course at these times.");
        assertThat(wrong.status()).isEqualTo(422);
        assertThat(wrong.text()).contains("These are not up to 20 weekly meetings");
        assertThat(wrong.html()).contains("value=\"Monday at ten\"");
        assertThat(none.expect(200).text()).contains("Course %s no longer has weekly times.".formatted(course));
    }

    @Test
    void a_course_is_defined_with_times_which_lists_and_pages_show() {
        String id = Api.newId("course");
        String define = "/console/office/define";
        String title = Api.newId("timed");

        Page shown = office.submit(define, define, "id", id, "title", title, "capacity", "2", "times", MONDAY)
                .expect(200);
        String student = api.student();
        api.enroll(student, id).expect(201);
        api.get("/api/students/%s/courses?consistency=strong".formatted(student))
                .expect(200);

        assertThat(shown.text()).contains("It meets weekly: %s.".formatted(MONDAY));
        for (String listed : new String[] {
            "/console/office/courses?search=" + title,
            "/console/office/students/" + student,
            "/console/courses?search=" + title,
            "/console/courses/" + id
        }) {
            assertThat(office.open(listed).expect(200).text()).as(listed).contains(MONDAY);
        }
        assertThat(office.open(page(id) + "/history").expect(200).text())
                .contains("it meets weekly (%s)".formatted(MONDAY));
    }

    @Test
    void a_change_leads_back_to_the_course_and_names_the_students_who_now_clash() {
        String maths = course(2);
        String music = course(2);
        String student = api.student();
        office.submit(page(music), page(music) + "/times", "times", MONDAY).expect(200);
        api.enroll(student, maths).expect(201);
        api.enroll(student, music).expect(201);

        Page changed = office.submit(page(maths), page(maths) + "/times", "times", "Mon 11:00-11:30")
                .expect(200);

        assertThat(changed.path()).isEqualTo(page(maths));
        assertThat(changed.text())
                .contains("1 student is now in another course at the same time: %s.".formatted(student));
        assertThat(changed.html()).contains(page(maths) + "/clashes");
        Page list = office.open(page(maths) + "/clashes").expect(200);
        assertThat(list.text()).contains("1 student is in another course at the same time", student, MONDAY);
        assertThat(list.html()).contains(page(music));
        assertThat(office.open(page(maths) + "/clashes?after=999999999")
                        .expect(200)
                        .text())
                .contains("No further students.");
        office.open("/console/office/courses/nowhere/clashes").expect(404);
    }

    @Test
    void a_clashing_student_is_not_enrolled_by_the_office() {
        String maths = course(2);
        String music = course(2);
        String student = api.student();
        for (String course : new String[] {maths, music}) {
            office.submit(page(course), page(course) + "/times", "times", MONDAY)
                    .expect(200);
        }
        api.enroll(student, maths).expect(201);

        Page refused = office.submit(page(music), page(music) + "/students", "student", student);

        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text())
                .contains("clashes for student %s: %s with course %s".formatted(student, MONDAY, maths))
                .contains("Drop the other course of the student");
        assertThat(refused.html()).contains("href=\"%s\"".formatted(page(maths)));
    }

    @Test
    void an_override_that_passes_a_clash_is_shown_on_the_roster_and_on_the_page_of_the_student() {
        String maths = course(2);
        String music = course(2);
        String student = api.student();
        for (String course : new String[] {maths, music}) {
            office.submit(page(course), page(course) + "/times", "times", MONDAY)
                    .expect(200);
        }
        api.enroll(student, maths).expect(201);

        Page roster = office.submit(page(music), page(music) + "/override", "admitted", student, "reason", "Retakes it")
                .expect(200);
        Page own = office.open("/console/office/students/" + student).expect(200);

        assertThat(roster.text()).contains("At the same time: " + maths);
        assertThat(roster.html()).contains("href=\"%s\"".formatted(page(maths)));
        assertThat(own.text()).contains("At the same time: " + maths, "At the same time: " + music);
        assertThat(office.open(page(maths)).expect(200).text()).doesNotContain("At the same time:");
    }

    @Test
    void a_student_sees_which_own_courses_meet_at_the_same_time_after_their_times_have_changed() {
        String maths = course(2);
        String music = course(2);
        String student = api.student();
        api.enroll(student, maths).expect(201);
        api.enroll(student, music).expect(201);
        other.submit("/", "/console/role", "role", "student", "student", student)
                .expect(200);
        assertThat(other.open("/console/my").expect(200).text()).doesNotContain("At the same time:");

        for (String course : new String[] {maths, music}) {
            office.submit(page(course), page(course) + "/times", "times", MONDAY)
                    .expect(200);
        }

        await().untilAsserted(
                        () -> assertThat(other.open("/console/my").expect(200).text())
                                .contains("At the same time: " + maths, "At the same time: " + music));
    }

    @Test
    void a_student_whose_enrollment_clashes_gets_a_link_to_the_other_course() {
        String maths = course(2);
        String music = course(2);
        String student = api.student();
        for (String course : new String[] {maths, music}) {
            office.submit(page(course), page(course) + "/times", "times", MONDAY)
                    .expect(200);
        }
        api.enroll(student, maths).expect(201);
        other.submit("/", "/console/role", "role", "student", "student", student)
                .expect(200);

        Page refused = other.submit(
                        "/console/courses/" + music,
                        "/console/courses/%s/enroll".formatted(music),
                        "page",
                        "course",
                        "shownFor",
                        student)
                .expect(200);

        assertThat(refused.text()).contains("meets at the same time as another course of yours", "At the same time:");
        assertThat(refused.html()).contains("href=\"/console/courses/%s\"".formatted(maths));
    }
}
