package dev.registrar.examples.desk;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Tag;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.StoreDatabase;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.projection.ProjectionRunner;
import dev.registrar.projection.Tables;
import dev.registrar.testdatabase.TestDatabase;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class ShelvesViewTest {

    @Test
    void a_shelf_is_found_by_the_tag_of_a_book_and_goes_with_its_last_book() {
        try (TestDatabase database = StoreDatabase.migrated();
                PostgresEventStore store =
                        PostgresEventStore.open(database.url(), database.username(), database.password())) {
            ShelvesView shelves = new ShelvesView(store);
            try (ProjectionRunner runner = ProjectionRunner.open(database.dataSource(), store, List.of(shelves))) {
                append(store, new BookAdded("emma", "Emma"), new BookAdded("ulysses", "Ulysses"));
                append(store, new BookLent("emma", "ann", 14), new BookLent("ulysses", "ann", 14));
                append(store, new BookAdded("emma", "Emma, second edition"));
                runner.catchUp();

                List<String> titles = read(runner, shelves, tables -> ShelvesView.titlesOf(tables, "ann"));
                assertThat(titles).containsExactly("Emma", "Ulysses");
                Tag ulysses = Tag.of("book:ulysses");
                List<String> readers = read(runner, shelves, tables -> ShelvesView.readersWith(tables, ulysses));
                assertThat(readers).containsExactly("ann");
                Optional<Integer> changes = read(runner, shelves, tables -> ShelvesView.changesOf(tables, "ann"));
                assertThat(changes).contains(2);

                append(store, new BookReturned("emma", "ann"), new BookReturned("ulysses", "ann"));
                runner.catchUp();

                Optional<Integer> gone = read(runner, shelves, tables -> ShelvesView.changesOf(tables, "ann"));
                assertThat(gone).isEmpty();
            }
        }
    }

    private static <T> T read(ProjectionRunner runner, ShelvesView shelves, Function<Tables, T> query) {
        return runner.views().read(shelves, Position.START, query).found();
    }

    private static void append(PostgresEventStore store, DeskEvent... events) {
        for (DeskEvent event : events) {
            store.append(Append.of(DeskEvent.CODEC.encode(event).event()));
        }
    }
}
