package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.testkit.Scenario;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.ReaderVisited;
import org.junit.jupiter.api.Test;

class MoreCommandsTest {
    private final Scenario<DeskEvent> desk = Scenario.of(DeskEvent.CODEC);

    @Test
    void a_visit_is_recorded_without_any_condition() {
        desk.given(new ReaderVisited("ann")).when(new RecordVisit("ann")).thenAccepted(new ReaderVisited("ann"));
    }

    @Test
    void a_command_is_found_by_its_name() {
        desk.given(new BookAdded("emma", "Emma"))
                .when(DeskCommands.COMMANDS.entry("LendBook").decision(new DeskCommands.Loan("emma", "ann")))
                .thenAccepted(new BookLent("emma", "ann", LendBook.DAYS));
        assertThatThrownBy(() -> DeskCommands.COMMANDS.entry("BurnBook"))
                .hasMessage("Unknown command 'BurnBook'; the known commands are AddBook, RecordVisit, LendBook");
    }

    @Test
    void a_book_is_added_once() {
        desk.when(new AddBook("emma", "Emma")).thenAccepted(new BookAdded("emma", "Emma"));
        desk.given(new BookAdded("emma", "Emma"))
                .when(new AddBook("emma", "Emma, a novel"))
                .thenRepeated(new BookAdded("emma", "Emma"));
    }
}
