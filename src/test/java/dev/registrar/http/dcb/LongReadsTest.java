package dev.registrar.http.dcb;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.http.dcb.DcbEvents.StoredEvent;
import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.TooManyRequestsException;
import java.io.OutputStream;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.SequenceWriter;
import tools.jackson.databind.json.JsonMapper;

/** How many long answers a client has at a time, and how fast it takes them. */
class LongReadsTest {
    private static final DataSize NO_MINIMUM = DataSize.ofBytes(0);

    private final SequenceWriter out =
            JsonMapper.shared().writerFor(StoredEvent.class).writeValues(OutputStream.nullOutputStream());

    private static LongReads reads(DataSize minimum) {
        return new LongReads(new DcbSettings(1, minimum, false), Duration.ofMillis(2));
    }

    private static SequencedEvent event(int bytes) {
        return new SequencedEvent(Position.of(1), Event.of("Noted", "x".repeat(bytes)), Instant.EPOCH);
    }

    @Test
    void a_further_long_answer_to_the_same_client_is_refused_until_the_first_one_ends() {
        LongReads reads = reads(NO_MINIMUM);
        LongReads.Answer first = reads.begin("ann");
        first.write(event(3_000), out);
        first.write(event(3_000), out);

        LongReads.Answer second = reads.begin("ann");
        second.write(event(3_000), out);
        assertThatThrownBy(() -> second.write(event(3_000), out))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessageStartingWith("Too many long reads of this client (limit 1 at a time)");
        reads.begin("bob").write(event(6_000), out);
        second.close();
        first.close();

        reads.begin("ann").write(event(6_000), out);
    }

    @Test
    void short_answers_are_not_counted() {
        LongReads reads = reads(NO_MINIMUM);

        assertThatCode(() -> {
                    for (int i = 0; i < 10; i++) {
                        reads.begin("ann").write(event(3_000), out);
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void a_client_that_takes_less_than_the_minimum_is_disconnected() {
        LongReads.Answer answer = reads(DataSize.ofTerabytes(1)).begin("ann");

        assertThatThrownBy(() -> {
                    while (true) {
                        answer.write(event(10), out);
                    }
                })
                .isInstanceOf(BrokenAnswerException.class)
                .hasMessageContaining("too slowly");
    }

    @Test
    void a_client_that_takes_the_minimum_gets_its_whole_answer() {
        LongReads.Answer answer = reads(DataSize.ofKilobytes(1)).begin("ann");

        assertThatCode(() -> {
                    for (int i = 0; i < 50_000; i++) {
                        answer.write(event(10), out);
                    }
                })
                .doesNotThrowAnyException();
    }
}
