package dev.registrar.http.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.http.problem.TooManyRequestsException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The number of open streams of each client. */
class ClientStreamsTest {
    private final ClientStreams streams =
            new ClientStreams(new LiveStreamSettings(Duration.ofSeconds(15), 2));

    @Test
    void a_client_may_have_no_more_streams_than_the_limit() {
        streams.begin("ann");
        streams.begin("ann");

        assertThatThrownBy(() -> streams.begin("ann"))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessageStartingWith("Too many live streams of this client (limit 2 at a time)");
    }

    @Test
    void the_streams_of_one_client_do_not_count_for_another() {
        streams.begin("ann");
        streams.begin("ann");

        assertThat(streams.begin("bob")).isNotNull();
    }

    @Test
    void a_closed_stream_counts_no_more_and_only_once() {
        streams.begin("ann");
        ClientStreams.Counted second = streams.begin("ann");

        second.close();
        second.close();

        streams.begin("ann");
        assertThatThrownBy(() -> streams.begin("ann")).isInstanceOf(TooManyRequestsException.class);
    }

    @Test
    void a_client_without_a_stream_takes_no_memory() {
        streams.begin("ann").close();

        assertThat(streams.clients()).isZero();
    }
}
