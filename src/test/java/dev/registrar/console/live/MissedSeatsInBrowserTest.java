package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.Api;
import dev.registrar.browser.BrowserTest;
import dev.registrar.browser.ConsoleBrowser;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.http.ServiceTest;
import dev.registrar.subscription.LiveFeed;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** An open page that is not connected while more happens than is delivered to it afterwards. */
@ServiceTest
@BrowserTest
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class MissedSeatsInBrowserTest {

    /** Together more events than a page may be behind. */
    private static final int EVENTS = 600;

    private static final int APPENDS = 2;

    @AutoClose
    private final ConsoleBrowser browser;

    private final Api api;
    private final EventStore store;
    private final LiveFeed feed;

    MissedSeatsInBrowserTest(@LocalServerPort int port, @Autowired EventStore store, @Autowired LiveFeed feed) {
        this.browser = ConsoleBrowser.of(port);
        this.api = new Api(port);
        this.store = store;
        this.feed = feed;
    }

    @Test
    void a_page_that_missed_changes_shows_the_present_seats() {
        String course = api.course(5);
        String student = api.student();
        // On a busy machine the page would be opened before the view has the course.
        api.get("/api/courses/" + course).expect(200);
        browser.open("/console/courses/" + course).waitForText("0 of 5 seats taken");

        feed.close();
        try {
            api.enroll(student, course).expect(201);
            for (int append = 0; append < APPENDS; append++) {
                appendOthers();
            }
        } finally {
            feed.open();
        }

        browser.waitForText("1 of 5 seats taken");
        // The script reports the stream that was lost, and the browser each one that was refused while the feed was
        // closed.
        assertThat(browser.errors())
                .allSatisfy(error -> assertThat(error)
                        .matches(".*\"\\[object Event\\]\"|\\S*/console/live/seats\\?\\S* - .* status of 503 \\(\\)"));
    }

    private void appendOthers() {
        assertThat(store.append(Append.of(Stream.generate(() -> Event.of("Other", "{}"))
                                .limit(EVENTS)
                                .toList())
                        .by(Actor.ofApplication("test"))))
                .isInstanceOf(AppendResult.Appended.class);
    }
}
