package dev.registrar.security;

import static dev.registrar.security.TestBrowser.location;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.TestAuthorizationServer;
import dev.registrar.http.ServiceTest;
import java.net.URI;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.DynamicPropertyRegistry;
import org.springframework.test.context.DynamicPropertySource;

/** Logins at a server of its own, with the settings that docs/security.md names and no bean of the test. */
@ServiceTest
@DirtiesContext
class IssuerLoginTest {
    private static final String CLIENT = "spring.security.oauth2.client.registration.registrar.";
    private static final Pattern FORGERY_TOKEN = Pattern.compile("name=\"_csrf\"[^>]*value=\"([^\"]+)\"");
    private static final TestAuthorizationServer ISSUER = TestAuthorizationServer.start();

    private final TestBrowser browser;
    private final TestBrowser atIssuer =
            new TestBrowser(URI.create(ISSUER.uri()).getPort());

    IssuerLoginTest(@LocalServerPort int port) {
        this.browser = new TestBrowser(port);
    }

    @DynamicPropertySource
    static void register(DynamicPropertyRegistry registry) {
        ISSUER.settings().forEach((name, value) -> registry.add(name, () -> value));
        registry.add(CLIENT + "client-id", () -> TestAuthorizationServer.CONSOLE);
        registry.add(CLIENT + "client-secret", () -> TestAuthorizationServer.CONSOLE_SECRET);
        registry.add("registrar.security.roles-claim", () -> "realm_access.roles");
        registry.add("registrar.security.student-claim", () -> "matriculation");
    }

    @AfterAll
    static void stop() {
        ISSUER.close();
    }

    private static void addPerson(String name, String role, String student) {
        ISSUER.addPerson(
                name,
                claims -> claims.claim("realm_access", Map.of("roles", List.of(role, "unknown")))
                        .claim("matriculation", student));
    }

    private static String path(String location) {
        URI target = URI.create(location);
        return target.getRawPath() + (target.getRawQuery() == null ? "" : "?" + target.getRawQuery());
    }

    /* Each redirect as a browser follows it, which keeps the cookies of both servers. */
    private HttpResponse<String> login(String page) {
        assertThat(location(browser.open(page))).isEqualTo(TestBrowser.LOGIN);
        String authorize = location(browser.open(TestBrowser.LOGIN));
        assertThat(authorize).startsWith(ISSUER.uri() + "/oauth2/authorize?");
        return atIssuer.open(path(authorize));
    }

    private String signIn(HttpResponse<String> asked, String name, String password) {
        assertThat(path(location(asked))).isEqualTo("/login");
        Matcher token = FORGERY_TOKEN.matcher(atIssuer.open("/login").body());
        assertThat(token.find()).isTrue();
        return path(
                location(atIssuer.submit("/login", "username", name, "password", password, "_csrf", token.group(1))));
    }

    private String back(HttpResponse<String> granted) {
        String callback = path(location(granted));
        assertThat(callback).startsWith(TestBrowser.CALLBACK + "?code=");
        return location(browser.open(callback));
    }

    @Test
    void a_student_logs_in_has_the_pages_of_the_role_and_logs_out() {
        addPerson("person-17", "student", "ann");

        String authorized = signIn(login("/console/my?tab=all"), "person-17", TestAuthorizationServer.PASSWORD);
        assertThat(back(atIssuer.open(authorized))).isEqualTo("/console/my?tab=all");

        HttpResponse<String> page = browser.open("/");
        assertThat(page.body())
                .contains("Logged in as", "student", "/console/my")
                .doesNotContain("/console/office");
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(403);
        String token = TestBrowser.csrf(page);

        assertThat(location(browser.submit("/console/logout", "_csrf", token))).isEqualTo("/");
        assertThat(browser.cookie(TestBrowser.SESSION)).isEmpty();
        // The issuer still knows the person, and asks nothing.
        assertThat(back(login("/console/my"))).isEqualTo("/console/my");
    }

    @Test
    void the_roles_are_those_of_the_issuer_at_the_login() {
        addPerson("person-18", "course-office", "none");
        String authorized = signIn(login("/console/my"), "person-18", TestAuthorizationServer.PASSWORD);
        assertThat(back(atIssuer.open(authorized))).isEqualTo("/console/my");
        assertThat(browser.open("/console/my").statusCode()).isEqualTo(403);
        HttpResponse<String> office = browser.open("/console/office/students");
        assertThat(office.statusCode()).isEqualTo(200);

        addPerson("person-18", "operator", "none");
        browser.submit("/console/logout", "_csrf", TestBrowser.csrf(office));
        assertThat(back(login("/console/office/students"))).isEqualTo("/console/office/students");
        assertThat(browser.open("/console/office/students").statusCode()).isEqualTo(403);
        assertThat(browser.open("/console/projections").statusCode()).isEqualTo(200);
    }

    @Test
    void a_wrong_password_at_the_issuer_is_no_login() {
        addPerson("person-19", "operator", "none");

        assertThat(signIn(login("/console/projections"), "person-19", "wrong")).isEqualTo("/login?error");

        assertThat(location(browser.open("/console/projections"))).isEqualTo(TestBrowser.LOGIN);
    }
}
