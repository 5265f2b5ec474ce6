package dev.registrar.security;

import static java.util.stream.Collectors.joining;
import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.console.ConsoleClient;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestMethod;
import org.springframework.web.servlet.handler.SimpleUrlHandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.RequestMappingInfoHandlerMapping;

/**
 * Sends one request for each mapping of the running service and each kind of caller, and compares the statuses with the
 * table {@code access-table.txt}. 401 and 403 mean that the caller may not; any other status, that the operation
 * answered. A mapping without a line in the table fails the test, and so does a line without a mapping.
 */
@ServiceWithIssuerTest
class AccessTableTest {
    private static final String TABLE = "dev/registrar/security/access-table.txt";
    private static final String COURSE = "access-course";
    private static final String OWN = "access-own";
    private static final String OTHER = "access-other";

    private final Map<String, String> bodies = Map.of("POST /api/courses/import", "text/csv");
    private final HttpClient client = HttpClient.newHttpClient();
    private final ObjectProvider<RequestMappingInfoHandlerMapping> mappings;
    private final ObjectProvider<SimpleUrlHandlerMapping> resources;
    private final int port;
    private final Map<Column, Visit> visits = new HashMap<>();

    AccessTableTest(
            @LocalServerPort int port,
            @Autowired ObjectProvider<RequestMappingInfoHandlerMapping> mappings,
            @Autowired ObjectProvider<SimpleUrlHandlerMapping> resources) {
        this.port = port;
        this.mappings = mappings;
        this.resources = resources;
    }

    /**
     * A column of the table.
     *
     * @param student whose id is in the path
     */
    private record Column(String student, List<String> headers) {
        Column(String student, String... headers) {
            this(student, List.of(headers));
        }

        /** The access token; empty if the caller has none. */
        String token() {
            return headers.isEmpty() ? "" : headers.get(1).replaceFirst("^Bearer ", "");
        }
    }

    /** A column's caller at a browser, logged in if that is possible. */
    private record Visit(TestBrowser browser, String csrf) {}

    private static final List<Column> COLUMNS = List.of(
            // none
            new Column(OTHER),
            // expired
            new Column(OTHER, TestIssuer.expired()),
            // no role
            new Column(OTHER, TestIssuer.person("stranger")),
            // student: own
            new Column(OWN, TestIssuer.student(OWN)),
            // student: other
            new Column(OTHER, TestIssuer.student(OWN)),
            // office
            new Column(OTHER, TestIssuer.person("office", Role.COURSE_OFFICE)),
            // operator
            new Column(OTHER, TestIssuer.person("operator", Role.OPERATOR)),
            // auditor
            new Column(OTHER, TestIssuer.person("auditor", Role.AUDITOR)),
            // dcb:read
            new Column(OTHER, TestIssuer.machine(Scope.READ)),
            // dcb:append
            new Column(OTHER, TestIssuer.machine(Scope.APPEND)));

    /* A course in which both students are enrolled. */
    @BeforeEach
    void populate() {
        Api api = new Api(port);
        String[] office = TestIssuer.person("office", Role.COURSE_OFFICE);
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(COURSE), office);
        for (String student : List.of(OWN, OTHER)) {
            api.post(
                    "/api/students",
                    "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"%s@example.org\"}".formatted(student, student),
                    office);
            api.put("/api/courses/%s/students/%s".formatted(COURSE, student), "", office);
        }
    }

    @Test
    void every_mapping_answers_each_role_as_the_table_says() throws Exception {
        Map<String, String> expected = table();

        Map<String, String> actual = new LinkedHashMap<>();
        for (String mapping : expected.keySet()) {
            actual.put(mapping, statuses(mapping));
        }

        assertThat(text(actual)).isEqualTo(text(expected));
    }

    @Test
    void the_table_names_every_mapping_and_no_other() throws IOException {
        assertThat(table().keySet()).containsExactlyInAnyOrderElementsOf(mapped());
    }

    /* As method and pattern; a mapping for every method has the method GET here. */
    private Set<String> mapped() {
        Stream<String> controllers = mappings.stream()
                .flatMap(mapping -> mapping.getHandlerMethods().keySet().stream())
                .flatMap(AccessTableTest::operations);
        Stream<String> files = resources.stream()
                .flatMap(mapping -> mapping.getUrlMap().keySet().stream())
                .map(pattern -> "GET " + pattern);
        return Stream.concat(controllers, files).collect(toCollection(TreeSet::new));
    }

    private static Stream<String> operations(RequestMappingInfo mapping) {
        Set<RequestMethod> methods = mapping.getMethodsCondition().getMethods();
        List<String> names = methods.isEmpty()
                ? List.of("GET")
                : methods.stream().map(RequestMethod::name).toList();
        return mapping.getPatternValues().stream()
                .flatMap(pattern -> names.stream().map(name -> "%s %s".formatted(name, pattern)));
    }

    private static Map<String, String> table() throws IOException {
        Map<String, String> rows = new LinkedHashMap<>();
        new ClassPathResource(TABLE)
                .getContentAsString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .forEach(line -> {
                    List<String> cells = Arrays.stream(line.split("\\|", -1))
                            .map(String::strip)
                            .toList();
                    rows.put(cells.getFirst(), String.join(" ", cells.subList(1, cells.size())));
                });
        return rows;
    }

    private static String text(Map<String, String> rows) {
        return rows.entrySet().stream()
                .map(row -> "%-62s | %s".formatted(row.getKey(), row.getValue().replace(" ", " | ")))
                .collect(joining("\n"));
    }

    private String statuses(String mapping) throws Exception {
        List<String> statuses = new ArrayList<>();
        for (Column column : COLUMNS) {
            statuses.add(String.valueOf(status(mapping, column)));
        }
        return String.join(" ", statuses);
    }

    /* The body of an answer may have no end: only its status is read. */
    private int status(String mapping, Column column) throws Exception {
        String[] parts = mapping.split(" ", -1);
        String path = parts[1].replace("{studentId}", column.student())
                .replace("{courseId}", COURSE)
                .replace("{importId}", "01900000-0000-7000-8000-00000000abcd")
                .replace("{position}", "1")
                .replace("/health/**", "/health/db")
                .replace("/swagger-ui/**", "/swagger-ui/index.html")
                .replaceAll("\\{[^}]*}", "unknown")
                .replace("/**", "/unknown");
        if (path.equals("/") || path.startsWith("/console/")) {
            return visitStatus(parts[0], path, column);
        }
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%s%s".formatted(port, path)));
        if (!column.headers().isEmpty()) {
            request.headers(column.headers().toArray(String[]::new));
        }
        if (parts[0].equals("POST") || parts[0].equals("PUT")) {
            request.header("Content-Type", bodies.getOrDefault(mapping, MediaType.APPLICATION_JSON_VALUE));
            request.method(parts[0], BodyPublishers.ofString("{}"));
        } else {
            request.method(parts[0], BodyPublishers.noBody());
        }
        HttpResponse<InputStream> answer = client.send(request.build(), BodyHandlers.ofInputStream());
        answer.body().close();
        return answer.statusCode();
    }

    /* The console knows a caller by the session alone, so the request has no header Authorization. */
    private int visitStatus(String method, String path, Column column) throws IOException {
        Visit visit = visits.computeIfAbsent(column, this::visit);
        HttpResponse<InputStream> answer =
                visit.browser().stream(method, path, ConsoleClient.form("_csrf", visit.csrf()));
        answer.body().close();
        return answer.statusCode();
    }

    private Visit visit(Column column) {
        TestBrowser browser = new TestBrowser(port);
        if (!column.token().isEmpty()) {
            browser.login(column.token());
        }
        return new Visit(browser, TestBrowser.findCsrf(browser.open("/")).orElse("none"));
    }
}
