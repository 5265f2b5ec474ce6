package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.postgres.PostgresEventStore;
import dev.registrar.examples.desk.DeskEvent.BookReturned;
import java.sql.Connection;
import javax.sql.DataSource;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.datasource.DataSourceUtils;
import org.springframework.transaction.support.TransactionTemplate;

/** The fees that readers owe: a table of the application's own, which changes in one transaction with the events. */
record Fees(DataSource connections, TransactionTemplate transactions, PostgresEventStore store) {

    void createTable() {
        JdbcClient.create(connections)
                .sql("create table fees (book text not null, reader text not null, cents integer not null)")
                .update();
    }

    /**
     * Takes a book back late. The fee is charged and the event appended, or neither.
     *
     * @param seen the head at which the reader had the book
     * @return whether nothing had happened to the book since
     */
    boolean returnLate(String book, String reader, int cents, Head seen) {
        return Boolean.TRUE.equals(transactions.execute(transaction -> {
            JdbcClient.create(connections)
                    .sql("insert into fees (book, reader, cents) values (?, ?, ?)")
                    .params(book, reader, cents)
                    .update();
            // The append comes last, since all other appends wait from then on until the commit.
            boolean appended = append(new BookReturned(book, reader), seen) instanceof Appended;
            if (!appended) {
                transaction.setRollbackOnly();
            }
            return appended;
        }));
    }

    private AppendResult append(BookReturned returned, Head seen) {
        Connection connection = DataSourceUtils.getConnection(connections);
        try {
            return store.joining(connection)
                    .append(Append.of(CODEC.encode(returned).event())
                            .onCondition(AppendCondition.failIfEventsMatch(new BookStatus(returned.book()).query())
                                    .after(seen)));
        } finally {
            DataSourceUtils.releaseConnection(connection, connections);
        }
    }

    int owedBy(String reader) {
        return JdbcClient.create(connections)
                .sql("select coalesce(sum(cents), 0) from fees where reader = ?")
                .param(reader)
                .query(Integer.class)
                .single();
    }
}
