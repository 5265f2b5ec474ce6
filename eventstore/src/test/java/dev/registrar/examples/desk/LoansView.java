package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import dev.registrar.examples.desk.DeskEvent.LoanEvent;
import dev.registrar.projection.Tables;
import dev.registrar.projection.View;
import java.util.List;
import java.util.Optional;

/** The books that readers have. */
record LoansView() implements View {

    @Override
    public String name() {
        return "loans";
    }

    @Override
    public int version() {
        return 1;
    }

    @Override
    public Query query() {
        return Query.of(CODEC.types(LoanEvent.class));
    }

    @Override
    public Optional<String> unreadable(SequencedEvent event) {
        return CODEC.unreadable(event.event());
    }

    @Override
    public void create(Tables tables) {
        tables.sql("create table ${schema}.loans (book text primary key, reader text not null, days integer not null)")
                .update();
    }

    @Override
    public void apply(List<SequencedEvent> events, Tables tables) {
        for (SequencedEvent event : events) {
            switch ((LoanEvent) CODEC.decode(event.event())) {
                case BookLent lent ->
                    tables.sql("""
                                    insert into ${schema}.loans (book, reader, days)
                                    values (?, ?, ?)
                                    on conflict (book) do update
                                    set reader = excluded.reader, days = excluded.days""")
                            .params(lent.book(), lent.reader(), lent.days())
                            .update();
                case BookReturned returned ->
                    tables.sql("delete from ${schema}.loans where book = ?")
                            .param(returned.book())
                            .update();
            }
        }
    }

    static Optional<String> readerOf(Tables tables, String book) {
        return tables.sql("select reader from ${schema}.loans where book = ?")
                .param(book)
                .query(String.class)
                .optional();
    }
}
