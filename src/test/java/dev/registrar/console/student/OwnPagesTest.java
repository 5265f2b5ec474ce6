package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.security.Role;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestBrowser;
import dev.registrar.security.TestIssuer;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** With an issuer, the pages show the student of the login and no other, whatever the request says. */
@ServiceWithIssuerTest
class OwnPagesTest {
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final Api api;
    private final TestBrowser browser;
    private final String ann = Api.newId("ann");
    private final String bob = Api.newId("bob");
    private final String maths = Api.newId("maths");

    OwnPagesTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.browser = new TestBrowser(port);
        for (String student : new String[] {ann, bob}) {
            api.post(
                            "/api/students",
                            "{\"id\": \"%1$s\", \"name\": \"%1$s\", \"email\": \"%1$s@example.org\"}"
                                    .formatted(student),
                            OFFICE)
                    .expect(201);
        }
        api.post(
                        "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"Mathematics\", \"capacity\": 5}".formatted(maths),
                        OFFICE)
                .expect(201);
        api.put("/api/courses/%s/students/%s".formatted(maths, bob), "", OFFICE).expect(201);
    }

    private void login(String... headers) {
        browser.login(headers[1].replaceFirst("^Bearer ", ""));
    }

    private HttpResponse<String> open(String path) {
        api.get("/api/courses/%s/students/%s".formatted(maths, bob), OFFICE).expect(200);
        api.get("/api/students/" + bob, OFFICE).expect(200);
        api.get("/api/courses/" + maths, OFFICE).expect(200);
        HttpResponse<String> page = browser.open(path);
        assertThat(page.statusCode()).as(page.body()).isEqualTo(200);
        return page;
    }

    @Test
    void another_students_id_in_the_request_has_no_effect() {
        String parameters = "?student=%1$s&studentId=%1$s&visitor.student=%1$s&whose.id=%1$s".formatted(bob);
        login(TestIssuer.student(ann));
        browser.setCookie(
                "registrar-role",
                "student."
                        + Base64.getUrlEncoder().withoutPadding().encodeToString(bob.getBytes(StandardCharsets.UTF_8)));

        for (String path : new String[] {"/console/my", "/console/courses", "/console/courses/" + maths}) {
            assertThat(open(path + parameters).body())
                    .contains("<bdi>%s</bdi>".formatted(ann))
                    .doesNotContain("<bdi>" + bob, "You are enrolled");
        }
    }

    @Test
    void a_form_that_names_another_student_is_about_the_own_student() {
        login(TestIssuer.student(ann));
        HttpResponse<String> page = open("/console/courses/" + maths);

        for (String button : new String[] {"drop", "enroll"}) {
            HttpResponse<String> answer = browser.submit(
                    "/console/courses/%s/%s".formatted(maths, button),
                    "_csrf",
                    TestBrowser.csrf(page),
                    "student",
                    bob,
                    "studentId",
                    bob,
                    "page",
                    "course",
                    "shownFor",
                    ann);
            assertThat(TestBrowser.location(answer)).endsWith("/console/courses/" + maths);
        }

        assertThat(enrolled(bob).status()).isEqualTo(200);
        assertThat(enrolled(ann).status()).isEqualTo(200);
    }

    @Test
    void a_form_of_a_login_without_a_student_says_that_the_account_has_none() {
        login(TestIssuer.person(Api.newId("guest"), Role.STUDENT));
        HttpResponse<String> page = open("/console/courses");

        browser.submit(
                "/console/courses/%s/enroll".formatted(maths), "_csrf", TestBrowser.csrf(page), "page", "course");

        assertThat(open("/console/courses/" + maths).body())
                .contains("Your account has no student id. Ask the course office for help.")
                .doesNotContain("You have not chosen a student");
    }

    private Answer enrolled(String student) {
        return api.get("/api/courses/%s/students/%s?consistency=strong".formatted(maths, student), OFFICE);
    }
}
