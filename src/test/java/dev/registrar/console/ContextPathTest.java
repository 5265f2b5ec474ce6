package dev.registrar.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.console.ConsoleClient.Page;
import dev.registrar.http.ServiceTest;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.context.TestPropertySource;
import org.springframework.web.util.HtmlUtils;

/** The console works below a context path: pages, assets, forms, redirects and live streams. */
@ServiceTest
@TestPropertySource(properties = "server.servlet.context-path=/campus")
@Tag("thorough")
class ContextPathTest {
    private static final String CONTEXT = "/campus";
    private static final Pattern ADDRESS =
            Pattern.compile("\\s(href|src|action|hx-get|hx-post|sse-connect)=\"([^\"]*)\"");
    private static final int MOST_PAGES = 250;

    private final int port;
    private final Api api;
    private final ConsoleClient client;
    private final String course = Api.newId("course");
    private final String student = Api.newId("student");

    ContextPathTest(@LocalServerPort int port) {
        this.port = port;
        this.api = new Api(port);
        this.client = new ConsoleClient(port);
    }

    @BeforeEach
    void enroll() {
        api.post(
                        CONTEXT + "/api/students",
                        "{\"id\": \"%1$s\", \"name\": \"Ann\", \"email\": \"%1$s@example.org\"}".formatted(student))
                .expect(201);
        api.post(
                        CONTEXT + "/api/courses",
                        "{\"id\": \"%s\", \"title\": \"Mathematics\", \"capacity\": 3}".formatted(course))
                .expect(201);
        api.put(CONTEXT + "/api/courses/%s/students/%s".formatted(course, student))
                .expect(201);
        Awaitility.await().untilAsserted(() -> {
            api.get(CONTEXT + "/api/students/%s/courses".formatted(student)).expect(200);
            api.get(CONTEXT + "/api/courses/" + course).expect(200);
        });
    }

    /* Follows all links, for all roles and as a student, and asks for each asset. Forms are not sent. */
    @Test
    void each_link_asset_and_stream_of_each_page_leads_somewhere() {
        Set<String> wrong = new TreeSet<>();
        Set<String> visited = crawl(wrong, "/", "/console/events?live=on");
        client.submit(CONTEXT + "/", CONTEXT + "/console/role", "role", "student", "student", student)
                .expect(200);
        visited.addAll(crawl(wrong, "/"));

        assertThat(wrong).isEmpty();
        assertThat(visited)
                .contains(
                        CONTEXT + "/console/courses",
                        CONTEXT + "/console/my",
                        CONTEXT + "/console/lab",
                        CONTEXT + "/console/store",
                        CONTEXT + "/console/projections/courses",
                        CONTEXT + "/console/office/courses/" + course,
                        CONTEXT + "/console/assets/console.js",
                        CONTEXT + "/console/assets/registrar.css")
                .anyMatch(path -> path.startsWith(CONTEXT + "/console/live/seats"))
                .anyMatch(path -> path.startsWith(CONTEXT + "/console/events/live"));
    }

    private Set<String> crawl(Set<String> wrong, String... first) {
        Set<String> found = new LinkedHashSet<>();
        for (String path : first) {
            found.add(CONTEXT + path);
        }
        Deque<String> open = new ArrayDeque<>(found);
        for (int pages = 0; pages < MOST_PAGES && !open.isEmpty(); pages++) {
            String path = open.removeFirst();
            Page page = client.open(path);
            if (page.status() != 200) {
                wrong.add("%s answers %s".formatted(path, page.status()));
            }
            if (path.startsWith(CONTEXT + "/swagger-ui/")) {
                // Of another project, with scripts that contain templates of links.
                continue;
            }
            ADDRESS.matcher(page.html()).results().forEach(address -> {
                String target = HtmlUtils.htmlUnescape(address.group(2)).replaceAll("#.*", "");
                if (target.isEmpty() || target.startsWith("https://") || target.startsWith("data:")) {
                    return;
                }
                if (!target.startsWith("/")) {
                    target = URI.create(path).resolve(target).toString();
                }
                if (!target.startsWith(CONTEXT + "/")) {
                    wrong.add("%s has %s".formatted(path, address.group()));
                } else if (address.group(1).equals("sse-connect")) {
                    if (found.add(target)) {
                        connect(target);
                    }
                } else if (!address.group(1).equals("action")
                        && !address.group(1).equals("hx-post")
                        && found.add(target)) {
                    open.addLast(target);
                }
            });
        }
        return found;
    }

    private void connect(String stream) {
        try (LiveClient live = LiveClient.get(port, stream)) {
            assertThat(live.status()).as(stream).isEqualTo(200);
        }
    }

    @Test
    void forms_redirect_to_pages_below_the_context_path() {
        String defined = Api.newId("course");
        Page page = client.submit(
                        CONTEXT + "/console/office/define",
                        CONTEXT + "/console/office/define",
                        "id",
                        defined,
                        "title",
                        "Logic",
                        "capacity",
                        "2")
                .expect(200);
        assertThat(page.path()).isEqualTo(CONTEXT + "/console/office/courses/" + defined);

        Page chosen = client.submit(CONTEXT + "/", CONTEXT + "/console/role", "role", "student", "student", student)
                .expect(200);
        assertThat(chosen.path()).startsWith(CONTEXT + "/");

        Awaitility.await()
                .untilAsserted(() ->
                        client.open(CONTEXT + "/console/courses/" + defined).expect(200));
        Page enrolled = client.submit(
                        CONTEXT + "/console/courses/" + defined, CONTEXT + "/console/courses/" + defined + "/enroll")
                .expect(200);
        assertThat(enrolled.path()).startsWith(CONTEXT + "/console/courses");
        assertThat(enrolled.text()).contains("Logic");
    }
}
