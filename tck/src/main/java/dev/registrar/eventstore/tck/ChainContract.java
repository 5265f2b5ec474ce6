package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Actor;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.ChainingEventStore;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.IdempotencyKeyReusedException;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.RefusedInputException;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The additional contract of a {@link ChainingEventStore}: it appends chains of requests that build on each other. */
public interface ChainContract extends StoreUnderTest {

    private ChainingEventStore chainingStore() {
        return (ChainingEventStore) store();
    }

    private Append guarded(String tag) {
        return Append.of(event("Taken", tag)).onCondition(noneMatches(QueryItem.tags(tag)));
    }

    private static Appended appended(long first, long last) {
        return new Appended(Position.of(first), Position.of(last), false);
    }

    @Test
    default void each_request_of_a_chain_builds_on_those_before_it() {
        append(event("Before"));

        assertThat(chainingStore().appendChain(List.of(guarded("seat"), guarded("seat"), guarded("seat"))))
                .containsExactly(appended(2, 2), appended(3, 3), appended(4, 4));
        assertThat(store().count(Query.of(QueryItem.tags("seat")))).isEqualTo(3);
    }

    @Test
    default void a_chain_of_one_is_an_append() {
        assertThat(chainingStore().appendChain(List.of(Append.of(event("A"), event("B")))))
                .containsExactly(appended(1, 2));
    }

    @Test
    default void each_request_of_a_chain_keeps_its_own_actor() {
        Actor ann = Actor.of("issuer", "ann");
        Actor bob = Actor.of("issuer", "bob").onBehalfOf("ann");
        chainingStore()
                .appendChain(List.of(
                        Append.of(event("A"), event("B")).by(ann),
                        Append.of(event("C")),
                        Append.of(event("D"), event("E")).by(bob)));

        assertThat(store().read(Query.all()).stream().map(SequencedEvent::actor))
                .containsExactly(ann, ann, null, bob, bob);
    }

    @Test
    default void a_chain_ends_with_the_first_request_that_is_refused() {
        append(event("Taken", "chair"));

        List<AppendResult> results =
                chainingStore().appendChain(List.of(guarded("seat"), guarded("chair"), guarded("table")));

        assertThat(results)
                .containsExactly(appended(2, 2), new Conflict(QueryItem.tags("chair"), Position.of(1), "Taken"));
        assertThat(store().exists(Query.of(QueryItem.tags("table")))).isFalse();
        assertThat(store().head().position()).isEqualTo(Position.of(2));
    }

    @Test
    default void a_chain_whose_first_request_is_refused_appends_nothing() {
        append(event("Taken", "seat"));

        assertThat(chainingStore().appendChain(List.of(guarded("seat"), guarded("table"), guarded("table"))))
                .containsExactly(new Conflict(QueryItem.tags("seat"), Position.of(1), "Taken"));
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void a_request_that_rests_on_a_lost_head_ends_a_chain() {
        append(event("Before"));
        Head lost = store().head();
        clear();
        Append request = Append.of(event("After"))
                .onCondition(AppendCondition.failIfEventsMatch(Query.all()).after(lost));

        assertThat(chainingStore().appendChain(List.of(Append.of(event("First")), request, Append.of(event("Last")))))
                .containsExactly(appended(1, 1), new StoreReplaced());
        assertThat(store().head().position()).isEqualTo(Position.of(1));
    }

    @Test
    default void a_repetition_ends_a_chain() {
        IdempotencyKey key = new IdempotencyKey("k", "the second");
        Append second = Append.of(event("Second")).under(key);
        store().append(second);

        List<AppendResult> results =
                chainingStore().appendChain(List.of(Append.of(event("First")), second, Append.of(event("Third"))));

        assertThat(results).containsExactly(appended(2, 2), new Appended(Position.of(1), Position.of(1), true));
        assertThat(store().head().position()).isEqualTo(Position.of(2));
    }

    @Test
    default void keys_of_a_chain_are_remembered() {
        List<Append> chain = IntStream.range(0, 3)
                .mapToObj(i -> Append.of(event("A"), event("B")).under(new IdempotencyKey("k" + i, "f")))
                .toList();
        chainingStore().appendChain(chain);

        assertThat(store().appendedUnder(new IdempotencyKey("k1", "f")))
                .contains(new Appended(Position.of(3), Position.of(4), true));
        assertThat(chainingStore().appendChain(chain))
                .containsExactly(new Appended(Position.of(1), Position.of(2), true));
    }

    @Test
    default void a_reused_key_is_an_error_for_the_first_request_and_ends_a_chain_later() {
        store().append(Append.of(event("A")).under(new IdempotencyKey("k", "one thing")));
        Append another = Append.of(event("B")).under(new IdempotencyKey("k", "another"));

        assertThatThrownBy(() -> chainingStore().appendChain(List.of(another, Append.of(event("C")))))
                .isInstanceOf(IdempotencyKeyReusedException.class);
        assertThat(chainingStore().appendChain(List.of(Append.of(event("C")), another)))
                .containsExactly(appended(2, 2));
    }

    @Test
    default void requests_that_cannot_be_a_chain_are_refused_together() {
        IdempotencyKey key = new IdempotencyKey("k", "f");
        Append keyed = Append.of(event("A")).under(key);
        List<Event> tooMany =
                IntStream.range(0, 501).mapToObj(i -> event("Many")).toList();

        assertThatThrownBy(() -> chainingStore().appendChain(List.of())).isInstanceOf(RefusedInputException.class);
        assertThatThrownBy(() -> chainingStore().appendChain(List.of(keyed, keyed)))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("'k'");
        assertThatThrownBy(() -> chainingStore().appendChain(List.of(Append.of(tooMany), Append.of(tooMany))))
                .isInstanceOf(RefusedInputException.class)
                .hasMessageContaining("1002");
        assertThat(store().head().position()).isEqualTo(Position.START);
    }

    @Test
    default void the_requests_of_a_chain_have_several_conditions_each() {
        append(event("One", "a"), event("Two", "b"));
        AppendCondition a = noneMatches(QueryItem.tags("a")).after(Position.of(1));
        AppendCondition b = noneMatches(QueryItem.tags("b"));
        List<AppendCondition> hold = List.of(a, b.after(Position.of(2)));
        List<AppendCondition> broken = List.of(a, b.after(Position.of(1)));

        List<AppendResult> results = chainingStore()
                .appendChain(List.of(
                        Append.of(event("Three", "a")).onConditions(hold),
                        Append.of(event("Four", "b")).onConditions(hold),
                        Append.of(event("Five")).onConditions(broken),
                        Append.of(event("Six"))));

        assertThat(results)
                .containsExactly(
                        new Appended(Position.of(3), Position.of(3), false),
                        new Appended(Position.of(4), Position.of(4), false),
                        new Conflict(QueryItem.tags("b"), Position.of(2), "Two"));
        assertThat(store().head().position()).isEqualTo(Position.of(4));
    }

    @Test
    default void a_chain_whose_conditions_need_a_long_look_is_judged_as_a_chain() {
        QueryItem both = QueryItem.tags("a", "b");
        store().append(IntStream.range(0, 600)
                .mapToObj(i -> event("Single", i % 2 == 0 ? "a" : "b"))
                .toList());
        Append pair = Append.of(event("Pair", "a", "b")).onCondition(noneMatches(both));
        Append plain = Append.of(event("Plain"));

        assertThat(chainingStore().appendChain(List.of(plain, pair, pair)))
                .containsExactly(appended(601, 601), appended(602, 602), appended(603, 603));
        assertThat(chainingStore().appendChain(List.of(plain, pair, plain)))
                .containsExactly(appended(604, 604), new Conflict(both, Position.of(602), "Pair"));
        assertThat(chainingStore().appendChain(List.of(pair, plain)))
                .containsExactly(new Conflict(both, Position.of(602), "Pair"));
        assertThat(store().head().position()).isEqualTo(Position.of(604));
    }
}
