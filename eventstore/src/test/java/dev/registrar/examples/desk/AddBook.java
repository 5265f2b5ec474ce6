package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.decision.Decision;
import dev.registrar.decision.Fact;
import dev.registrar.decision.Facts;
import dev.registrar.decision.OnDuplicate;
import dev.registrar.decision.Verdict;
import dev.registrar.eventstore.Query;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Adds a book to the desk's stock. A repetition returns the answer of the first command. */
record AddBook(String book, String title) implements Decision<DeskEvent, Void> {

    private Fact<DeskEvent, Optional<BookAdded>> added() {
        return Fact.last(BookAdded.class, Query.of(CODEC.types(BookAdded.class).tagged("book:" + book)));
    }

    @Override
    public List<Fact<DeskEvent, ?>> facts() {
        return List.of(added());
    }

    @Override
    public Verdict<DeskEvent, Void> decide(Facts<DeskEvent> facts, Instant now) {
        return OnDuplicate.<Void>idempotent()
                .verdict(facts.get(added()), () -> Verdict.accept(new BookAdded(book, title)));
    }
}
