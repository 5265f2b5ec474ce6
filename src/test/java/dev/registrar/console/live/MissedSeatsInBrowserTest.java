package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.ServiceTest;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.openqa.selenium.By;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An open catalogue while more courses change at a time than pages receive one by one. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MissedSeatsInBrowserTest {

    /** More than the producer keeps at a time. */
    private static final int COURSES = 600;

    @AutoClose
    private final ConsoleBrowser browser;

    private final EventStore store;

    MissedSeatsInBrowserTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.browser = ConsoleBrowser.of(port);
        this.store = store;
    }

    @Test
    void a_page_that_missed_changes_loads_its_list_and_announces_it() {
        String title = Api.newId("title");
        define(Stream.of(course(title)));
        await().until(() ->
                browser.open("/console/courses?search=" + title).text().contains("5 of 5 seats free"));
        assertThat(announced()).doesNotContain("found with");

        define(Stream.of(course(title)));

        // One append, so that no page receives these changes one by one, unless the machine is slow; they are on no page.
        await().untilAsserted(() -> {
            define(Stream.generate(() -> course("Other")).limit(COURSES));
            assertThat(announced()).contains("2 courses found with %s.".formatted(title));
        });
        assertThat(browser.driver().findElements(By.cssSelector("#catalogue tbody tr")))
                .hasSize(2);
        assertThat(browser.errors()).isEmpty();
    }

    /* What the script has a screen reader say. */
    private String announced() {
        return browser.driver().findElements(By.cssSelector("body > .visually-hidden[role=status]")).stream()
                .map(announcer -> String.valueOf(announcer.getDomProperty("textContent")))
                .collect(Collectors.joining());
    }

    private static Event course(String title) {
        String id = Api.newId("course");
        return Event.of(
                "CourseDefined",
                "{\"courseId\": \"%s\", \"title\": \"%s\", \"capacity\": 5}".formatted(id, title),
                "course:" + id);
    }

    private void define(Stream<Event> courses) {
        assertThat(store.append(Append.of(courses.toList()).by(Actor.ofApplication("test"))))
                .isInstanceOf(AppendResult.Appended.class);
    }
}
