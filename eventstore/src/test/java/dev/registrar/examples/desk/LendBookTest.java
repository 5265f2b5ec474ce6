package dev.registrar.examples.desk;

import dev.registrar.decision.testkit.Scenario;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReserved;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.examples.desk.LendBook.Refused;
import org.junit.jupiter.api.Test;

class LendBookTest {
    private final Scenario<DeskEvent> desk =
            Scenario.of(DeskEvent.CODEC).given(new BookAdded("emma", "Emma"), new BookAdded("ulysses", "Ulysses"));

    @Test
    void a_book_is_lent_for_14_days() {
        desk.when(new LendBook("emma", "ann")).thenAccepted(new BookLent("emma", "ann", 14));
        desk.when(new LendBook("persuasion", "ann")).thenRefused(Refused.UNKNOWN_BOOK);
    }

    @Test
    void a_book_is_lent_to_one_reader_at_a_time() {
        Scenario<DeskEvent> lent = desk.given(new BookLent("emma", "ann", 14));

        lent.when(new LendBook("emma", "bob")).thenRefused(Refused.ALREADY_LENT);
        lent.given(new BookReturned("emma", "ann"))
                .when(new LendBook("emma", "bob"))
                .thenAccepted(new BookLent("emma", "bob", 14));
    }

    @Test
    void a_reserved_book_is_lent_only_to_the_reader_who_reserved_it() {
        Scenario<DeskEvent> reserved = desk.given(new BookReserved("emma", "ann"));

        reserved.when(new LendBook("emma", "bob")).thenRefused(Refused.RESERVED_BY_ANOTHER);
        reserved.when(new LendBook("emma", "ann")).thenAccepted(new BookLent("emma", "ann", 14));
    }

    @Test
    void a_reader_has_at_most_3_books() {
        desk.given(new BookLent("a", "ann", 14), new BookLent("b", "ann", 14), new BookLent("c", "ann", 14))
                .when(new LendBook("emma", "ann"))
                .thenRefused(Refused.TOO_MANY_BOOKS);
    }

    @Test
    void a_loan_stored_under_the_former_name_still_counts() {
        desk.givenStored("BookIssued", """
                        {"book":"emma","reader":"ann"}""", "book:emma", "reader:ann")
                .when(new LendBook("emma", "bob"))
                .thenRefused(Refused.ALREADY_LENT);
    }
}
