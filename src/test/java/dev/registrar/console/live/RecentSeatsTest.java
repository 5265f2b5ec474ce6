package dev.registrar.console.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.live.RecentSeats.Sent;
import dev.registrar.eventstore.Position;
import org.junit.jupiter.api.Test;

class RecentSeatsTest {
    private static final int MORE_THAN_KEPT = 2_001;

    private final RecentSeats recent = new RecentSeats(Position.of(5));

    private void sent(String course, long at) {
        PageEvent event = PageEvent.of("seats-" + course, "");
        recent.add(course, new Sent(Position.of(at), event, event));
    }

    @Test
    void a_page_receives_each_course_that_changed_after_its_position_once() {
        sent("a", 6);
        sent("b", 7);
        sent("c", 8);
        sent("a", 9);

        assertThat(recent.after(Position.of(7)).orElseThrow().keySet()).containsExactly("c", "a");
        assertThat(recent.after(Position.of(9)).orElseThrow()).isEmpty();
    }

    @Test
    void a_page_from_before_the_beginning_has_missed_changes() {
        assertThat(recent.after(Position.of(4))).isEmpty();
        assertThat(recent.after(Position.of(5))).isPresent();
    }

    @Test
    void a_page_from_before_a_forgotten_change_has_missed_changes() {
        for (int i = 0; i < MORE_THAN_KEPT; i++) {
            sent("course-" + i, 6 + i);
        }

        assertThat(recent.after(Position.of(5))).isEmpty();
        assertThat(recent.after(Position.of(6))).isPresent();
    }
}
