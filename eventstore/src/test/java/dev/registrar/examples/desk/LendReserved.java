package dev.registrar.examples.desk;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Facts;
import dev.registrar.decision.Verdict;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import java.time.Instant;
import java.util.List;

/** Lends a returned book to the reader who reserved it, if there is one. */
record LendReserved(String book) implements Decision<DeskEvent, Void> {

    @Override
    public List<BookStatus> facts() {
        return List.of(new BookStatus(book));
    }

    @Override
    public Verdict<DeskEvent, Void> decide(Facts<DeskEvent> facts, Instant now) {
        BookStatus.State status = facts.get(new BookStatus(book));
        return status.reservedBy() == null || status.reader() != null
                ? Verdict.nothing()
                : Verdict.accept(new BookLent(book, status.reservedBy(), LendBook.DAYS));
    }
}
