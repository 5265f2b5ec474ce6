package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.console.explorer.ProjectedEvents.Seen;
import dev.registrar.eventstore.Position;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ProjectedEventsTest {
    private static final Instant NOON = Instant.parse("2026-09-01T12:00:00Z");

    @Test
    void events_are_counted_by_type_on_both_sides_of_a_position() {
        ProjectedEvents projected = ProjectedEvents.of(
                List.of(event(9, "B", 60), event(7, "A", 30), event(2, "A", 0)), Position.of(7), null);

        assertThat(projected.types())
                .containsExactly(
                        new ProjectedEvents.OfType("A", 2, 0, 7, NOON.plusSeconds(30)),
                        new ProjectedEvents.OfType("B", 0, 1, 9, NOON.plusSeconds(60)));
        assertThat(projected.events()).isEqualTo(3);
        assertThat(projected.from()).isEqualTo(2);
        assertThat(projected.cut()).isFalse();
    }

    @Test
    void events_are_counted_over_time() {
        ProjectedEvents projected = ProjectedEvents.of(
                List.of(event(3, "A", 120), event(2, "A", 5), event(1, "A", 0)), Position.START, null);

        assertThat(projected.times()).hasSize(12);
        assertThat(projected.times().getFirst())
                .isEqualTo(new ProjectedEvents.Part(NOON, NOON.plus(Duration.ofSeconds(10)), 2, 2));
        assertThat(projected.times().getLast().events()).isEqualTo(1);
        assertThat(projected.times().getLast().to()).isEqualTo(NOON.plusSeconds(120));
    }

    @Test
    void more_events_than_the_maximum_are_cut() {
        List<Seen> events = LongStream.rangeClosed(2, ProjectedEvents.MOST + 1)
                .mapToObj(position -> event(position, "Type" + position % 60, position))
                .toList();
        ProjectedEvents projected = ProjectedEvents.of(events.reversed(), Position.START, Position.of(1));

        assertThat(projected.events()).isEqualTo(ProjectedEvents.MOST);
        assertThat(projected.from()).isEqualTo(2);
        assertThat(projected.cut()).isTrue();
        assertThat(projected.searchedTo()).isNull();
        assertThat(projected.types()).hasSize(ProjectedEvents.MOST_TYPES);
        assertThat(projected.otherTypes()).isEqualTo(10);
    }

    @Test
    void a_search_that_is_out_of_time_says_how_far_it_came() {
        ProjectedEvents projected = ProjectedEvents.of(List.of(event(90, "A", 0)), Position.START, Position.of(70));

        assertThat(projected.searchedTo()).isEqualTo(71);
        assertThat(projected.cut()).isFalse();
    }

    private static Seen event(long position, String type, long seconds) {
        return new Seen(type, Position.of(position), NOON.plusSeconds(seconds));
    }
}
