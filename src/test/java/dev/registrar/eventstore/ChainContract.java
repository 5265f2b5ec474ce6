package dev.registrar.eventstore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Chains: requests that build on each other. */
interface ChainContract extends StoreUnderTest {

    private Append guarded(String tag) {
        return Append.of(event("Taken", tag)).onCondition(noneMatches(QueryItem.tags(tag)));
    }

    private static Appended appended(long first, long last) {
        return new Appended(Position.of(first), Position.of(last), false);
    }

    @Test
    default void each_request_of_a_chain_builds_on_those_before_it() {
        append(event("Before"));

        assertThat(store().appendChain(List.of(guarded("seat"), guarded("seat"), guarded("seat"))))
                .containsExactly(appended(2, 2), appended(3, 3), appended(4, 4));
        assertThat(store().count(Query.of(QueryItem.tags("seat")))).isEqualTo(3);
    }

    @Test
    default void a_chain_of_one_is_an_append() {
        assertThat(store().appendChain(List.of(Append.of(event("A"), event("B")))))
                .containsExactly(appended(1, 2));
    }

    @Test
    default void a_chain_ends_with_the_first_request_that_is_refused() {
        append(event("Taken", "chair"));

        List<AppendResult> results = store().appendChain(List.of(guarded("seat"), guarded("chair"), guarded("table")));

        assertThat(results)
                .containsExactly(appended(2, 2), new Conflict(QueryItem.tags("chair"), Position.of(1), "Taken"));
        assertThat(store().exists(Query.of(QueryItem.tags("table")))).isFalse();
        assertThat(store().head().position()).isEqualTo(Position.of(2));
    }

    @Test
    default void of_a_chain_whose_first_request_is_refused_nothing_is_appended() {
        append(event("Taken", "seat"));

        assertThat(store().appendChain(List.of(guarded("seat"), guarded("table"), guarded("table"))))
                .containsExactly(new Conflict(QueryItem.tags("seat"), Position.of(1), "Taken"));
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void what_rests_on_a_lost_head_ends_a_chain() {
        append(event("Before"));
        Head lost = store().head();
        clear();
        Append request = Append.of(event("After"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.all()).after(lost));

        assertThat(store().appendChain(List.of(Append.of(event("First")), request, Append.of(event("Last")))))
                .containsExactly(appended(1, 1), new StoreReplaced());
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void a_repetition_ends_a_chain_for_what_was_built_on_it_has_not_happened_now() {
        IdempotencyKey key = new IdempotencyKey("k", "the second");
        Append second = Append.of(event("Second")).under(key);
        store().append(second);

        List<AppendResult> results =
                store().appendChain(List.of(Append.of(event("First")), second, Append.of(event("Third"))));

        assertThat(results).containsExactly(appended(2, 2), new Appended(Position.of(1), Position.of(1), true));
        assertThat(store().head().position()).isEqualTo(Position.of(2));
    }

    @Test
    default void keys_of_a_chain_are_remembered() {
        List<Append> chain = IntStream.range(0, 3)
                .mapToObj(i -> Append.of(event("A"), event("B")).under(new IdempotencyKey("k" + i, "f")))
                .toList();
        store().appendChain(chain);

        assertThat(store().appendedUnder(new IdempotencyKey("k1", "f")))
                .contains(new Appended(Position.of(3), Position.of(4), true));
        assertThat(store().appendChain(chain)).containsExactly(new Appended(Position.of(1), Position.of(2), true));
    }

    @Test
    default void a_key_that_means_something_else_is_an_error_for_the_first_and_ends_the_chain_for_later_ones() {
        store().append(Append.of(event("A")).under(new IdempotencyKey("k", "one thing")));
        Append another = Append.of(event("B")).under(new IdempotencyKey("k", "another"));

        assertThatThrownBy(() -> store().appendChain(List.of(another, Append.of(event("C")))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(store().appendChain(List.of(Append.of(event("C")), another))).containsExactly(appended(2, 2));
    }

    @Test
    default void what_cannot_be_a_chain_is_refused_whole() {
        IdempotencyKey key = new IdempotencyKey("k", "f");
        Append keyed = Append.of(event("A")).under(key);
        List<Event> tooMany =
                IntStream.range(0, 501).mapToObj(i -> event("Many")).toList();

        assertThatThrownBy(() -> store().appendChain(List.of())).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> store().appendChain(List.of(keyed, keyed)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("'k'");
        assertThatThrownBy(() -> store().appendChain(List.of(Append.of(tooMany), Append.of(tooMany))))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("1002");
        assertThat(store().head().position()).isEqualTo(Position.START);
    }
}
