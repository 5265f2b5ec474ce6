package dev.registrar.console.student;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.web.util.HtmlUtils;

/** Search, filters, order and pages of the catalogue, and texts that try to break it. */
@ServiceTest
class CatalogueTest extends StudentPagesFixture {
    private static final Pattern NEXT = Pattern.compile("rel=\"next\" href=\"([^\"]+)\"");
    private static final Pattern COURSE = Pattern.compile("<code class=\"quiet\">([^<]+)</code>");

    CatalogueTest(@LocalServerPort int port) {
        super(port);
    }

    private static List<String> ids(Page page) {
        return COURSE.matcher(page.html())
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    private List<String> allIds(String path) {
        List<String> ids = new ArrayList<>();
        String next = path;
        while (!next.isEmpty()) {
            Page page = open(next).expect(200);
            assertThat(ids(page)).hasSizeLessThanOrEqualTo(StudentReads.MOST);
            ids.addAll(ids(page));
            Matcher link = NEXT.matcher(page.html());
            next = link.find() ? HtmlUtils.htmlUnescape(link.group(1)) : "";
        }
        return ids;
    }

    @Test
    void pages_contain_each_course_once() {
        String word = Api.newId("Geometry") + " & <co> \u05D0";
        List<String> courses = IntStream.range(0, 2 * StudentReads.MOST + 1)
                .mapToObj(number -> course(String.format(Locale.ROOT, "%s %03d", word, number), 1))
                .toList();

        assertThat(allIds("/console/courses?sort=title&search=" + encoded(word)))
                .containsExactlyElementsOf(courses);
    }

    @Test
    void filters_show_open_or_full_courses() {
        String word = Api.newId("Islam");
        String open = course(word + " A", 2);
        String full = course(word + " B", 1);
        api.enroll(api.student(), full).expect(201);

        assertThat(ids(open("/console/courses?filter=open&search=" + word))).containsExactly(open);
        assertThat(ids(open("/console/courses?filter=full&search=" + word))).containsExactly(full);
        assertThat(open("/console/courses?search=" + word).text())
                .contains("Seats free 0 of 2 seats taken", "Full 1 of 1 seat taken");
    }

    @Test
    void a_changed_address_still_shows_a_page() {
        for (String query : List.of(
                "search=%00",
                "search=%25%5C_&search=b",
                "filter=none&sort=best",
                "after=%00&afterId=%00",
                "sort=seats&after=x&afterId=y",
                "sort=seats&after=999999999999&afterId=y",
                "page=course&course=x")) {
            client.open("/console/courses?" + query).expect(200);
        }
    }

    @Test
    void a_malformed_address_is_answered_with_what_to_do() {
        Page page = client.open("/console/courses?search=%FF%FE");

        assertThat(page.status()).isEqualTo(400);
        assertThat(page.text()).contains("The query string is malformed");
    }

    @Test
    void a_title_that_only_an_append_can_store_is_shown() {
        String course = Api.newId("raw");
        api.post("/dcb/append", """
                        {"events": [{"type": "CourseDefined", "tags": ["course:%1$s"],
                         "data": {"courseId": "%1$s", "title": "a\\u0000b\\n\\u2028<b>c", "capacity": 2}}]}""".formatted(course)).expect(200);

        assertThat(open("/console/courses/" + course).expect(200).html()).contains("&lt;b&gt;c");
    }
}
