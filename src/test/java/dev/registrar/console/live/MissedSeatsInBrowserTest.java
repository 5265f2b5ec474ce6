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

/** An open catalogue that is not connected while more happens than is sent to it afterwards. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MissedSeatsInBrowserTest {

    /** Together more events than the first page may be behind. */
    private static final int COURSES = 600;

    private static final int APPENDS = 2;

    @AutoClose
    private final ConsoleBrowser browser;

    private final EventStore store;
    private final ConsoleStreams streams;

    MissedSeatsInBrowserTest(
            @LocalServerPort int port, @Autowired EventStore store, @Autowired ConsoleStreams streams) {
        this.browser = ConsoleBrowser.of(port);
        this.store = store;
        this.streams = streams;
    }

    @Test
    void a_page_that_missed_changes_loads_its_list_and_announces_it() {
        String title = Api.newId("title");
        define(Stream.of(course(title)));
        await().until(() ->
                browser.open("/console/courses?search=" + title).text().contains("5 of 5 seats free"));
        assertThat(announced()).doesNotContain("found with");

        streams.stop();
        try {
            define(Stream.of(course(title)));
            for (int append = 0; append < APPENDS; append++) {
                define(Stream.generate(() -> course("Other")).limit(COURSES));
            }
        } finally {
            streams.start();
        }

        await().untilAsserted(() -> assertThat(announced()).contains("2 courses found with %s.".formatted(title)));
        assertThat(browser.driver().findElements(By.cssSelector("#catalogue tbody tr")))
                .hasSize(2);
        // The script reports the stream that was lost.
        assertThat(browser.errors()).allSatisfy(error -> assertThat(error).endsWith("\"[object Event]\""));
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
