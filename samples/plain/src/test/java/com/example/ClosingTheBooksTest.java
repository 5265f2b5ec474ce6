package com.example;

import static org.assertj.core.api.Assertions.assertThat;

import com.example.ClosingTheBooks.Balance;
import com.example.ClosingTheBooks.Month;
import com.example.ClosingTheBooks.State;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.InMemoryEventStore;
import java.time.YearMonth;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ClosingTheBooksTest {
    private static final YearMonth OCTOBER = YearMonth.of(2026, 10);
    private static final YearMonth NOVEMBER = OCTOBER.plusMonths(1);

    private final EventStore store = new InMemoryEventStore();
    private final ClosingTheBooks books = new ClosingTheBooks(store);

    @BeforeEach
    void ann_has_100_in_october() {
        assertThat(books.open("ann", OCTOBER)).isInstanceOf(Appended.class);
        assertThat(books.book("ann", OCTOBER, 100).orElseThrow()).isInstanceOf(Appended.class);
    }

    @Test
    void a_month_begins_with_the_balance_of_the_one_before() {
        books.close("ann", OCTOBER);

        assertThat(books.book("ann", NOVEMBER, -101)).isEmpty();
        assertThat(books.book("ann", NOVEMBER, -100).orElseThrow()).isInstanceOf(Appended.class);
        assertThat(balance(NOVEMBER)).isEqualTo(new Balance(State.OPEN, 0));
    }

    @Test
    void a_decision_reads_the_events_of_its_month_only() {
        for (int i = 0; i < 50; i++) {
            books.book("ann", OCTOBER, 1);
        }
        books.close("ann", OCTOBER);
        books.book("ann", NOVEMBER, 7);

        assertThat(store.count(new Month("ann", NOVEMBER).query()))
                .as("the closing of October, and the booking")
                .isEqualTo(2);
        assertThat(balance(NOVEMBER)).isEqualTo(new Balance(State.OPEN, 157));
    }

    @Test
    void only_an_open_month_takes_bookings_and_is_closed() {
        assertThat(books.book("ann", NOVEMBER, 1)).isEmpty();
        assertThat(books.close("ann", NOVEMBER)).isEmpty();

        books.close("ann", OCTOBER);

        assertThat(books.book("ann", OCTOBER, 1)).isEmpty();
        assertThat(books.close("ann", OCTOBER)).isEmpty();
    }

    @Test
    void a_wallet_is_opened_once() {
        assertThat(books.open("ann", NOVEMBER)).isInstanceOf(Conflict.class);
    }

    /* Both have read an open October; the closing is stored first. */
    @Test
    void a_late_booking_conflicts_with_the_closing() {
        assertThat(meanwhile(() -> books.close("ann", OCTOBER))
                        .book("ann", OCTOBER, 5)
                        .orElseThrow())
                .isInstanceOf(Conflict.class);
        assertThat(balance(NOVEMBER)).isEqualTo(new Balance(State.OPEN, 100));
    }

    /* Both have read an open October; the booking is stored first. Closed again, October has it. */
    @Test
    void a_closing_conflicts_with_a_late_booking() {
        assertThat(meanwhile(() -> books.book("ann", OCTOBER, 5))
                        .close("ann", OCTOBER)
                        .orElseThrow())
                .isInstanceOf(Conflict.class);

        books.close("ann", OCTOBER);

        assertThat(balance(NOVEMBER)).isEqualTo(new Balance(State.OPEN, 105));
    }

    @Test
    void two_closings_of_a_month_conflict() {
        assertThat(meanwhile(() -> books.close("ann", OCTOBER))
                        .close("ann", OCTOBER)
                        .orElseThrow())
                .isInstanceOf(Conflict.class);
    }

    /* The control: a deposit breaks no rule of the balance, so a condition may seem needless. Without it 5 are lost. */
    @Test
    void without_the_condition_a_late_booking_is_lost() {
        Month october = new Month("ann", OCTOBER);
        assertThat(store.project(october).state(october).state()).isEqualTo(State.OPEN);
        books.close("ann", OCTOBER);

        assertThat(store.append(List.of(Event.of("AmountBooked", "5", october.tag()))))
                .isInstanceOf(Appended.class);

        assertThat(balance(NOVEMBER)).isEqualTo(new Balance(State.OPEN, 100));
    }

    private Balance balance(YearMonth month) {
        Month ofAnn = new Month("ann", month);
        return store.project(ofAnn).state(ofAnn);
    }

    private ClosingTheBooks meanwhile(Runnable other) {
        return new ClosingTheBooks(InterruptedStore.of(store, other));
    }
}
