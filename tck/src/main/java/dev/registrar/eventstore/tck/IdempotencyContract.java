package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Idempotency keys: an append under a key takes effect once, however often it is sent. */
public interface IdempotencyContract extends StoreUnderTest {
    Duration RETENTION = Duration.ofDays(1);

    /** An append of one event under a key that is bound to it. */
    private Append keyed(String key, Event... events) {
        return Append.of(events).under(IdempotencyKey.of(key, List.of(events)));
    }

    @Test
    default void an_append_under_a_new_key_is_appended() {
        append(event("Before"));

        assertThat(store().append(keyed("key", event("One"), event("Two"))))
                .isEqualTo(new Appended(Position.of(2), Position.of(3), false));
    }

    @Test
    default void a_repetition_answers_with_the_first_positions_and_stores_nothing() {
        append(event("Before"));
        Append request = keyed("key", event("One"), event("Two"));
        store().append(request);
        append(event("Between"));

        for (EventStore instance : instances()) {
            assertThat(instance.append(request)).isEqualTo(new Appended(Position.of(2), Position.of(3), true));
        }

        assertThat(store().head().position()).isEqualTo(Position.of(4));
    }

    @Test
    default void a_repetition_may_come_with_new_ids_and_metadata() {
        store().append(keyed("key", event("One", "a")));

        assertThat(store().append(keyed("key", event("One", "a").withMetadata("{\"attempt\":2}"))))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), true));
    }

    @Test
    default void a_repetition_is_answered_although_its_condition_would_fail_now() {
        Append request =
                keyed("key", event("Claimed", "name:ann")).onCondition(noneMatches(QueryItem.tags("name:ann")));
        store().append(request);

        assertThat(store().append(request)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
    }

    @Test
    default void a_repetition_is_answered_although_its_basis_is_lost_now() {
        Append request = keyed("key", event("One"));
        store().append(request);
        Head lost = new Head(Position.of(7), store().head().incarnation(), UUID.randomUUID());

        assertThat(store().append(
                                request.onCondition(noneMatches(QueryItem.any()).after(lost))))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), true));
    }

    @Test
    default void a_key_that_comes_with_other_events_is_refused_and_nothing_is_stored() {
        store().append(keyed("key", event("One", "a")));

        for (Append other : List.of(
                keyed("key", event("Two", "a")),
                keyed("key", event("One", "b")),
                keyed("key", Event.of("One", "{\"other\":1}", "a")),
                keyed("key", event("One", "a"), event("One", "a")))) {
            assertThatThrownBy(() -> store().append(other))
                    .isInstanceOf(IdempotencyKeyReusedException.class)
                    .hasMessage("The idempotency key 'key' was already used for a different request; use a new key");
        }
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void a_key_with_another_fingerprint_is_refused_before_conditions_are_judged() {
        store().append(Append.of(event("One", "a")).under(new IdempotencyKey("key", "first")));

        assertThatThrownBy(() -> store().append(Append.of(event("One", "a"))
                        .under(new IdempotencyKey("key", "second"))
                        .onCondition(noneMatches(QueryItem.any()))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    default void a_refused_reuse_leaves_the_first_append_known() {
        Append request = keyed("key", event("One"));
        store().append(request);
        assertThatThrownBy(() -> store().append(keyed("key", event("Two"))))
                .isInstanceOf(IdempotencyKeyReusedException.class);

        assertThat(store().append(request)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
    }

    @Test
    default void the_fingerprint_alone_says_whether_an_append_is_the_same() {
        IdempotencyKey key = new IdempotencyKey("key", "command 1");
        store().append(Append.of(event("One")).under(key));

        assertThat(store().append(Append.of(event("Two"), event("Three")).under(key)))
                .isEqualTo(new Appended(Position.of(1), Position.of(1), true));
    }

    @Test
    default void a_rejected_append_does_not_use_up_its_key() {
        append(event("Claimed", "name:ann"));
        Append rejected =
                keyed("key", event("Claimed", "name:ann")).onCondition(noneMatches(QueryItem.tags("name:ann")));
        assertThat(store().append(rejected)).isInstanceOf(Conflict.class);

        assertThat(store().append(keyed("key", event("Claimed", "name:bob"))))
                .isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @Test
    default void keys_differ_in_every_letter() {
        for (String key : List.of("key", "Key", "key ", " key", "keys", "k\u00e9y")) {
            assertThat(store().append(keyed(key, event("One", key))))
                    .isInstanceOfSatisfying(
                            Appended.class,
                            appended -> assertThat(appended.repeated()).isFalse());
        }
    }

    @Test
    default void the_same_events_under_another_key_and_under_none_are_appended_again() {
        Event event = event("One");
        store().append(keyed("key", event));

        assertThat(store().append(keyed("other", event)))
                .isEqualTo(new Appended(Position.of(2), Position.of(2), false));
        assertThat(append(event)).isEqualTo(new Appended(Position.of(3), Position.of(3), false));
    }

    @Test
    default void a_key_is_remembered_until_its_retention_has_passed() {
        Append request = keyed("key", event("One"));
        store().append(request);

        keysAge(RETENTION.minusHours(1));

        assertThat(store().append(request)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
        assertThatThrownBy(() -> store().append(keyed("key", event("Two"))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    default void a_key_is_free_again_when_its_retention_has_passed() {
        store().append(keyed("key", event("One")));
        IdempotencyKey first = IdempotencyKey.of("key", List.of(event("One")));

        keysAge(RETENTION);

        assertThat(store().appendedUnder(first)).isEmpty();
        Append second = keyed("key", event("Two"));
        assertThat(store().append(second)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
        assertThat(store().append(second)).isEqualTo(new Appended(Position.of(2), Position.of(2), true));
    }

    @Test
    default void a_repetition_does_not_prolong_the_retention() {
        Append request = keyed("key", event("One"));
        store().append(request);
        keysAge(RETENTION.minusHours(1));
        store().append(request);
        keysAge(Duration.ofHours(1));

        assertThat(store().append(request)).isEqualTo(new Appended(Position.of(2), Position.of(2), false));
    }

    @Test
    default void a_key_used_again_is_remembered_from_then_on() {
        Append request = keyed("key", event("One"));
        store().append(request);
        keysAge(RETENTION);
        store().append(request);

        keysAge(RETENTION.minusHours(1));

        assertThat(store().append(request)).isEqualTo(new Appended(Position.of(2), Position.of(2), true));
    }

    @Test
    default void an_append_can_be_looked_up_under_its_key() {
        Append request = keyed("key", event("One"), event("Two"));
        IdempotencyKey key = IdempotencyKey.of("key", request.events());
        assertThat(store().appendedUnder(key)).isEmpty();

        store().append(request);

        for (EventStore instance : instances()) {
            assertThat(instance.appendedUnder(key)).contains(new Appended(Position.of(1), Position.of(2), true));
        }
    }

    @Test
    default void nothing_was_appended_under_the_key_of_a_rejected_append() {
        append(event("One", "a"));
        Append rejected = keyed("key", event("Two")).onCondition(noneMatches(QueryItem.tags("a")));
        store().append(rejected);

        assertThat(store().appendedUnder(IdempotencyKey.of("key", rejected.events())))
                .isEmpty();
    }

    @Test
    default void asking_for_a_key_with_another_fingerprint_is_refused() {
        store().append(keyed("key", event("One")));

        assertThatThrownBy(() -> store().appendedUnder(new IdempotencyKey("key", "other")))
                .isInstanceOf(IdempotencyKeyReusedException.class);
    }

    @Test
    default void a_blank_key_and_an_empty_fingerprint_are_refused() {
        assertThatThrownBy(() -> new IdempotencyKey(" ", "fingerprint"))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("An idempotency key must not be blank");
        assertThatThrownBy(() -> new IdempotencyKey("key", ""))
                .isInstanceOf(RefusedInputException.class)
                .hasMessage("The fingerprint of an idempotency key must not be empty");
    }

    @Test
    default void fingerprints_of_events_do_not_run_into_each_other() {
        assertThat(List.of(
                        IdempotencyKey.of("key", List.of(event("ab", "c"))),
                        IdempotencyKey.of("key", List.of(event("a", "bc"))),
                        IdempotencyKey.of("key", List.of(event("ab"), event("c"))),
                        IdempotencyKey.of("key", List.of(event("a", "b", "c"))),
                        IdempotencyKey.of("key", List.of(event("a", "b,c"))),
                        IdempotencyKey.of("key", List.of(event("a", "b"), event("a", "b")))))
                .doesNotHaveDuplicates();
    }

    @Test
    default void fingerprints_of_parts_do_not_run_into_each_other() {
        assertThat(List.of(
                        IdempotencyKey.of("key", new byte[] {1, 2}, new byte[] {3}),
                        IdempotencyKey.of("key", new byte[] {1}, new byte[] {2, 3}),
                        IdempotencyKey.of("key", new byte[] {1, 2, 3}),
                        IdempotencyKey.of("key", new byte[] {1, 2, 3}, new byte[0])))
                .doesNotHaveDuplicates();
    }
}
