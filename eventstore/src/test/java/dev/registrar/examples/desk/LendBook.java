package dev.registrar.examples.desk;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import java.time.Instant;
import java.util.List;

/** Lends a book to a reader. */
record LendBook(String book, String reader) implements Decision<DeskEvent, LendBook.Refused> {
    static final int DAYS = 14;
    static final int MOST_BOOKS = 3;

    enum Refused {
        UNKNOWN_BOOK,
        ALREADY_LENT,
        RESERVED_BY_ANOTHER,
        TOO_MANY_BOOKS
    }

    @Override
    public List<Fact<DeskEvent, ?>> facts() {
        return List.of(new BookStatus(book), new BooksOfReader(reader));
    }

    @Override
    public Verdict<DeskEvent, Refused> decide(Facts<DeskEvent> facts, Instant now) {
        BookStatus.State status = facts.get(new BookStatus(book));
        if (!status.known()) {
            return Verdict.refuse(Refused.UNKNOWN_BOOK);
        }
        if (status.reader() != null) {
            return Verdict.refuse(Refused.ALREADY_LENT);
        }
        if (status.reservedBy() != null && !status.reservedBy().equals(reader)) {
            return Verdict.refuse(Refused.RESERVED_BY_ANOTHER);
        }
        if (facts.get(new BooksOfReader(reader)) >= MOST_BOOKS) {
            return Verdict.refuse(Refused.TOO_MANY_BOOKS);
        }
        return Verdict.accept(new BookLent(book, reader, DAYS));
    }
}
