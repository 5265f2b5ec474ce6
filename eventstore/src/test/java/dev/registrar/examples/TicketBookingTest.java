package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.Projected;
import dev.registrar.eventstore.Projection;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * A concert has a number of seats, and a customer books once. go-crablet's example takes an advisory lock; here the
 * append condition is sufficient, and the loser of a race reads again.
 */
@OnEveryStore
class TicketBookingTest {
    private static final int ATTEMPTS = 1_000;

    private final ExampleStore example;
    private final BoxOffice office;

    TicketBookingTest(ExampleStore example) {
        this.example = example;
        this.office = new BoxOffice(example.emptied());
    }

    record ConcertCreated(String concert, int seats, int price) {}

    record TicketsBooked(String concert, String customer, int quantity, int totalPrice) {}

    record BookingCancelled(String concert, String customer, int quantity) {}

    /** The part of an application that sells tickets. Each method returns a message. */
    static final class BoxOffice {
        static final String BOOKED = "booked";

        private final EventStore store;

        BoxOffice(EventStore store) {
            this.store = store;
        }

        String create(String concert, int seats, int price) {
            Concert projection = new Concert(concert);
            Projected projected = store.project(projection);
            if (projected.state(projection).exists()) {
                return "concert %s already exists".formatted(concert);
            }
            return append(created(concert, seats, price), projected) ? "created" : create(concert, seats, price);
        }

        String book(String concert, String customer, int quantity) {
            if (quantity < 1) {
                return "a booking has 1 ticket or more but was for %s".formatted(quantity);
            }
            for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
                Concert seats = new Concert(concert);
                Bookings bookings = new Bookings(concert, customer);
                Projected projected = store.project(seats, bookings);
                Seats state = projected.state(seats);
                int booked = projected.state(bookings);
                if (!state.exists()) {
                    return "concert %s does not exist".formatted(concert);
                }
                if (booked > 0) {
                    return "customer %s has already booked %s tickets for concert %s"
                            .formatted(customer, booked, concert);
                }
                if (quantity > state.available()) {
                    return "not enough seats available for concert %s (requested: %s, available: %s)"
                            .formatted(concert, quantity, state.available());
                }
                if (append(booked(concert, customer, quantity, quantity * state.price()), projected)) {
                    return BOOKED;
                }
            }
            return "too many others book tickets for concert %s at the same time".formatted(concert);
        }

        private boolean append(Event event, Projected seen) {
            return switch (store.append(List.of(event), seen.appendCondition())) {
                case Appended appended -> true;
                case Conflict conflict -> false;
                case StoreReplaced replaced -> false;
            };
        }
    }

    /** The seats of a concert; no seats and no price for an unknown concert. */
    record Seats(boolean exists, int total, int booked, int price) {
        int available() {
            return total - booked;
        }
    }

    /** Follows the seats of one concert. */
    record Concert(String concert) implements Projection<Seats> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("ConcertCreated", "TicketsBooked", "BookingCancelled")
                    .tagged(concertTag(concert)));
        }

        @Override
        public Seats initial() {
            return new Seats(false, 0, 0, 0);
        }

        @Override
        public Seats apply(Seats seats, SequencedEvent event) {
            return switch (event.event().type()) {
                case "ConcertCreated" -> {
                    ConcertCreated created = Json.data(event.event(), ConcertCreated.class);
                    yield new Seats(true, created.seats(), 0, created.price());
                }
                case "TicketsBooked" ->
                    with(seats, Json.data(event.event(), TicketsBooked.class).quantity());
                default ->
                    with(
                            seats,
                            -Json.data(event.event(), BookingCancelled.class).quantity());
            };
        }

        private static Seats with(Seats seats, int more) {
            return new Seats(seats.exists(), seats.total(), seats.booked() + more, seats.price());
        }
    }

    /** Counts the tickets that one customer has booked for one concert: an item with two tags. */
    record Bookings(String concert, String customer) implements Projection<Integer> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("TicketsBooked", "BookingCancelled")
                    .tagged(concertTag(concert), customerTag(customer)));
        }

        @Override
        public Integer initial() {
            return 0;
        }

        @Override
        public Integer apply(Integer tickets, SequencedEvent event) {
            return event.event().type().equals("TicketsBooked")
                    ? tickets + Json.data(event.event(), TicketsBooked.class).quantity()
                    : tickets - Json.data(event.event(), BookingCancelled.class).quantity();
        }
    }

    static Event created(String concert, int seats, int price) {
        return Json.event(new ConcertCreated(concert, seats, price), concertTag(concert));
    }

    static Event booked(String concert, String customer, int quantity, int totalPrice) {
        return Json.event(
                new TicketsBooked(concert, customer, quantity, totalPrice), concertTag(concert), customerTag(customer));
    }

    static Event cancelled(String concert, String customer, int quantity) {
        return Json.event(
                new BookingCancelled(concert, customer, quantity), concertTag(concert), customerTag(customer));
    }

    private static String concertTag(String concert) {
        return "concert_id:" + concert;
    }

    private static String customerTag(String customer) {
        return "customer_id:" + customer;
    }

    @Test
    void tickets_are_booked_at_the_concerts_price() {
        example.given(created("c1", 10, 50));

        assertThat(office.book("c1", "ann", 2)).isEqualTo(BoxOffice.BOOKED);
        assertThat(example.happened(TicketsBooked.class)).containsExactly(new TicketsBooked("c1", "ann", 2, 100));
    }

    @Test
    void a_concert_is_created_once_and_must_exist() {
        assertThat(office.create("c1", 10, 50)).isEqualTo("created");
        assertThat(office.create("c1", 20, 50)).isEqualTo("concert c1 already exists");
        assertThat(office.book("c2", "ann", 2)).isEqualTo("concert c2 does not exist");
    }

    @Test
    void a_customer_books_once_for_a_concert() {
        example.given(created("c1", 10, 50), created("c2", 10, 50), booked("c1", "ann", 2, 100));

        assertThat(office.book("c1", "ann", 2)).isEqualTo("customer ann has already booked 2 tickets for concert c1");
        assertThat(office.book("c2", "ann", 2)).isEqualTo(BoxOffice.BOOKED);
        assertThat(office.book("c1", "bob", 2)).isEqualTo(BoxOffice.BOOKED);
    }

    @Test
    void bookings_do_not_exceed_the_seats() {
        example.given(created("c1", 10, 50), booked("c1", "ann", 9, 450));

        assertThat(office.book("c1", "bob", 2))
                .isEqualTo("not enough seats available for concert c1 (requested: 2, available: 1)");
        assertThat(office.book("c1", "bob", 1)).isEqualTo(BoxOffice.BOOKED);
        assertThat(office.book("c1", "cid", 0)).isEqualTo("a booking has 1 ticket or more but was for 0");
    }

    @Test
    void cancelled_seats_are_free_again_and_their_customer_may_book_again() {
        example.given(created("c1", 2, 50), booked("c1", "ann", 2, 100), cancelled("c1", "ann", 2));

        assertThat(office.book("c1", "ann", 2)).isEqualTo(BoxOffice.BOOKED);
    }

    /*
     * As in go-crablet's example and tests: 8 customers for 10 seats, and 100 customers for 20 seats. Each wants 2
     * tickets.
     */
    @Test
    void concurrent_customers_book_every_seat_once() throws Exception {
        example.given(created("small", 10, 50), created("large", 20, 50));

        assertThat(bookAtOnce("small", 8)).isEqualTo(5);
        assertThat(bookAtOnce("large", 100)).isEqualTo(10);
        assertThat(example.happened(TicketsBooked.class))
                .hasSize(15)
                .extracting(TicketsBooked::customer)
                .doesNotHaveDuplicates();
    }

    /** The number of customers that get two tickets each. */
    private long bookAtOnce(String concert, int customers) throws Exception {
        List<Callable<String>> bookings = IntStream.range(0, customers)
                .<Callable<String>>mapToObj(customer -> () -> office.book(concert, concert + customer, 2))
                .toList();
        long booked = 0;
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<String> answer : threads.invokeAll(bookings)) {
                if (answer.get().equals(BoxOffice.BOOKED)) {
                    booked++;
                } else {
                    assertThat(answer.get()).startsWith("not enough seats available");
                }
            }
        }
        return booked;
    }
}
