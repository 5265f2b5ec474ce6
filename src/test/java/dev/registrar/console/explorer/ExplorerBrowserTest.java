package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.http.ServiceTest;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An auditor at a browser: searches, opens an event, follows a tag, and asks why an append is refused. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ExplorerBrowserTest {
    private static final By FOUND = By.cssSelector("#found th a");

    @AutoClose
    private final ConsoleBrowser browser;

    private final Api api;

    ExplorerBrowserTest(@LocalServerPort int port) {
        this.browser = ConsoleBrowser.of(port);
        this.api = new Api(port);
    }

    @Test
    void a_person_finds_an_event_and_learns_why_an_append_is_refused() {
        String course = api.course(3);
        String student = api.student();
        api.enroll(student, course).expect(201);

        browser.open("/console/events")
                .click("Filter by type, tag or position")
                .fill("one of these types", "CourseDefined")
                .fill("all of these tags", "course:" + course)
                .click("Search");
        browser.waitForText("1 event on this page").screenshot("events-found");
        String position = browser.driver().findElement(FOUND).getText();
        browser.click(position).waitForText("Event " + position).waitForText("\"capacity\": 3");

        browser.click("course:" + course).waitForText("StudentEnrolledInCourse").waitForText("2 events on this page");
        browser.click("Use as a condition").waitForText("Refused: 2 events after position 0 match.");
        browser.click("Project it").waitForText("The query, projected").screenshot("lab-refused");
        browser.click("and decide again").waitForText("Not refused: no event after position");
        assertThat(browser.errors()).isEmpty();
    }

    @Test
    void a_person_follows_a_causation_and_a_correlation_by_clicks() {
        String course = api.course(1);
        String ann = api.student();
        String bob = api.student();
        api.enroll(ann, course).expect(201);
        api.put("/api/courses/%s/waiting-list/%s".formatted(course, bob)).expect(201);
        api.send("DELETE", "/api/courses/%s/students/%s".formatted(course, ann), "")
                .expect(204);
        String promotion =
                "/console/events?type0=StudentEnrolledInCourse&tag0=course:%s&tag0=student:%s".formatted(course, bob);
        await().until(() -> browser.open(promotion).driver().findElements(FOUND).size() == 1);

        browser.driver().findElement(FOUND).click();
        browser.waitForText("PromoteFromWaitingList");
        browser.driver().findElement(linkBeside("Caused by")).click();
        browser.waitUntilGone("PromoteFromWaitingList").waitForText("course:" + course);
        assertThat(browser.driver().findElement(By.cssSelector("h1 + .lead")).getText())
                // The automation may read the join after the drop, and then finds a free seat.
                .isIn("StudentDroppedCourse", "StudentJoinedWaitingList");

        browser.driver().findElement(linkBeside("Correlation")).click();
        browser.waitForPath("/console/events/correlation").waitForText("PromoteFromWaitingList");
        assertThat(browser.errors()).isEmpty();
    }

    private static By linkBeside(String term) {
        return By.xpath("//dt[. = '%s']/following-sibling::dd[1]//a".formatted(term));
    }

    @Test
    void new_events_appear_on_a_page_that_follows_its_query() {
        String course = api.course(3);
        browser.open("/console/events?tag0=course:" + course).click("Follow new events");
        browser.waitForText("Following new events").waitForText("1 event on this page");

        api.enroll(api.student(), course).expect(201);

        browser.waitForText("2 events on this page").waitForText("StudentEnrolledInCourse");
        assertThat(browser.errors()).isEmpty();
    }
}
