package dev.registrar.http.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.http.problem.TooManyRequestsException;
import org.junit.jupiter.api.Test;

/** The number of streams, and of long reads, that each client has open. */
class ClientSlotsTest {
    private final ClientSlots slots = new ClientSlots(2, TooManyRequestsException::ofStreams);

    @Test
    void a_client_may_take_no_more_slots_than_the_limit() {
        slots.take("ann");
        slots.take("ann");

        assertThatThrownBy(() -> slots.take("ann"))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessageStartingWith("Too many live streams of this client (limit 2 at a time)");
    }

    @Test
    void the_slots_of_one_client_do_not_count_for_another() {
        slots.take("ann");
        slots.take("ann");

        assertThat(slots.take("bob")).isNotNull();
    }

    @Test
    void a_closed_slot_counts_no_more_and_only_once() {
        slots.take("ann");
        ClientSlots.Slot second = slots.take("ann");

        second.close();
        second.close();

        slots.take("ann");
        assertThatThrownBy(() -> slots.take("ann")).isInstanceOf(TooManyRequestsException.class);
    }

    @Test
    void a_client_without_a_slot_takes_no_memory() {
        slots.take("ann").close();

        assertThat(slots.clients()).isZero();
    }
}
