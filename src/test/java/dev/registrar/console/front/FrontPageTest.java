package dev.registrar.console.front;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;

@ServiceTest
class FrontPageTest {
    private final ConsoleClient client;
    private final Api api;

    FrontPageTest(@LocalServerPort int port) {
        this.client = new ConsoleClient(port);
        this.api = new Api(port);
    }

    @Test
    void a_refused_id_of_a_student_is_kept_with_a_sentence_that_is_right() {
        Page page = client.submit("/", "/console/role", "role", "student", "student", "-ann.b_c~d")
                .expect(200);

        assertThat(page.text())
                .contains(
                        "'-ann.b_c~d' is not the id of a student. An id is a letter or a digit, then up to 63 letters, digits, dots, underscores, tildes or hyphens.");
        assertThat(page.html())
                .contains("value=\"-ann.b_c~d\"")
                .contains("aria-describedby=\"role-student-fault\" aria-invalid=\"true\"")
                .contains("id=\"role-student-fault\"");
    }

    @Test
    void a_student_who_is_not_registered_is_not_chosen() {
        Page page = client.submit("/", "/console/role", "role", "student", "student", "no-such-student")
                .expect(200);

        assertThat(page.path()).isEqualTo("/");
        assertThat(page.text()).contains("No student is registered with the id 'no-such-student'", "All roles");
        assertThat(page.html()).contains("value=\"no-such-student\"").containsPattern("value=\"student\" selected");
    }

    @Test
    void a_choice_leads_back_to_the_page_of_a_student_on_which_it_was_made() {
        String mine = "/console/my";
        String student = api.student();
        api.get("/api/students/" + student).expect(200);

        Page refused = client.submit(mine, "/console/role", "page", mine, "student", "no-such-student");
        Page chosen = client.submit(mine, "/console/role", "page", mine, "student", student);
        Page inCatalogue = client.submit(
                "/", "/console/role", "page", "/console/courses?search=a%20b&filter=open", "student", student);
        Page elsewhere = client.submit("/", "/console/role", "page", "//example.org", "student", student);

        assertThat(refused.path()).isEqualTo(mine);
        assertThat(refused.text()).contains("No student is registered with the id 'no-such-student'");
        assertThat(refused.html())
                .contains("value=\"no-such-student\"")
                .contains("aria-describedby=\"choose-student-fault\" aria-invalid=\"true\"")
                .contains("id=\"choose-student-fault\"");
        assertThat(chosen.path()).isEqualTo(mine);
        assertThat(inCatalogue.html()).contains("value=\"a b\"", "value=\"open\" selected");
        assertThat(elsewhere.path()).isEqualTo("/console/courses");
    }

    @Test
    void a_form_without_the_token_of_its_page_changes_nothing() {
        client.open("/").expect(200);

        Page page = client.post("/console/role", "role=operator");

        assertThat(page.status()).isEqualTo(403);
        assertThat(page.html()).contains("<h1");
        assertThat(client.open("/").expect(200).text()).contains("Catalogue", "Projections");
    }

    @Test
    void a_browser_at_an_unknown_address_outside_the_console_gets_a_page_too() {
        String browser = "text/html,application/xhtml+xml,*/*;q=0.8";

        Page page = client.open("/no-such-page", "Accept", browser);

        assertThat(page.status()).isEqualTo(404);
        assertThat(page.text()).contains("There is no such page", "To the front page");
        assertThat(client.open("/no-such-page", "Accept", "*/*").html()).startsWith("{");
        assertThat(client.open("/api/no-such-resource", "Accept", browser).html())
                .startsWith("{");
    }
}
