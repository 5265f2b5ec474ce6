package dev.registrar.examples.desk;

import dev.registrar.decision.CommandRegistry;

/** The commands that callers send to the desk by their names. */
final class DeskCommands {
    static final CommandRegistry<DeskEvent, Object> COMMANDS = CommandRegistry.<DeskEvent, Object>empty()
            .with(AddBook.class)
            .with(RecordVisit.class)
            .with("LendBook", Loan.class, loan -> new LendBook(loan.book(), loan.reader()));

    /** What a caller sends to lend a book. */
    record Loan(String book, String reader) {}

    private DeskCommands() {}
}
