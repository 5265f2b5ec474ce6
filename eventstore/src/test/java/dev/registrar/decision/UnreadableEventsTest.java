package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;

/** Decisions on a history with an event that the codec cannot read: a book must not be lent twice. */
@ExtendWith(OutputCaptureExtension.class)
class UnreadableEventsTest {
    private static final JsonEventCodec<Desk> CODEC =
            JsonEventCodec.of(Desk.class, event -> Set.of(Tag.of("book:" + event.book())));

    private final InMemoryEventStore store = new InMemoryEventStore();
    private final DecisionLoop<Desk> loop = new DecisionLoop<>(store, CODEC);

    sealed interface Desk {
        String book();
    }

    record BookLent(String book, int days, Kind kind) implements Desk {}

    enum Kind {
        AT_HOME
    }

    /** Whether a book is lent. Its query names no types, so events of other domains match it, too. */
    record IsLent(String book) implements Fact<Desk, Boolean> {
        @Override
        public Query query() {
            return Query.of(QueryItem.tags("book:" + book));
        }

        @Override
        public Boolean initial() {
            return false;
        }

        @Override
        public Boolean apply(Boolean isLent, Desk event) {
            return switch (event) {
                case BookLent lent -> true;
            };
        }
    }

    record LendBook(String book) implements Decision<Desk, String> {
        @Override
        public List<IsLent> facts() {
            return List.of(new IsLent(book));
        }

        @Override
        public Verdict<Desk, String> decide(Facts<Desk> facts, Instant now) {
            return facts.get(new IsLent(book))
                    ? Verdict.refuse("lent")
                    : Verdict.accept(new BookLent(book, 14, Kind.AT_HOME));
        }
    }

    private void append(String type, String payload) {
        store.append(List.of(Event.of(type, payload, "book:b1")));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"book\":\"b1\"}",
                "{\"book\":\"b1\",\"days\":14,\"kind\":\"IN_THE_READING_ROOM\"}",
                "{\"book\":\"b1\",\"days\":\"many\",\"kind\":\"AT_HOME\"}",
                "garbage"
            })
    void a_decision_fails_on_an_event_that_cannot_be_read(String payload) {
        append("Other", "{}");
        append("BookLent", payload);

        assertThatThrownBy(() -> loop.execute(new LendBook("b1")))
                .isInstanceOfSatisfying(UnreadableEventException.class, failure -> {
                    assertThat(failure.position()).isEqualTo(Position.of(2));
                    assertThat(failure.type()).isEqualTo("BookLent");
                })
                .hasMessage(
                        "The event at position 2, of type 'BookLent', cannot be read, and a decision that depends on it must not ignore it");
        assertThat(store.head().position()).isEqualTo(Position.of(2));
    }

    @Test
    void a_cached_state_does_not_hide_an_event_that_cannot_be_read() {
        assertThat(loop.execute(new LendBook("b1"))).isInstanceOf(Accepted.class);
        append("BookLent", "garbage");

        assertThatThrownBy(() -> loop.execute(new LendBook("b1"))).isInstanceOf(UnreadableEventException.class);
    }

    @Test
    void decisions_that_do_not_depend_on_the_event_are_made() {
        append("BookLent", "garbage");

        assertThat(loop.execute(new LendBook("b2"))).isInstanceOf(Accepted.class);
        assertThat(loop.execute(new LendBook("b2"))).isEqualTo(new Rejected<>("lent"));
    }

    @Test
    void an_event_of_another_domain_is_ignored() {
        append("ShelfPainted", "garbage");

        assertThat(loop.execute(new LendBook("b1"))).isInstanceOf(Accepted.class);
    }

    @Test
    void decisions_may_be_told_to_ignore_and_count_events_that_cannot_be_read(CapturedOutput log) {
        SimpleMeterRegistry meters = new SimpleMeterRegistry();
        DecisionLoop<Desk> ignoring = new DecisionLoop<>(store, new IgnoringCodec<>(CODEC, meters));
        append("ShelfPainted", "garbage");
        append("BookLent", "garbage");

        assertThat(ignoring.execute(new LendBook("b1"))).isInstanceOf(Accepted.class);
        assertThat(meters.get("registrar.decisions.unreadable").counter().count())
                .isEqualTo(1);
        assertThat(log).containsOnlyOnce("Decisions ignore the event at position 2, of type 'BookLent'");
    }
}
