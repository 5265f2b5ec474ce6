package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.AwaitilityTimeouts;
import dev.registrar.LiveClient;
import dev.registrar.catalog.CoursesView;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.LiveFeed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The seats on open pages. */
@ServiceTest
class LiveSeatsTest {
    private final int port;
    private final Api api;

    LiveSeatsTest(@LocalServerPort int port) {
        this.port = port;
        this.api = new Api(port);
    }

    private LiveClient page(String query, String... headers) {
        LiveClient page = LiveClient.get(port, "/console/live/seats" + query, headers);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/event-stream");
        return page;
    }

    private static void awaitText(LiveClient page, String text) {
        await().until(() -> String.join("\n", page.lines()).contains(text));
    }

    private static String free(int free, int capacity) {
        return "<strong>%d</strong> of %d".formatted(free, capacity);
    }

    private static long events(LiveClient page, String course) {
        return page.lines().stream().filter(("event: seats-" + course)::equals).count();
    }

    private static long missed(LiveClient page) {
        return page.lines().stream().filter("event: missed"::equals).count();
    }

    private static String lastId(LiveClient page) {
        return page.lines().stream()
                .filter(line -> line.startsWith("id: "))
                .toList()
                .getLast()
                .substring("id: ".length());
    }

    @Test
    void an_enrollment_changes_the_seats_on_all_open_pages() {
        String course = api.course(2);
        try (LiveClient one = page(
                        "?after=" + api.get("/dcb/head").json().path("position").asLong());
                LiveClient other = page("?course=" + course)) {
            api.enroll(api.student(), course).expect(201);

            for (LiveClient page : List.of(one, other)) {
                awaitText(page, "event: seats-" + course);
                awaitText(page, free(1, 2));
            }
            assertThat(one.lines()).startsWith("retry: 3000", "");
        }
    }

    @Test
    void a_page_of_one_course_receives_no_others() {
        String shown = api.course(1);
        String elsewhere = api.course(1);
        String student = api.student();
        try (LiveClient page = page("?course=" + shown)) {
            api.enroll(student, elsewhere).expect(201);
            api.enroll(student, shown).expect(201);

            awaitText(page, free(0, 1));
            assertThat(events(page, elsewhere)).isZero();
        }
    }

    /* The producer reads the head only after the enrollment. */
    @Test
    void changes_from_now_on_are_those_after_the_page_was_opened(
            @Autowired LiveFeed feed,
            @Autowired EventStore store,
            @Autowired ViewReader views,
            @Autowired CoursesView courses,
            @Autowired SeatsFragment fragment)
            throws InterruptedException {
        String course = api.course(2);
        String student = api.student();
        AtomicBoolean enrolled = new AtomicBoolean();
        Thread opening = Thread.currentThread();
        EventStore late = new ForwardingEventStore(store) {
            @Override
            public Head head() {
                if (!Thread.currentThread().equals(opening)) {
                    await().untilTrue(enrolled);
                }
                return super.head();
            }
        };
        try (PageSource page = new SeatsBroadcast(feed, late, views, courses, fragment).open(Set.of(course), null)) {
            api.enroll(student, course).expect(201);
            enrolled.set(true);

            assertThat(page.next(AwaitilityTimeouts.MAX_WAIT))
                    .asString()
                    .contains("event: seats-" + course, free(1, 2));
        }
    }

    /* Another page keeps the producer running while the first one is disconnected. */
    @Test
    void a_page_that_connects_again_receives_what_it_has_missed() {
        String course = api.course(5);
        try (LiveClient staying = page("")) {
            String id;
            try (LiveClient leaving = page("")) {
                api.enroll(api.student(), course).expect(201);
                awaitText(leaving, free(4, 5));
                id = lastId(leaving);
            }
            api.enroll(api.student(), course).expect(201);
            awaitText(staying, free(3, 5));

            try (LiveClient again = page("", "Last-Event-ID", id)) {
                awaitText(again, free(3, 5));
                assertThat(events(again, course)).isOne();
            }
        }
    }

    @Test
    void a_page_whose_changes_are_forgotten_has_to_be_loaded_again() {
        String course = api.course(5);
        try (LiveClient first = page("")) {
            api.enroll(api.student(), course).expect(201);
            awaitText(first, free(4, 5));

            try (LiveClient late = page("?after=0")) {
                awaitText(late, "event: missed");
            }
        }
    }

    @Test
    void a_page_is_loaded_again_after_changes_of_more_courses_than_are_sent_to_it(@Autowired EventStore store) {
        try (LiveClient page = page("")) {
            // 550 courses in few events; again if the machine was too slow to collect them at a time. Between two
            // attempts
            // the view can reach the changes, without which the page would load the same again.
            await().pollDelay(Duration.ZERO).pollInterval(Duration.ofSeconds(1)).until(() -> {
                boolean loadsAgain = missed(page) > 0;
                if (!loadsAgain) {
                    List<Event> changes =
                            Stream.generate(() -> changeOf(50)).limit(11).toList();
                    store.append(Append.of(changes).by(Actor.ofApplication("test")));
                }
                return loadsAgain;
            });
        }
    }

    /* Only the first of the courses is defined. */
    private static Event changeOf(int courses) {
        List<String> ids =
                Stream.generate(() -> Api.newId("course")).limit(courses).toList();
        return Event.of(
                "CourseDefined",
                "{\"courseId\": \"%s\", \"title\": \"Other\", \"capacity\": 5}".formatted(ids.getFirst()),
                ids.stream().map(id -> "course:" + id).toArray(String[]::new));
    }

    @Test
    void a_page_of_a_replaced_history_has_to_be_loaded_again() {
        try (LiveClient first = page("");
                LiveClient late = page("", "Last-Event-ID", "999999999999")) {
            awaitText(late, "event: missed");
            assertThat(missed(first)).isZero();
        }
    }
}
