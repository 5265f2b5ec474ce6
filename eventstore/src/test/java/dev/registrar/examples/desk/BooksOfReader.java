package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.decision.Fact;
import dev.registrar.eventstore.Query;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.examples.desk.DeskEvent.LoanEvent;

/** The number of books that a reader has. */
record BooksOfReader(String reader) implements Fact<DeskEvent, Integer> {

    @Override
    public Query query() {
        return Query.of(CODEC.types(LoanEvent.class).tagged("reader:" + reader));
    }

    @Override
    public Integer initial() {
        return 0;
    }

    @Override
    public Integer apply(Integer books, DeskEvent event) {
        return switch ((LoanEvent) event) {
            case BookLent lent -> books + 1;
            case BookReturned returned -> books - 1;
        };
    }
}
