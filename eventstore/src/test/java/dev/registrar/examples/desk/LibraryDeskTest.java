package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.decision.Outcome.Accepted;
import dev.registrar.decision.Outcome.Rejected;
import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Position;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookReserved;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.testdatabase.TestDatabase;
import org.junit.jupiter.api.Test;

class LibraryDeskTest {

    @Test
    void a_returned_book_goes_to_the_reader_who_reserved_it() {
        try (TestDatabase database = TestDatabase.create();
                LibraryDesk desk = new LibraryDesk(database.url(), database.username(), database.password())) {
            append(desk, new BookAdded("emma", "Emma"));
            desk.runner().catchUp();
            assertThat(desk.loop().execute(new LendBook("emma", "ann"))).isInstanceOf(Accepted.class);
            assertThat(desk.loop().execute(new LendBook("emma", "bob")))
                    .isEqualTo(new Rejected<>(LendBook.Refused.ALREADY_LENT));
            append(desk, new BookReserved("emma", "bob"));
            desk.runner().catchUp();
            assertThat(desk.readerOf("emma", Position.START)).contains("ann");

            append(desk, new BookReturned("emma", "ann"));
            desk.runner().catchUp();

            assertThat(desk.readerOf("emma", Position.START)).contains("bob");
        }
    }

    /* Appends without a decision, like another program. */
    private static void append(LibraryDesk desk, DeskEvent event) {
        desk.store().append(Append.of(CODEC.encode(event).event()));
    }
}
