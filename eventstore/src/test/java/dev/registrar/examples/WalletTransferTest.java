package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/**
 * Money moves between two wallets in one event with the tags of both. The boundary of a transfer is these two wallets:
 * transfers between others do not conflict with it.
 */
@OnEveryStore
class WalletTransferTest {
    private static final int ATTEMPTS = 10_000;

    private final ExampleStore example;
    private final Bank bank;

    WalletTransferTest(ExampleStore example) {
        this.example = example;
        this.bank = new Bank(example.emptied());
    }

    record WalletOpened(String wallet, String owner, long balance) {}

    record MoneyDeposited(String wallet, long amount) {}

    record MoneyWithdrawn(String wallet, long amount) {}

    record MoneyTransferred(String from, String to, long amount) {}

    /** The part of an application that moves money. Each method returns a message. */
    static final class Bank {
        static final String DONE = "done";

        private final EventStore store;

        Bank(EventStore store) {
            this.store = store;
        }

        String open(String wallet, String owner, long balance) {
            if (balance < 0) {
                return "a wallet is opened with 0 or more but was with %s".formatted(balance);
            }
            Wallet opened = new Wallet(wallet);
            return decide(
                    seen -> seen.state(opened).exists()
                            ? Verdict.refused("account %s already exists".formatted(wallet))
                            : Verdict.of(opened(wallet, owner, balance)),
                    opened);
        }

        String deposit(String wallet, long amount) {
            Wallet to = new Wallet(wallet);
            return decide(seen -> checked(amount, seen.state(to), wallet).orElseOf(deposited(wallet, amount)), to);
        }

        String withdraw(String wallet, long amount) {
            Wallet from = new Wallet(wallet);
            return decide(
                    seen -> checked(amount, seen.state(from), wallet)
                            .and(covered(amount, seen.state(from), wallet))
                            .orElseOf(withdrawn(wallet, amount)),
                    from);
        }

        String transfer(String source, String destination, long amount) {
            if (source.equals(destination)) {
                return "account %s cannot transfer to itself".formatted(source);
            }
            Wallet from = new Wallet(source);
            Wallet to = new Wallet(destination);
            return decide(
                    seen -> {
                        if (!seen.state(from).exists()) {
                            return Verdict.refused("source account %s does not exist".formatted(source));
                        }
                        return checked(amount, seen.state(to), destination)
                                .and(covered(amount, seen.state(from), source))
                                .orElseOf(transferred(source, destination, amount));
                    },
                    from,
                    to);
        }

        private static Verdict checked(long amount, Balance balance, String wallet) {
            if (amount < 1) {
                return Verdict.refused("an amount is 1 or more but was %s".formatted(amount));
            }
            if (!balance.exists()) {
                return Verdict.refused("account %s does not exist".formatted(wallet));
            }
            return amount > Long.MAX_VALUE - balance.amount()
                    ? Verdict.refused("account %s cannot hold %s more".formatted(wallet, amount))
                    : Verdict.NOTHING;
        }

        private static Verdict covered(long amount, Balance balance, String wallet) {
            return balance.amount() < amount
                    ? Verdict.refused("insufficient funds: account %s has %s, needs %s"
                            .formatted(wallet, balance.amount(), amount))
                    : Verdict.NOTHING;
        }

        /* The loser of a race reads again. */
        private String decide(Function<Projected, Verdict> rule, Wallet... wallets) {
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Projected seen = store.project(wallets);
                Verdict verdict = rule.apply(seen);
                if (verdict.events().isEmpty()) {
                    return verdict.refusal();
                }
                switch (store.append(verdict.events(), seen.appendCondition())) {
                    case Appended appended -> {
                        return DONE;
                    }
                    case Conflict conflict -> {}
                    case StoreReplaced replaced -> {}
                }
            }
            return "too many others use these accounts at the same time";
        }
    }

    /** Events, or the reason for the refusal. */
    record Verdict(List<Event> events, String refusal) {
        static final Verdict NOTHING = new Verdict(List.of(), "");

        static Verdict of(Event event) {
            return new Verdict(List.of(event), "");
        }

        static Verdict refused(String reason) {
            return new Verdict(List.of(), reason);
        }

        Verdict and(Verdict next) {
            return refusal.isEmpty() ? next : this;
        }

        Verdict orElseOf(Event event) {
            return refusal.isEmpty() ? of(event) : this;
        }
    }

    /** The money in a wallet, if the wallet exists. */
    record Balance(boolean exists, long amount) {
        Balance plus(long more) {
            return new Balance(exists, amount + more);
        }
    }

    /** Follows the balance of one wallet. */
    record Wallet(String wallet) implements Projection<Balance> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("WalletOpened", "MoneyDeposited", "MoneyWithdrawn", "MoneyTransferred")
                    .tagged(tag(wallet)));
        }

        @Override
        public Balance initial() {
            return new Balance(false, 0);
        }

        @Override
        public Balance apply(Balance balance, SequencedEvent event) {
            return switch (event.event().type()) {
                case "WalletOpened" ->
                    new Balance(
                            true, Json.data(event.event(), WalletOpened.class).balance());
                case "MoneyDeposited" ->
                    balance.plus(Json.data(event.event(), MoneyDeposited.class).amount());
                case "MoneyWithdrawn" ->
                    balance.plus(-Json.data(event.event(), MoneyWithdrawn.class).amount());
                default -> {
                    MoneyTransferred moved = Json.data(event.event(), MoneyTransferred.class);
                    yield balance.plus(moved.from().equals(wallet) ? -moved.amount() : moved.amount());
                }
            };
        }
    }

    static Event opened(String wallet, String owner, long balance) {
        return Json.event(new WalletOpened(wallet, owner, balance), tag(wallet));
    }

    static Event deposited(String wallet, long amount) {
        return Json.event(new MoneyDeposited(wallet, amount), tag(wallet));
    }

    static Event withdrawn(String wallet, long amount) {
        return Json.event(new MoneyWithdrawn(wallet, amount), tag(wallet));
    }

    static Event transferred(String from, String to, long amount) {
        return Json.event(new MoneyTransferred(from, to, amount), tag(from), tag(to));
    }

    private static String tag(String wallet) {
        return "wallet:" + wallet;
    }

    private long balance(String wallet) {
        Wallet projection = new Wallet(wallet);
        return example.store().project(projection).state(projection).amount();
    }

    /* go-crablet's example: 300 of 1,000 are transferred, then 800 of the remaining 700. */
    @Test
    void money_is_transferred_while_the_balance_is_sufficient() {
        assertThat(bank.open("acc1", "Alice", 1_000)).isEqualTo(Bank.DONE);
        assertThat(bank.open("acc456", "Bob", 500)).isEqualTo(Bank.DONE);

        assertThat(bank.transfer("acc1", "acc456", 300)).isEqualTo(Bank.DONE);
        assertThat(bank.transfer("acc1", "acc456", 800))
                .isEqualTo("insufficient funds: account acc1 has 700, needs 800");

        assertThat(balance("acc1")).isEqualTo(700);
        assertThat(balance("acc456")).isEqualTo(800);
        assertThat(example.happened(MoneyTransferred.class)).hasSize(1);
    }

    @Test
    void money_is_deposited_and_withdrawn() {
        example.given(opened("acc1", "Alice", 100));

        assertThat(bank.deposit("acc1", 50)).isEqualTo(Bank.DONE);
        assertThat(bank.withdraw("acc1", 150)).isEqualTo(Bank.DONE);
        assertThat(bank.withdraw("acc1", 1)).isEqualTo("insufficient funds: account acc1 has 0, needs 1");
    }

    @Test
    void a_wallet_is_opened_once_and_before_any_transfer() {
        example.given(opened("acc1", "Alice", 100));

        assertThat(bank.open("acc1", "Bob", 5)).isEqualTo("account acc1 already exists");
        assertThat(bank.transfer("acc2", "acc1", 5)).isEqualTo("source account acc2 does not exist");
        assertThat(bank.transfer("acc1", "acc2", 5)).isEqualTo("account acc2 does not exist");
        assertThat(bank.deposit("acc2", 5)).isEqualTo("account acc2 does not exist");
    }

    @Test
    void invalid_amounts_are_refused() {
        example.given(opened("acc1", "Alice", 100), opened("acc2", "Bob", Long.MAX_VALUE));

        assertThat(bank.transfer("acc1", "acc2", 0)).isEqualTo("an amount is 1 or more but was 0");
        assertThat(bank.transfer("acc1", "acc2", Long.MIN_VALUE))
                .isEqualTo("an amount is 1 or more but was -9223372036854775808");
        assertThat(bank.transfer("acc1", "acc1", 5)).isEqualTo("account acc1 cannot transfer to itself");
        assertThat(bank.transfer("acc1", "acc2", 1)).isEqualTo("account acc2 cannot hold 1 more");
        assertThat(bank.open("acc3", "Cid", -1)).isEqualTo("a wallet is opened with 0 or more but was with -1");
    }

    /*
     * A transfer has read both wallets. Before its append, another transfer empties the source. The first transfer must
     * not be appended.
     */
    @Test
    void money_spent_by_a_concurrent_transfer_is_not_spent_again() {
        example.given(opened("acc1", "Alice", 100), opened("acc2", "Bob", 0), opened("acc3", "Cid", 0));
        Projected seen = example.store().project(new Wallet("acc1"), new Wallet("acc2"));
        assertThat(bank.transfer("acc1", "acc3", 100)).isEqualTo(Bank.DONE);

        assertThat(example.store().append(List.of(transferred("acc1", "acc2", 100)), seen.appendCondition()))
                .isInstanceOf(Conflict.class);
    }

    @Test
    void transfers_between_other_wallets_do_not_conflict() {
        example.given(opened("acc1", "A", 1), opened("acc2", "B", 0), opened("acc3", "C", 1), opened("acc4", "D", 0));
        Projected seen = example.store().project(new Wallet("acc1"), new Wallet("acc2"));
        assertThat(bank.transfer("acc3", "acc4", 1)).isEqualTo(Bank.DONE);

        assertThat(example.store().append(List.of(transferred("acc1", "acc2", 1)), seen.appendCondition()))
                .isInstanceOf(Appended.class);
    }

    /* Eight tellers move money between three wallets. No wallet is ever overdrawn, and the sum stays the same. */
    @Test
    void concurrent_transfers_create_or_lose_no_money() throws Exception {
        List<String> wallets = List.of("acc0", "acc1", "acc2");
        wallets.forEach(wallet -> example.given(opened(wallet, "A", 10)));
        List<Callable<Integer>> tellers = new ArrayList<>();
        for (int teller = 0; teller < 8; teller++) {
            int first = teller;
            tellers.add(() -> {
                int done = 0;
                for (int i = 0; i < 10; i++) {
                    String answer = bank.transfer("acc" + (first + i) % 3, "acc" + (first + i + 1) % 3, 7);
                    done += answer.equals(Bank.DONE) ? 1 : 0;
                }
                return done;
            });
        }
        int done = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(tellers.size())) {
            for (Future<Integer> moved : threads.invokeAll(tellers)) {
                done += moved.get();
            }
        }

        assertThat(wallets).allSatisfy(wallet -> assertThat(balance(wallet)).isNotNegative());
        assertThat(wallets.stream().mapToLong(this::balance).sum()).isEqualTo(30);
        assertThat(example.happened(MoneyTransferred.class)).hasSize(done);
    }
}
