package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.decision.Fact;
import dev.registrar.eventstore.Query;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookEvent;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReserved;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import org.jspecify.annotations.Nullable;

/** The reader who has a book, and the reader who reserved it. */
record BookStatus(String book) implements Fact<DeskEvent, BookStatus.State> {

    record State(
            boolean known,
            @Nullable String reader,
            @Nullable String reservedBy) {}

    @Override
    public Query query() {
        return Query.of(CODEC.types(BookEvent.class).tagged("book:" + book));
    }

    @Override
    public State initial() {
        return new State(false, null, null);
    }

    @Override
    public State apply(State state, DeskEvent event) {
        return switch ((BookEvent) event) {
            case BookAdded added -> new State(true, null, null);
            case BookLent lent -> {
                boolean fulfilled = lent.reader().equals(state.reservedBy());
                yield new State(true, lent.reader(), fulfilled ? null : state.reservedBy());
            }
            case BookReturned returned -> new State(true, null, state.reservedBy());
            case BookReserved reserved -> new State(true, state.reader(), reserved.reader());
        };
    }
}
