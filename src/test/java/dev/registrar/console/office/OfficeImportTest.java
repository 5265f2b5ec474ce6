package dev.registrar.console.office;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;

/** The import of a file in the console, with and without a multipart form. */
@ServiceTest
class OfficeImportTest {
    private static final String IMPORT = "/console/office/import";
    private static final String LIST = "/console/office/courses";
    private static final String BOUNDARY = "----boundary";
    private static final String TYPE = "multipart/form-data; boundary=" + BOUNDARY;
    private static final Pattern AREA = Pattern.compile("(?s)<textarea[^>]*>\n?(.*?)</textarea>");
    private static final Pattern TOKEN = Pattern.compile("name=\"_csrf\" value=\"([^\"]+)\"");

    private final ConsoleClient office;
    private final ConsoleClient other;
    private final Api api;

    OfficeImportTest(@LocalServerPort int port) {
        this.api = new Api(port);
        this.office = new ConsoleClient(port).after(api);
        this.other = new ConsoleClient(port).after(api);
    }

    @Test
    void a_file_is_imported_and_its_progress_shown() {
        String first = Api.newId("course");
        String second = Api.newId("course");

        Page begun = send("id,title,capacity\n%s,Latin,3\n%s,Greek,4\n".formatted(first, second))
                .expect(200);
        Page ended = ended(begun);

        assertThat(begun.path()).startsWith(IMPORT + "/");
        assertThat(ended.text())
                .contains("All courses of the file are defined.", "2 of 2")
                .containsPattern("Accepted 2 Errors 0");
        assertThat(ended.html()).doesNotContain("every 2s");
        assertThat(api.get("/api/courses/" + second + "?consistency=strong")
                        .expect(200)
                        .json()
                        .path("title")
                        .asString())
                .isEqualTo("Greek");
    }

    @Test
    void a_downloaded_list_of_courses_is_imported_again() {
        String word = Api.newId("Übung; \"again\", =1");
        String old = Api.newId("course");
        api.post("/api/courses", """
                        {"id": "%s", "title": "%s", "capacity": 7, "opensAt": "2026-09-01T08:00:00Z",
                         "prerequisites": ["%s"],
                         "times": [{"day": "MONDAY", "from": "10:00", "to": "11:30"}]}""".formatted(old, word.replace("\"", "\\\""), api.course(1)))
                .expect(201);
        api.get("/api/courses/" + old).expect(200);
        String list = LIST + "?search=" + URLEncoder.encode(word, StandardCharsets.UTF_8);
        String form = office.open(IMPORT).expect(200).text();

        Page shown = office.open(list).expect(200);
        String file = office.open(list + "&download=csv").expect(200).html();
        String id = Api.newId("course");
        Page ended = ended(send(file.replace(old, id)));

        assertThat(form)
                .contains("CSV in UTF-8 or Windows-1252", "separated by commas, semicolons or tabs")
                .contains("such as the list that the page of the courses downloads");
        assertThat(shown.text())
                .contains("UTF-8, commas between the columns; an import reads it where its ids are free");
        assertThat(ended.text()).contains("All courses of the file are defined.");
        assertThat(course(id)).isEqualTo(course(old).replace(old, id));
    }

    private String course(String id) {
        return api.get("/api/courses/%s?consistency=strong".formatted(id))
                .expect(200)
                .text();
    }

    @Test
    void errors_are_listed_by_line_field_and_sentence() {
        String id = Api.newId("course");
        String taken = api.course(1);

        Page ended = ended(send("""
                id,title,capacity
                %s,Latin,3
                <script>alert(1)</script>,Greek,4
                a,,many
                """.formatted(id)));
        Page refused = ended(send("id,title,capacity\n%s,Again,3\nb,,3\n".formatted(taken)));

        assertThat(ended.text())
                .contains("The file has errors, and no course was defined.", "All errors")
                .containsPattern("Line 3 id A course id is .*<script>alert\\(1\\)</script>'\\.")
                .contains("Line 4 title The field is missing.", "The field is not a number of seats: 'many'.");
        assertThat(ended.html()).doesNotContain("<script>alert");
        assertThat(refused.text())
                .contains("Choose another id, because another course already has this one: '%s'".formatted(taken));
        assertThat(api.get("/api/courses/" + id + "?consistency=strong").status())
                .isEqualTo(404);
    }

    @Test
    void lines_with_errors_are_offered_again_beside_their_errors() {
        String id = Api.newId("course");
        String lines = "\r\nid,title,capacity\r\n%s,<b>Latin</b>,many\r\n".formatted(id);

        Page refused = ended(office.submit(IMPORT, IMPORT, "text", lines));
        String offered = offered(refused);
        Page corrected = ended(office.submit(refused, IMPORT, "text", offered.replace("many", "3")));

        assertThat(offered.replace("\r", "")).isEqualTo(lines.replace("\r", ""));
        assertThat(refused.text()).contains("'many'. Sent: %s,<b>Latin</b>,many".formatted(id));
        assertThat(refused.html()).doesNotContain("<b>Latin");
        assertThat(offered(office.open(refused.path())))
                .as("another import was sent")
                .isEmpty();
        assertThat(corrected.text()).contains("All courses of the file are defined.");
        assertThat(corrected.html()).doesNotContain("<textarea");
    }

    @Test
    void the_lines_of_an_import_are_private_to_their_session() {
        Page refused = ended(send("id,title,capacity\nsecret-line,,3\nother,\uFFFD,1\n"));

        Page ofOther = other.open(refused.path()).expect(200);
        Page loadedAgain = office.open(refused.path()).expect(200);

        assertThat(ofOther.text())
                .contains("The field is missing.", "The lines are shown only to the person who sent them")
                .doesNotContain("secret-line");
        assertThat(loadedAgain.text()).doesNotContain("shown only to the person");
        assertThat(ofOther.html()).doesNotContain("<textarea");
        assertThat(offered(loadedAgain)).contains("secret-line,,3", "other,\uFFFD,1");
    }

    /* The lines in the form of a page, as a browser reads them; empty if it has none. */
    private static String offered(Page page) {
        Matcher area = AREA.matcher(page.html());
        return area.find() ? HtmlUtils.htmlUnescape(area.group(1)) : "";
    }

    @Test
    void lines_that_are_sent_again_show_the_earlier_import() {
        String lines = "id,title,capacity\n%s,Latin,3\n".formatted(Api.newId("course"));

        Page first = ended(office.submit(IMPORT, IMPORT, "text", lines));
        Page again = office.submit(IMPORT, IMPORT, "text", lines);

        assertThat(first.text()).doesNotContain("earlier import");
        assertThat(again.path()).isEqualTo(first.path());
        assertThat(again.text())
                .contains("The same lines were sent before. This is the result of the earlier import.", "1 of 1");
    }

    @Test
    void a_file_beyond_the_limit_is_refused_with_the_limit() {
        Page refused = send("x".repeat(4 * 1024 * 1024 + 1));

        assertThat(refused.status()).isEqualTo(413);
        assertThat(refused.text()).contains("The file is larger than 4 MB. Split it");
    }

    @Test
    void a_form_that_is_not_whole_is_refused_with_what_to_do() {
        String token = part("_csrf", token());
        String parts = part("x", "y").repeat(9);

        for (String broken : new String[] {token, token + parts + end()}) {
            Page refused = office.post(IMPORT, broken, "Content-Type", TYPE);

            assertThat(refused.status()).as(broken).isBetween(400, 413);
            assertThat(refused.text()).contains("Nothing was imported.");
        }
        assertThat(office.post(IMPORT, token + end(), "Content-Type", "multipart/form-data")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void a_form_without_the_token_of_its_page_is_refused() {
        String id = Api.newId("course");
        String file = part("file\"; filename=\"a.csv", "id,title,capacity\n%s,Latin,3\n".formatted(id));
        office.open(IMPORT).expect(200);

        Page without = office.post(IMPORT, file + end(), "Content-Type", TYPE);
        Page forged = office.post(IMPORT, part("_csrf", "forged") + file + end(), "Content-Type", TYPE);

        assertThat(without.status()).isEqualTo(403);
        assertThat(forged.status()).isEqualTo(403);
        assertThat(api.get("/api/courses/" + id + "?consistency=strong").status())
                .isEqualTo(404);
    }

    private String token() {
        Matcher token = TOKEN.matcher(office.open(IMPORT).expect(200).html());
        assertThat(token.find()).isTrue();
        return HtmlUtils.htmlUnescape(token.group(1));
    }

    private Page send(String file) {
        return office.post(
                IMPORT,
                part("_csrf", token())
                        + part("file\"; filename=\"" + (file.isEmpty() ? "" : "courses.csv"), file)
                        + end(),
                "Content-Type",
                TYPE);
    }

    private static String part(String name, String content) {
        return "--%s\r\nContent-Disposition: form-data; name=\"%s\"\r\n\r\n%s\r\n".formatted(BOUNDARY, name, content);
    }

    private static String end() {
        return "--" + BOUNDARY + "--\r\n";
    }

    /* The page of an import after its end, by the link that does without a script. */
    private Page ended(Page begun) {
        return await().until(
                        () -> office.open(begun.path()).expect(200),
                        page -> !page.html().contains("Look again"));
    }
}
