package dev.registrar.console.rush;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Query;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class UncheckedStoreTest {
    private static final Event ENROLLED = Event.of("StudentEnrolledInCourse", List.of(), "{}");

    private final InMemoryEventStore store = new InMemoryEventStore(InstantSource.system());

    @Test
    void an_append_ignores_its_condition() {
        UncheckedStore unchecked = new UncheckedStore(store, 1, Duration.ofMinutes(1));
        store.append(Append.of(ENROLLED));

        assertThat(unchecked.append(Append.of(ENROLLED).onCondition(AppendCondition.failIfEventsMatch(Query.all()))))
                .isInstanceOf(Appended.class);
        assertThat(store.count(Query.all())).isEqualTo(2);
    }

    @Test
    void an_append_without_the_others_says_that_the_race_is_slow_and_appends_nothing() {
        UncheckedStore unchecked = new UncheckedStore(store, 2, Duration.ofMillis(1));

        assertThatExceptionOfType(SlowRaceException.class)
                .isThrownBy(() -> unchecked.append(Append.of(ENROLLED)))
                .withMessage("The other students did not decide within PT0.001S");
        assertThat(store.count(Query.all())).isZero();
    }
}
