package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import com.zaxxer.hikari.HikariDataSource;
import dev.registrar.decision.DecisionLoop;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.eventstore.postgres.schema.StoreSchema;
import dev.registrar.projection.ProjectionRunner;
import java.util.List;
import java.util.Optional;

/** The lending desk in plain Java: a store, the decision loop, the view and the automation. */
final class LibraryDesk implements AutoCloseable {
    private final HikariDataSource connections = new HikariDataSource();
    private final LoansView loans = new LoansView();
    private final PostgresEventStore store;
    private final DecisionLoop<DeskEvent> loop;
    private final ProjectionRunner runner;

    LibraryDesk(String url, String user, String password) {
        connections.setJdbcUrl(url);
        connections.setUsername(user);
        connections.setPassword(password);
        StoreSchema.migrate(connections, "registrar");
        store = PostgresEventStore.open(url, user, password);
        loop = new DecisionLoop<>(store, CODEC);
        runner = ProjectionRunner.open(connections, store, List.of(loans, new Reservations(loop)));
    }

    PostgresEventStore store() {
        return store;
    }

    DecisionLoop<DeskEvent> loop() {
        return loop;
    }

    /** Views and automations: {@code start()} runs them in the background, {@code catchUp()} in the calling thread. */
    ProjectionRunner runner() {
        return runner;
    }

    /** The reader who has a book, as of a position or later. */
    Optional<String> readerOf(String book, Position after) {
        return runner.views()
                .read(loans, after, tables -> LoansView.readerOf(tables, book))
                .found();
    }

    @Override
    public void close() {
        runner.close();
        store.close();
        connections.close();
    }
}
