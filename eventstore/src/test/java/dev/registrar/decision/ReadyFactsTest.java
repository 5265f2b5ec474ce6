package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.ReadyFactsTest.Ledger.Deposited;
import dev.registrar.decision.ReadyFactsTest.Ledger.Withdrawn;
import dev.registrar.decision.testkit.Scenario;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.GroupFold;
import dev.registrar.eventstore.InMemoryEventStore;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The ready-made facts: their states, their equality, and decisions on them. */
class ReadyFactsTest {
    private static final JsonEventCodec<Ledger> CODEC = JsonEventCodec.of(Ledger.class, Ledger::tags);
    private static final QueryItem MOVEMENTS = CODEC.types(Deposited.class, Withdrawn.class);

    private final InMemoryEventStore store = new InMemoryEventStore();

    /** The events of a bank's accounts. */
    sealed interface Ledger {
        String account();

        default List<Tag> tags() {
            return List.of(Tag.of("account:" + account()), Tag.of("bank:north"));
        }

        record Deposited(String account, long cents) implements Ledger {}

        record Withdrawn(String account, long cents) implements Ledger {}
    }

    /** Withdraws an amount from an account with a sufficient balance. */
    private record Withdraw(String account, long cents) implements Decision<Ledger, String> {
        @Override
        public List<? extends Fact<Ledger, ?>> facts() {
            return List.of(balance(account), Fact.last(Withdrawn.class, of(account)), Fact.exists(of(account)));
        }

        @Override
        public Verdict<Ledger, String> decide(Facts<Ledger> facts, Instant now) {
            if (!facts.get(Fact.exists(of(account)))) {
                return Verdict.refuse("unknown account");
            }
            if (facts.get(balance(account)) < cents) {
                return Verdict.refuse("too little");
            }
            Optional<Withdrawn> last = facts.get(Fact.last(Withdrawn.class, of(account)));
            return last.isPresent() && last.get().cents() == cents
                    ? Verdict.refuse("the same again")
                    : Verdict.accept(new Withdrawn(account, cents));
        }
    }

    @Test
    void a_decision_rests_on_ready_made_facts() {
        Scenario<Ledger> bank =
                Scenario.of(CODEC).given(new Deposited("a", 30), new Withdrawn("a", 10), new Deposited("b", 100));

        bank.when(new Withdraw("a", 20)).thenAccepted(new Withdrawn("a", 20));
        bank.when(new Withdraw("a", 21)).thenRefused("too little");
        bank.when(new Withdraw("a", 10)).thenRefused("the same again");
        bank.when(new Withdraw("c", 1)).thenRefused("unknown account");
    }

    @Test
    void count_exists_last_and_sum_follow_the_events_that_match() {
        append(new Deposited("a", 30), new Deposited("b", 5), new Withdrawn("a", 10), new Deposited("a", 7));

        assertThat(state(Fact.count(of("a")))).isEqualTo(3);
        assertThat(state(Fact.count(of("c")))).isZero();
        assertThat(state(Fact.exists(of("b")))).isTrue();
        assertThat(state(Fact.exists(of("c")))).isFalse();
        assertThat(state(Fact.last(Deposited.class, of("a")))).contains(new Deposited("a", 7));
        assertThat(state(Fact.last(Withdrawn.class, of("b")))).isEmpty();
        assertThat(state(Fact.<Ledger, Ledger>last(Ledger.class, Query.of(MOVEMENTS))))
                .contains(new Deposited("a", 7));
        assertThat(state(balance("a"))).isEqualTo(27);
        assertThat(state(Fact.sum(Withdrawn.class, of("a"), Withdrawn::cents))).isEqualTo(10);
    }

    @Test
    void an_event_of_another_domain_changes_no_state() {
        append(new Deposited("a", 30));
        store.append(List.of(Event.of("LetterSent", "{}", "account:a")));

        assertThat(state(Fact.count(of("a")))).isOne();
        assertThat(state(balance("a"))).isEqualTo(30);
    }

    @Test
    void a_sum_beyond_the_range_of_a_long_fails_instead_of_wrapping() {
        append(new Deposited("a", Long.MAX_VALUE), new Deposited("a", 1));

        assertThatThrownBy(() -> state(balance("a"))).isInstanceOf(ArithmeticException.class);
    }

    @Test
    void facts_are_equal_if_their_arguments_are_equal() {
        assertThat(List.<Fact<Ledger, ?>>of(
                        Fact.count(of("a")),
                        Fact.exists(of("a")),
                        Fact.last(Withdrawn.class, of("a")),
                        balance("a"),
                        byAccount(balance("a"), 2)))
                .isEqualTo(List.<Fact<Ledger, ?>>of(
                        Fact.count(of("a")),
                        Fact.exists(of("a")),
                        Fact.last(Withdrawn.class, of("a")),
                        balance("a"),
                        byAccount(balance("a"), 2)))
                .doesNotHaveDuplicates()
                .doesNotContain(
                        Fact.count(of("b")),
                        Fact.last(Deposited.class, of("a")),
                        Fact.sum(Ledger.class, of("a"), moved -> 1),
                        byAccount(balance("a"), 3));
    }

    @Test
    void a_grouped_fact_has_a_state_for_each_group() {
        append(new Deposited("a", 30), new Deposited("b", 5), new Withdrawn("a", 10));
        Fact<Ledger, Map<String, Long>> balances = byAccount(balanceOfAll(), 2);

        assertThat(state(balances)).isEqualTo(Map.of("a", 20L, "b", 5L));
        assertThat(state(Fact.grouped(balanceOfAll(), moved -> List.<String>of(), 1)))
                .isEmpty();
        assertThatThrownBy(() -> state(balances).put("c", 1L)).isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void a_grouped_fact_fails_beyond_its_bound_and_names_it() {
        append(new Deposited("a", 30), new Deposited("b", 5));

        assertThatThrownBy(() -> state(byAccount(balanceOfAll(), 1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("Too many groups (limit 1)", "Deposited");
        assertThatThrownBy(() -> byAccount(balanceOfAll(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but is 0");
    }

    @Test
    void a_grouped_fact_weighs_more_with_more_groups() {
        Fact<Ledger, Map<Integer, Long>> many = Fact.grouped(
                balanceOfAll(),
                moved -> Stream.iterate(0, group -> group + 1).limit(80).toList(),
                100);

        assertThat(many.weight(many.initial())).isOne();
        assertThat(many.weight(many.apply(many.initial(), new Deposited("a", 1))))
                .isEqualTo(11);
    }

    /*
     * The decoded event has no tags but the stored event has. The fold groups by the stored event and passes the
     * decoded event to the fact.
     */
    @Test
    void one_pass_over_a_read_folds_a_group_for_each_value_of_a_tag() {
        append(new Deposited("a", 30), new Deposited("b", 5), new Withdrawn("a", 10));
        store.append(List.of(Event.of("Deposited", "{\"account\": \"x\", \"cents\": 1}", "account:a", "account:b")));
        store.append(List.of(Event.of("Deposited", "{\"account\": \"x\", \"cents\": 1}")));
        store.append(List.of(Event.of("Opened", "{}", "account:z")));
        Projection<Long> balance = balanceOfAll().decodedBy(CODEC);
        GroupFold<String, Long> balances = GroupFold.byTag("account:", balance, 2);

        try (EventStream all = store.read(Query.all())) {
            assertThat(balances.fold(all)).containsExactly(Map.entry("a", 21L), Map.entry("b", 6L));
            assertThat(store.append(Append.of(Event.of("Deposited", "{}", "account:c"))
                            .onCondition(AppendCondition.failIfEventsMatch(balance.query())
                                    .after(all.head()))))
                    .isNotInstanceOf(Conflict.class);
        }
        assertThat(balances.fold(Collections.emptyIterator())).isEmpty();
    }

    @Test
    void a_fold_beyond_its_bound_of_groups_names_the_first_excess_group() {
        append(new Deposited("a", 30), new Deposited("b", 5), new Deposited("c", 5));
        GroupFold<String, Long> balances =
                GroupFold.byTag("account:", balanceOfAll().decodedBy(CODEC), 2);

        assertThatThrownBy(() ->
                        balances.fold(new ArrayList<>(store.read(Query.all()).toList()).iterator()))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContainingAll("Too many groups (limit 2)", "position 3", "'c'");
        assertThatThrownBy(() -> GroupFold.byTag("account:", balances.each(), 0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("but is 0");
    }

    private void append(Ledger... events) {
        for (Ledger event : events) {
            store.append(List.of(CODEC.encode(event).event()));
        }
    }

    private <S> S state(Fact<Ledger, S> fact) {
        Projection<S> projection = fact.decodedBy(CODEC);
        return store.project(projection).state(projection);
    }

    private static Query of(String account) {
        return Query.of(MOVEMENTS.tagged("account:" + account));
    }

    private static Fact<Ledger, Long> balance(String account) {
        return moved(of(account));
    }

    private static Fact<Ledger, Long> balanceOfAll() {
        return moved(Query.of(MOVEMENTS));
    }

    private static Fact<Ledger, Long> moved(Query query) {
        return Fact.sum(Ledger.class, query, moved -> switch (moved) {
            case Deposited deposited -> deposited.cents();
            case Withdrawn withdrawn -> -withdrawn.cents();
        });
    }

    private static Fact<Ledger, Map<String, Long>> byAccount(Fact<Ledger, Long> each, int most) {
        return Fact.grouped(each, moved -> List.of(moved.account()), most);
    }
}
