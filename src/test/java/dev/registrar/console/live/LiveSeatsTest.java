package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.console.ConsoleClient;
import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.http.ServiceTest;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;

/** The seats on open pages. */
@ServiceTest
class LiveSeatsTest {
    private final int port;
    private final Api api;
    private final EventStore store;

    LiveSeatsTest(@LocalServerPort int port, @Autowired EventStore store) {
        this.port = port;
        this.api = new Api(port);
        this.store = store;
    }

    private LiveClient page(String query, String... headers) {
        LiveClient page = LiveClient.get(port, "/console/live/seats" + query, headers);
        assertThat(page.status()).isEqualTo(200);
        assertThat(page.header("Content-Type")).startsWith("text/event-stream");
        return page;
    }

    private static long changes(LiveClient page) {
        return page.lines().stream().filter("event: changed"::equals).count();
    }

    private static String lastId(LiveClient page) {
        return page.lines().stream()
                .filter(line -> line.startsWith("id: "))
                .toList()
                .getLast()
                .substring("id: ".length());
    }

    private String part(String course) {
        return new ConsoleClient(port)
                .open("/console/live/seats?course=" + course, "HX-Request", "true")
                .expect(200)
                .html();
    }

    @Test
    void all_open_pages_of_a_course_learn_of_an_enrollment_and_load_its_seats() {
        String course = api.course(2);
        Position head = store.head().position();
        try (LiveClient one = page("?after=" + head);
                LiveClient other = page("?course=" + course + "&course=" + api.course(1))) {
            api.enroll(api.student(), course).expect(201);

            for (LiveClient page : List.of(one, other)) {
                await().until(() -> changes(page) > 0);
            }
            assertThat(part(course))
                    .contains("id=\"seats-%s\" hx-swap-oob=\"innerHTML\"".formatted(course))
                    .contains("<strong>1</strong> of 2")
                    .doesNotContain("<html");
            assertThat(one.lines().getFirst()).matches("retry: [345]\\d{3}");
        }
    }

    @Test
    void a_page_learns_of_no_other_course_and_of_many_changes_at_once() {
        String shown = api.course(50);
        String elsewhere = api.course(1);
        try (LiveClient page = page("?course=" + shown)) {
            api.enroll(api.student(), elsewhere).expect(201);
            for (int enrollment = 0; enrollment < 20; enrollment++) {
                api.enroll(api.student(), shown).expect(201);
            }
            Position head = store.head().position();

            await().untilAsserted(() -> assertThat(page.lines()).contains("id: " + head));
            assertThat(changes(page)).isLessThan(20);
        }
    }

    @Test
    void a_page_that_connects_again_learns_of_what_it_has_missed_once() {
        String course = api.course(5);
        String id;
        try (LiveClient leaving = page("?course=" + course)) {
            api.enroll(api.student(), course).expect(201);
            await().until(() -> changes(leaving) == 1);
            id = lastId(leaving);
        }
        api.enroll(api.student(), course).expect(201);
        api.enroll(api.student(), course).expect(201);

        try (LiveClient again = page("?course=" + course, "Last-Event-ID", id)) {
            await().until(() -> changes(again) == 1);
        }
    }

    @Test
    void a_page_far_behind_or_of_a_replaced_history_loads_its_part_again() {
        String course = api.course(5);
        for (int append = 0; append < 2; append++) {
            store.append(Append.of(Stream.generate(() -> Event.of("Other", "{}"))
                            .limit(600)
                            .toList())
                    .by(Actor.ofApplication("test")));
        }

        for (String shown : List.of("0", "999999999999")) {
            try (LiveClient page = page("?course=" + course, "Last-Event-ID", shown)) {
                await().until(() -> changes(page) == 1);
            }
        }
    }

    @Test
    void a_page_of_wrong_or_too_many_courses_is_refused() {
        for (String wrong : List.of(
                "?course=%00",
                "?course="
                        + String.join(
                                ",",
                                Stream.generate(() -> Api.newId("a")).limit(101).toList()))) {
            try (LiveClient page = LiveClient.get(port, "/console/live/seats" + wrong)) {
                assertThat(page.status()).isBetween(400, 499);
            }
        }
    }
}
