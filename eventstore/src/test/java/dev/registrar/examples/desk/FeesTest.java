package dev.registrar.examples.desk;

import static dev.registrar.examples.desk.DeskEvent.CODEC;
import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.examples.desk.DeskEvent.BookAdded;
import dev.registrar.examples.desk.DeskEvent.BookLent;
import dev.registrar.testdatabase.TestDatabase;
import org.junit.jupiter.api.Test;
import org.springframework.jdbc.support.JdbcTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

class FeesTest {

    @Test
    void a_fee_is_charged_once_and_only_together_with_its_event() {
        try (TestDatabase database = TestDatabase.create();
                LibraryDesk desk = new LibraryDesk(database.url(), database.username(), database.password())) {
            Fees fees = new Fees(
                    database.dataSource(),
                    new TransactionTemplate(new JdbcTransactionManager(database.dataSource())),
                    desk.store());
            fees.createTable();
            desk.store()
                    .append(Append.of(
                            CODEC.encode(new BookAdded("emma", "Emma")).event(),
                            CODEC.encode(new BookLent("emma", "ann", 14)).event()));
            Head lent = desk.store().head();

            assertThat(fees.returnLate("emma", "ann", 150, lent)).isTrue();
            assertThat(fees.returnLate("emma", "ann", 150, lent)).isFalse();

            assertThat(fees.owedBy("ann")).isEqualTo(150);
            assertThat(desk.store().count(Query.all())).isEqualTo(3);
        }
    }
}
