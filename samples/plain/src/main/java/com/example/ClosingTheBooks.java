package com.example;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.time.YearMonth;
import java.util.List;
import java.util.Optional;

/**
 * Wallets whose books are closed each month. The event that closes a month carries the balance into the next one, whose
 * decisions read from that event on. So a decision reads one month, however old the wallet is. What a rule forbids is
 * refused, with an empty result.
 */
public final class ClosingTheBooks {
    private final EventStore store;

    public ClosingTheBooks(EventStore store) {
        this.store = store;
    }

    /**
     * A month of a wallet. Its first event, the wallet's opening or the closing of the month before, opens it. Its
     * query contains its own closing, too: on that a booking into a closed month conflicts.
     */
    record Month(String wallet, YearMonth month) implements Projection<Balance> {

        String tag() {
            return "wallet-month:%s/%s".formatted(wallet, month);
        }

        Month next() {
            return new Month(wallet, month.plusMonths(1));
        }

        @Override
        public Query query() {
            return Query.of(QueryItem.types("WalletOpened", "AmountBooked", "MonthClosed")
                    .tagged(tag()));
        }

        @Override
        public Balance initial() {
            return new Balance(State.NOT_OPEN, 0);
        }

        @Override
        public Balance apply(Balance balance, SequencedEvent event) {
            long amount = Long.parseLong(event.event().payload());
            if (balance.state() == State.NOT_OPEN) {
                return new Balance(State.OPEN, amount);
            }
            return event.event().type().equals("MonthClosed")
                    ? new Balance(State.CLOSED, balance.amount())
                    : new Balance(State.OPEN, balance.amount() + amount);
        }
    }

    enum State {
        NOT_OPEN,
        OPEN,
        CLOSED
    }

    record Balance(State state, long amount) {}

    /** Opens an empty wallet, once. */
    public AppendResult open(String wallet, YearMonth month) {
        String tag = "wallet:" + wallet;
        return store.append(
                List.of(Event.of("WalletOpened", "0", tag, new Month(wallet, month).tag())),
                AppendCondition.failIfEventsMatch(
                        Query.of(QueryItem.types("WalletOpened").tagged(tag))));
    }

    /** Adds an amount to an open month of a wallet, or takes it, if there is as much. */
    public Optional<AppendResult> book(String wallet, YearMonth month, int amount) {
        Month booked = new Month(wallet, month);
        Projected seen = store.project(booked);
        Balance balance = seen.state(booked);
        if (balance.state() != State.OPEN || balance.amount() + amount < 0) {
            return Optional.empty();
        }
        Event event = Event.of("AmountBooked", Integer.toString(amount), booked.tag());
        return Optional.of(store.append(List.of(event), seen.appendCondition()));
    }

    /** Closes an open month of a wallet, and opens the next one with its balance. */
    public Optional<AppendResult> close(String wallet, YearMonth month) {
        Month closed = new Month(wallet, month);
        Projected seen = store.project(closed);
        Balance balance = seen.state(closed);
        if (balance.state() != State.OPEN) {
            return Optional.empty();
        }
        Event event = Event.of(
                "MonthClosed",
                Long.toString(balance.amount()),
                closed.tag(),
                closed.next().tag());
        return Optional.of(store.append(List.of(event), seen.appendCondition()));
    }
}
