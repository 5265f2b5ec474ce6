package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import org.junit.jupiter.api.Test;

/** The two races on a real store. */
class RaceTrackTest {
    private static final int SEATS = 10;

    private interface Run {
        Race of(RaceTrack track) throws InterruptedException;
    }

    private static Race run(Run run) throws InterruptedException {
        try (StoreDatabase database = new StoreDatabase();
                PostgresEventStore store = database.newStore()) {
            RaceTrack track = new RaceTrack(store, new EnrollmentEventCodec());
            track.prepare();
            return run.of(track);
        }
    }

    @Test
    void with_the_condition_exactly_ten_students_are_enrolled() throws InterruptedException {
        Race race = run(RaceTrack::withCondition);

        assertThat(race.stored()).isEqualTo(SEATS);
        assertThat(race.summary()).isEqualTo("10 enrolled in 10 seats. 90 told “full”.");
    }

    /* The negative control: the same decisions on a store that ignores their conditions. */
    @Test
    void without_the_condition_all_who_decide_together_are_enrolled() throws InterruptedException {
        Race race = run(RaceTrack::withoutCondition);

        assertThat(race.stored()).isEqualTo(RaceTrack.TOGETHER);
        assertThat(race.summary()).isEqualTo("40 enrolled in 10 seats: overbooked by 30. 60 told “full”.");
    }
}
