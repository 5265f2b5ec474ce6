package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.catalog.CoursesView;
import dev.registrar.console.ConsoleClient;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.ForwardingEventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.projection.ViewReader;
import dev.registrar.subscription.LiveFeed;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

@ServiceTest
@DirtiesContext
@TestPropertySource(properties = {"registrar.live.max-streams-per-client=3", "registrar.live.heartbeat=200ms"})
class LiveSeatsTest {
    private static final Duration MAX_WAIT = Duration.ofMinutes(2);
    private static final Pattern AFTER = Pattern.compile("/console/live/seats\\?after=(\\d+)");
    private static final int HEARTBEATS_OF_SOME_SECONDS = 15;

    private final int port;
    private final Api api;
    private final SeatsBroadcast broadcast;
    private final ProjectionAdministration projections;

    LiveSeatsTest(
            @LocalServerPort int port,
            @Autowired SeatsBroadcast broadcast,
            @Autowired ProjectionAdministration projections) {
        this.port = port;
        this.api = new Api(port);
        this.broadcast = broadcast;
        this.projections = projections;
    }

    @AfterEach
    void awaitPagesClosed() {
        await().atMost(MAX_WAIT).until(() -> broadcast.pages() == 0);
    }

    private LiveClient page(String query, String... headers) {
        LiveClient page = LiveClient.get(port, "/console/live/seats" + query, headers);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/event-stream");
        return page;
    }

    private static void awaitText(LiveClient page, String text) {
        await().atMost(MAX_WAIT).until(() -> String.join("\n", page.lines()).contains(text));
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

    private static long heartbeats(LiveClient page) {
        return page.lines().stream().filter(":"::equals).count();
    }

    /* The position at which a catalogue that is loaded now shows the seats. */
    private String catalogue() {
        String html =
                new ConsoleClient(port).open("/console/courses").expect(200).html();
        Matcher address = AFTER.matcher(html);
        assertThat(address.find()).isTrue();
        return address.group(1);
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
            await().atMost(MAX_WAIT).until(() -> broadcast.pages() == 1);
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
                    await().atMost(MAX_WAIT).untilTrue(enrolled);
                }
                return super.head();
            }
        };
        try (PageSource page = new SeatsBroadcast(feed, late, views, courses, fragment).open(Set.of(course), null)) {
            api.enroll(student, course).expect(201);
            enrolled.set(true);

            assertThat(page.next(MAX_WAIT)).asString().contains("event: seats-" + course, free(1, 2));
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
    void a_page_of_a_replaced_history_has_to_be_loaded_again() {
        try (LiveClient first = page("");
                LiveClient late = page("", "Last-Event-ID", "999999999999")) {
            awaitText(late, "event: missed");
            assertThat(missed(first)).isZero();
        }
    }

    @Test
    void pages_load_again_once_and_only_when_the_view_has_what_they_missed() {
        String course = api.course(5);
        projections.pause("courses");
        try (LiveClient staying = page("")) {
            api.enroll(api.student(), course).expect(201);
            try (LiveClient late = page("?after=0")) {
                await().atMost(MAX_WAIT).until(() -> heartbeats(late) >= HEARTBEATS_OF_SOME_SECONDS);
                assertThat(missed(late) + missed(staying)).isZero();

                projections.resume("courses");
                awaitText(late, "event: missed");
                try (LiveClient loaded = page("?after=" + catalogue())) {
                    api.enroll(api.student(), course).expect(201);
                    awaitText(loaded, free(3, 5));
                    awaitText(late, free(3, 5));

                    assertThat(missed(loaded)).isZero();
                    assertThat(missed(late)).isOne();
                    assertThat(missed(staying)).isLessThanOrEqualTo(1);
                }
            }
        } finally {
            projections.resume("courses");
        }
    }

    @Test
    void the_page_of_a_course_shows_seats_that_it_has_missed() {
        String course = api.course(5);
        api.get("/api/courses/" + course).expect(200);
        String html = new ConsoleClient(port)
                .open("/console/courses/" + course)
                .expect(200)
                .html();

        assertThat(html)
                .containsPattern("<p id=\"seats-now\"[^<]* hx-trigger=\"sse:missed\"[^<]*"
                        + " hx-get=\"/console/courses/%s\"".formatted(course));
    }

    @Test
    void an_invalid_course_is_refused() {
        try (LiveClient page = LiveClient.get(port, "/console/live/seats?course=%3Cscript%3E")) {
            assertThat(page.status()).isEqualTo(400);
        }
        assertThat(broadcast.pages()).isZero();
    }

    @Test
    void more_streams_than_a_client_may_have_are_refused() {
        try (LiveClient one = page("");
                LiveClient two = page("");
                LiveClient three = page("");
                LiveClient tooMany = LiveClient.get(port, "/console/live/seats", "Accept", "text/event-stream")) {
            assertThat(List.of(one, two, three)).allMatch(page -> page.status() == 200);
            assertThat(tooMany.status()).isEqualTo(429);
        }
    }

    @Test
    void a_silent_stream_sends_heartbeats() {
        try (LiveClient page = page("")) {
            await().atMost(MAX_WAIT).until(() -> page.lines().contains(":"));
        }
    }
}
