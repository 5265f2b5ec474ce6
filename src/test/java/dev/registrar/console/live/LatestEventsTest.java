package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class LatestEventsTest {
    private static final PageEvent MISSED = PageEvent.of("missed", "");

    private final LatestEvents events = new LatestEvents(2, MISSED);

    private static PageEvent event(String data) {
        return PageEvent.of("changed", data);
    }

    private PageSignal next() throws InterruptedException {
        return events.next(Duration.ZERO);
    }

    @Test
    void a_slow_page_receives_only_the_latest_event_of_a_subject() throws InterruptedException {
        PageEvent b = event("b1");
        PageEvent a = event("a2");
        events.offer("a", event("a1"));
        events.offer("b", b);
        events.offer("a", a);

        assertThat(next()).isEqualTo(new PageSignal.Delivery(b));
        assertThat(next()).isEqualTo(new PageSignal.Delivery(a));
        assertThat(next()).isEqualTo(new PageSignal.Idle());
    }

    @Test
    void with_too_many_subjects_a_page_is_sent_one_event_instead() throws InterruptedException {
        events.offer("a", event("a"));
        events.offer("b", event("b"));
        events.offer("c", event("c"));

        assertThat(next()).isEqualTo(new PageSignal.Delivery(MISSED));
        assertThat(next()).isEqualTo(new PageSignal.Idle());
    }

    @Test
    void the_end_follows_the_waiting_events() throws InterruptedException {
        PageEvent last = event("a");
        events.offer("a", last);
        events.end("over");
        events.offer("b", event("b"));

        assertThat(next()).isEqualTo(new PageSignal.Delivery(last));
        assertThat(next()).isEqualTo(new PageSignal.End("over"));
    }

    @Test
    void a_closed_source_ends_at_once() throws InterruptedException {
        events.offer("a", event("a"));
        events.close();

        assertThat(next()).isInstanceOf(PageSignal.End.class);
    }
}
