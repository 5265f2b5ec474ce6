package dev.registrar.examples.desk;

import dev.registrar.decision.CommutativeDecision;
import dev.registrar.decision.Verdict;
import dev.registrar.examples.desk.DeskEvent.ReaderVisited;
import java.time.Instant;

/** Records that a reader came to the desk. */
record RecordVisit(String reader) implements CommutativeDecision<DeskEvent, Void> {

    @Override
    public Verdict<DeskEvent, Void> decide(Instant now) {
        return Verdict.accept(new ReaderVisited(reader));
    }
}
