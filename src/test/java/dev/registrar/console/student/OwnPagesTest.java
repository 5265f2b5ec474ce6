package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Answer;
import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.security.Role;
import dev.registrar.security.ServiceWithIssuerTest;
import dev.registrar.security.TestIssuer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

/** With an issuer, the pages show the student of the token and no other, whatever the request says. */
@ServiceWithIssuerTest
class OwnPagesTest {
    private static final String[] OFFICE = TestIssuer.person("office", Role.COURSE_OFFICE);

    private final Api api;
    private final ConsoleClient client;
    private final String ann = Api.newId("ann");
    private final String bob = Api.newId("bob");
    private final String maths = Api.newId("maths");

    OwnPagesTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.client = new ConsoleClient(port);
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

    private Page open(String path, String... headers) {
        api.get("/api/courses/%s/students/%s".formatted(maths, bob), OFFICE).expect(200);
        api.get("/api/students/" + bob, OFFICE).expect(200);
        api.get("/api/courses/" + maths, OFFICE).expect(200);
        return client.open(path, headers).expect(200);
    }

    @Test
    void another_students_id_in_the_request_has_no_effect() {
        String parameters = "?student=%1$s&studentId=%1$s&visitor.student=%1$s&whose.id=%1$s".formatted(bob);
        String cookie = "registrar-role=student."
                + Base64.getUrlEncoder().withoutPadding().encodeToString(bob.getBytes(StandardCharsets.UTF_8));

        for (String path : new String[] {"/console/my", "/console/courses", "/console/courses/" + maths}) {
            String[] asAnn = TestIssuer.student(ann);
            Page page = open(path + parameters, asAnn[0], asAnn[1], "Cookie", cookie);

            assertThat(page.text()).contains("You are " + ann).doesNotContain(bob, "You are enrolled");
        }
        assertThat(open("/console/my", TestIssuer.student(bob)).text()).contains("Mathematics");
    }

    @Test
    void a_form_that_names_another_student_is_about_the_own_student() {
        String[] asAnn = TestIssuer.student(ann);
        Page page = client.open("/console/courses/" + maths, asAnn).expect(200);

        Page dropped = submitAs(asAnn, page, "drop");
        submitAs(asAnn, page, "enroll");

        assertThat(dropped.status()).isEqualTo(200);
        assertThat(enrolled(bob).status()).isEqualTo(200);
        assertThat(enrolled(ann).status()).isEqualTo(200);
    }

    private Page submitAs(String[] student, Page page, String button) {
        Matcher token = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"").matcher(page.html());
        assertThat(token.find()).isTrue();
        return client.post(
                "/console/courses/%s/%s".formatted(maths, button),
                ConsoleClient.form("_csrf", token.group(1), "student", bob, "studentId", bob, "page", "course"),
                student);
    }

    private Answer enrolled(String student) {
        return api.get("/api/courses/%s/students/%s".formatted(maths, student), OFFICE);
    }

    @Test
    void a_token_without_a_student_is_told_so() {
        Page page = open("/console/courses", TestIssuer.person("guest", Role.STUDENT));

        assertThat(page.text()).contains("Your account has no student id").doesNotContain("Which student are you?");
        assertThat(page.html()).doesNotContain("/enroll\"");
    }

    @Test
    void a_token_whose_student_is_not_registered_is_told_so() {
        Page page = open("/console/my", TestIssuer.student(Api.newId("stranger")));

        assertThat(page.text()).contains("No student is registered", "Ask the course office to register you.");
    }
}
