package dev.registrar.security.demo;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import java.net.http.HttpRequest.BodyPublishers;
import java.util.Base64;
import java.util.Objects;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.openqa.selenium.By;
import org.openqa.selenium.Cookie;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Persons log in to the console with a browser, at the issuer of the demo login. */
@ServiceTest
@BrowserTest
@DirtiesContext
@TestPropertySource(properties = "registrar.demo-login=true")
class DemoConsoleTest {
    private static final String SESSION = "registrar-session";
    private static final String STUDENT = "ann";

    private final Api api;
    private final DemoLogin login;
    private final String[] office;
    private final ConsoleBrowser browser;

    @Autowired
    DemoConsoleTest(@LocalServerPort int port, DemoLogin login) {
        this.api = new Api(port);
        this.login = login;
        this.office = new String[] {"Authorization", "Bearer " + token()};
        this.browser = ConsoleBrowser.of(port);
    }

    @AfterEach
    void closeBrowser() {
        browser.close();
    }

    private String token() {
        String credentials = Base64.getEncoder()
                .encodeToString("office:%s".formatted(login.password()).getBytes(UTF_8));
        return api.send(
                        "POST",
                        "/oauth2/token",
                        BodyPublishers.ofString("grant_type=client_credentials"),
                        "Authorization",
                        "Basic " + credentials,
                        "Content-Type",
                        "application/x-www-form-urlencoded")
                .expect(200)
                .json()
                .path("access_token")
                .asString();
    }

    private String course() {
        String course = Api.newId("course");
        api.post("/api/courses", "{\"id\": \"%s\", \"title\": \"Latin\", \"capacity\": 5}".formatted(course), office)
                .expect(201);
        api.post(
                "/api/students",
                "{\"id\": \"%s\", \"name\": \"Ann\", \"email\": \"ann@example.org\"}".formatted(STUDENT),
                office);
        return course;
    }

    private int enrollment(String course) {
        return api.get("/api/courses/%s/students/%s".formatted(course, STUDENT), office)
                .status();
    }

    /* The form is Spring's own. */
    private void signIn(String name) {
        browser.waitForPath("/login");
        await().until(() -> !browser.driver()
                .findElements(By.cssSelector("button[type=submit]"))
                .isEmpty());
        browser.driver().findElement(By.id("username")).sendKeys(name);
        browser.driver().findElement(By.id("password")).sendKeys(login.password());
        browser.driver().findElement(By.cssSelector("button[type=submit]")).click();
    }

    @Test
    void a_student_logs_in_sees_their_pages_and_logs_out() {
        browser.open("/").click("Log in");
        signIn("student");
        browser.waitForText("What you can do here").open("/console/my");
        assertThat(browser.path()).isEqualTo("/console/my");

        browser.open("/console/projections").waitForText("Your roles do not allow this");
        browser.open("/console/my").click("Log out");
        await().untilAsserted(() -> assertThat(browser.path()).isEqualTo("/"));
        await().until(() -> browser.offers("Log in"));

        browser.driver().navigate().back();
        browser.waitForPath("/login");
        assertThat(browser.driver().findElements(By.linkText("My courses"))).isEmpty();
    }

    @Test
    void a_session_that_ends_in_the_middle_of_a_form_loses_no_input() {
        String course = course();
        browser.open("/console/courses/" + course);
        signIn("student");
        browser.waitForText("Latin");

        Cookie session = Objects.requireNonNull(browser.driver().manage().getCookieNamed(SESSION));
        assertThat(session.isHttpOnly()).isTrue();
        browser.driver().manage().deleteCookieNamed(SESSION);
        browser.click("Enroll").waitForText("Log in to send your input");
        assertThat(enrollment(course)).isEqualTo(404);

        browser.driver().findElement(By.cssSelector("#main a.button")).click();
        signIn("student");
        browser.waitForText("Your input was not carried out yet");
        assertThat(enrollment(course)).isEqualTo(404);
        browser.click("Send again");

        await().untilAsserted(() -> assertThat(enrollment(course)).isEqualTo(200));
        browser.waitForPath(course);
    }
}
