package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.ReadOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Invoices are numbered 1, 2, 3 and so on, without gaps. The boundary is every invoice, so any two concurrent invoices
 * conflict; only the last one is read.
 *
 * @see <a href="https://dcb.events/examples/invoice-number/">the published example and its cases</a>
 */
@OnEveryStore
class InvoiceNumberTest {
    private final ExampleStore example;
    private final Invoices invoices;

    InvoiceNumberTest(ExampleStore example) {
        this.example = example;
        this.invoices = new Invoices(example.emptied());
    }

    record InvoiceCreated(int invoiceNumber, String customer) {}

    /** The part of an application that creates invoices. */
    static final class Invoices {
        private static final Query EVERY_INVOICE = Query.of(QueryItem.types("InvoiceCreated"));

        private final EventStore store;

        Invoices(EventStore store) {
            this.store = store;
        }

        /** The number of the new invoice; empty after a conflict with another invoice. */
        Optional<Integer> create(String customer) {
            Last last = last();
            int number = last.number() + 1;
            AppendCondition noneSince =
                    AppendCondition.failIfEventsMatch(EVERY_INVOICE).after(last.head());
            return switch (store.append(List.of(created(number, customer)), noneSince)) {
                case Appended appended -> Optional.of(number);
                case Conflict conflict -> Optional.empty();
                case StoreReplaced replaced -> Optional.empty();
            };
        }

        /** Reads only the last event. Its stream has the head that the answer rests on. */
        private Last last() {
            try (EventStream newest =
                    store.read(EVERY_INVOICE, ReadOptions.backwards().limit(1))) {
                int number = newest.hasNext()
                        ? Json.data(newest.next().event(), InvoiceCreated.class).invoiceNumber()
                        : 0;
                return new Last(number, newest.head());
            }
        }

        private record Last(int number, Head head) {}
    }

    static Event created(int number, String customer) {
        return Json.event(new InvoiceCreated(number, customer), "invoice:" + number);
    }

    @Test
    void the_first_invoice_has_number_one() {
        assertThat(invoices.create("ann")).contains(1);
        assertThat(example.happened(InvoiceCreated.class)).containsExactly(new InvoiceCreated(1, "ann"));
    }

    @Test
    void the_second_invoice_has_number_two() {
        example.given(created(1, "ann"));

        assertThat(invoices.create("bob")).contains(2);
    }

    @Test
    void other_events_do_not_count() {
        example.given(created(1, "ann"), Event.of("CustomerMoved", "{}", "customer:ann"));

        assertThat(invoices.create("bob")).contains(2);
    }

    /*
     * Four clerks create ten invoices each and try again after each conflict. In any interleaving, no number is used
     * twice or left out.
     */
    @Test
    void concurrent_invoices_have_no_gaps_in_their_numbers() throws Exception {
        List<Callable<Integer>> clerks = IntStream.range(0, 4)
                .<Callable<Integer>>mapToObj(clerk -> () -> {
                    int created = 0;
                    for (int attempt = 0; attempt < 1_000 && created < 10; attempt++) {
                        created += invoices.create("clerk" + clerk).isPresent() ? 1 : 0;
                    }
                    return created;
                })
                .toList();
        try (ExecutorService threads = Executors.newFixedThreadPool(clerks.size())) {
            for (Future<Integer> created : threads.invokeAll(clerks)) {
                assertThat(created.get()).isEqualTo(10);
            }
        }
        assertThat(example.happened(InvoiceCreated.class))
                .extracting(InvoiceCreated::invoiceNumber)
                .containsExactlyElementsOf(IntStream.rangeClosed(1, 40).boxed().toList());
    }
}
