package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.registrar.Api;
import dev.registrar.LiveClient;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.http.ServiceTest;
import dev.registrar.projection.ProjectionAdministration;
import dev.registrar.subscription.LiveFeed;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.test.web.server.LocalServerPort;
import org.springframework.test.annotation.DirtiesContext;
import org.springframework.test.context.TestPropertySource;

/** Streams of seats with few streams for each client, and a heartbeat in place of a clock. */
@ServiceTest
@DirtiesContext
@TestPropertySource(properties = {"registrar.live.max-streams-per-client=3", "registrar.live.heartbeat=200ms"})
@Tag("thorough")
class LiveSeatsBoundsTest {
    private static final String CHANGED = "event: changed";
    private static final int HEARTBEATS_OF_SOME_SECONDS = 15;

    private final int port;
    private final Api api;

    LiveSeatsBoundsTest(@LocalServerPort int port) {
        this.port = port;
        this.api = new Api(port);
    }

    @AfterEach
    void awaitPagesClosed(@Autowired LiveFeed feed) {
        await().until(() -> feed.listeners() == 0);
    }

    private LiveClient page(String query) {
        return LiveClient.get(port, "/console/live/seats" + query, "Accept", "text/event-stream");
    }

    private static long count(LiveClient page, String line) {
        return page.lines().stream().filter(line::equals).count();
    }

    @Test
    void a_page_learns_of_a_change_once_and_only_when_the_view_has_it(
            @Autowired ProjectionAdministration projections, @Autowired EventStore store) {
        String course = api.course(5);
        Position head = store.head().position();
        projections.pause("courses");
        try (LiveClient staying = page("")) {
            api.enroll(api.student(), course).expect(201);
            try (LiveClient late = page("?after=" + head)) {
                await().until(() -> count(late, ":") >= HEARTBEATS_OF_SOME_SECONDS);
                assertThat(count(late, CHANGED) + count(staying, CHANGED)).isZero();

                projections.resume("courses");
                await().until(() -> count(late, CHANGED) == 1 && count(staying, CHANGED) == 1);
                api.enroll(api.student(), course).expect(201);
                await().until(() -> count(late, CHANGED) == 2 && count(staying, CHANGED) == 2);
            }
        } finally {
            projections.resume("courses");
        }
    }

    @Test
    void more_streams_than_a_client_may_have_are_refused() {
        try (LiveClient one = page("");
                LiveClient two = page("");
                LiveClient three = page("");
                LiveClient tooMany = page("")) {
            assertThat(List.of(one, two, three)).allMatch(page -> page.status() == 200);
            assertThat(tooMany.status()).isEqualTo(429);
        }
    }
}
