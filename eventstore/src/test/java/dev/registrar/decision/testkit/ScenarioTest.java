package dev.registrar.decision.testkit;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.Decision;
import dev.registrar.decision.EventCodec;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class ScenarioTest {
    private static final Scenario<Said> SCENARIO = Scenario.of(new SaidCodec());

    @Test
    void true_claims_pass() {
        SCENARIO.when(new Say("hello")).thenAccepted(new Said("hello"));
        SCENARIO.given(new Said("hello")).when(new Say("hello")).thenRefused("said before");
        SCENARIO.given(new Said("hello"))
                .given(new Said("bye"))
                .when(new Say("bye"))
                .thenRefused("said before");
        SCENARIO.when(new Say("")).thenNothing();
    }

    @Test
    void the_decision_gets_the_time_of_the_scenario() {
        SCENARIO.when(new Say("the time")).thenAccepted(new Said(Scenario.NOON.toString()));
        SCENARIO.at(Instant.EPOCH).when(new Say("the time")).thenAccepted(new Said("1970-01-01T00:00:00Z"));
    }

    @Test
    void a_false_claim_names_the_decision_and_its_expected_and_actual_outcome() {
        assertFails(() -> SCENARIO.when(new Say("hello")).thenRefused("said before"))
                .hasMessageContainingAll(
                        "Say[word=hello]", "refused with said before", "accepted with [Said[word=hello]]");
        assertFails(() -> SCENARIO.when(new Say("hello")).thenAccepted(new Said("bye")))
                .hasMessageContainingAll("accepted with [Said[word=bye]]", "accepted with [Said[word=hello]]");
        assertFails(() -> SCENARIO.when(new Say("hello")).thenAccepted(new Said("hello"), new Said("hello")));
        assertFails(() -> SCENARIO.when(new Say("hello")).thenNothing())
                .hasMessageContainingAll("without events", "accepted with [Said[word=hello]]");
        assertFails(() ->
                        SCENARIO.given(new Said("hello")).when(new Say("hello")).thenNothing())
                .hasMessageContaining("was refused with said before");
        assertFails(
                () -> SCENARIO.given(new Said("hello")).when(new Say("hello")).thenRefused("another reason"));
    }

    @Test
    void a_lossy_codec_is_detected() {
        assertFails(() -> SCENARIO.given(new Said("LOUD")).when(new Say("hello")))
                .hasMessageContainingAll("The given events", "Said[word=LOUD]", "Said[word=loud]");
        assertFails(() -> SCENARIO.when(new Say("LOUD")))
                .hasMessageContainingAll("The decided events", "Said[word=LOUD]", "Said[word=loud]");
    }

    @Test
    void an_event_may_be_given_as_an_earlier_version_stored_it() {
        SCENARIO.givenStored("SaidOnce", "\"hello\"", "word:hello")
                .when(new Say("hello"))
                .thenRefused("said before");
    }

    @Test
    void a_given_stored_event_that_the_codec_cannot_read_is_an_error() {
        assertFails(() -> SCENARIO.givenStored("Said", "", "word:hello"))
                .hasMessageContainingAll("cannot read the given 'Said'", "no word");
    }

    private static AbstractThrowableAssert<?, ?> assertFails(ThrowingCallable claim) {
        return assertThatThrownBy(claim).isExactlyInstanceOf(AssertionError.class);
    }

    private record Said(String word) {}

    private record SaidBefore(String word) implements Fact<Said, Boolean> {

        @Override
        public Query query() {
            return Query.of(QueryItem.tags("word:" + word));
        }

        @Override
        public Boolean initial() {
            return false;
        }

        @Override
        public Boolean apply(Boolean said, Said event) {
            return true;
        }
    }

    /** Says a word once; the empty word need not be said. */
    private record Say(String word) implements Decision<Said, String> {

        @Override
        public List<? extends Fact<Said, ?>> facts() {
            return List.of(new SaidBefore(word));
        }

        @Override
        public Verdict<Said, String> decide(Facts<Said> facts, Instant now) {
            if (facts.get(new SaidBefore(word))) {
                return Verdict.refuse("said before");
            }
            return switch (word) {
                case "" -> new Verdict.Accept<>(List.of());
                case "the time" -> Verdict.accept(new Said(now.toString()));
                default -> Verdict.accept(new Said(word));
            };
        }
    }

    /** Writes a word as a JSON string, and loses its case if it is all upper. */
    private static final class SaidCodec implements EventCodec<Said> {

        @Override
        public Encoded encode(Said event) {
            return new Encoded("Said", Set.of(new Tag("word:" + event.word())), '"' + event.word() + '"');
        }

        @Override
        public Said decode(String type, String payload) {
            if (payload.isEmpty()) {
                throw new IllegalArgumentException("no word");
            }
            String word = payload.substring(1, payload.length() - 1);
            return new Said(word.matches("[A-Z]+") ? word.toLowerCase(Locale.ROOT) : word);
        }
    }
}
