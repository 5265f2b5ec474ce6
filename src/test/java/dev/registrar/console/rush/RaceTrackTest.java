package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.enrollment.EnrollmentEventCodec;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import org.junit.jupiter.api.Test;

/** The two races on a real store. */
class RaceTrackTest {
    private static final int STUDENTS = 100;
    private static final int SEATS = 10;

    private interface Race {
        FinishedRace run(RaceTrack track) throws InterruptedException;
    }

    private static FinishedRace run(Race race) throws InterruptedException {
        try (StoreDatabase database = new StoreDatabase();
                PostgresEventStore store = database.newStore()) {
            RaceTrack track = new RaceTrack(store, new EnrollmentEventCodec());
            track.prepare();
            return race.run(track);
        }
    }

    @Test
    void with_the_condition_exactly_ten_students_are_enrolled() throws InterruptedException {
        FinishedRace finished = run(RaceTrack::withCondition);
        ShownRace shown = finished.after(STUDENTS);

        assertThat(finished.stored()).isEqualTo(SEATS);
        assertThat(shown.enrolled()).isEqualTo(SEATS);
        assertThat(shown.full()).isEqualTo(STUDENTS - SEATS);
        assertThat(shown.overbooked()).isZero();
        assertThat(shown.summary()).isEqualTo("10 enrolled in 10 seats. 90 told “full”.");
    }

    /* The negative control: the same decisions on a store that ignores their conditions. */
    @Test
    void without_the_condition_all_who_decide_together_are_enrolled() throws InterruptedException {
        FinishedRace finished = run(RaceTrack::withoutCondition);
        ShownRace shown = finished.after(STUDENTS);

        assertThat(finished.stored()).isEqualTo(RaceTrack.TOGETHER);
        assertThat(shown.overbooked()).isEqualTo(RaceTrack.TOGETHER - SEATS);
        assertThat(shown.full()).isEqualTo(STUDENTS - RaceTrack.TOGETHER);
        assertThat(shown.summary()).isEqualTo("40 enrolled in 10 seats: overbooked by 30. 60 told “full”.");
    }
}
