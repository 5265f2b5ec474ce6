package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.decision.DecisionLoop;
import dev.registrar.decision.Origin;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.projection.Automation;
import java.util.Optional;

/** Lends each returned book to the reader who reserved it. */
record Reservations(DecisionLoop<DeskEvent> loop) implements Automation {

    @Override
    public String name() {
        return "reservations";
    }

    @Override
    public Query query() {
        return Query.of(CODEC.types(BookReturned.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return CODEC.unreadable(event.event());
    }

    @Override
    public void react(SequencedEvent event) {
        if (CODEC.decode(event.event()) instanceof BookReturned returned) {
            String cause = event.event().id().toString();
            loop.execute(
                    new LendReserved(returned.book()),
                    new Origin(null, cause, null),
                    new IdempotencyKey("reservations:" + cause, returned.book()));
        }
    }
}
