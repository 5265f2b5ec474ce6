package dev.registrar.http.dcb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.http.problem.BrokenAnswerException;
import dev.registrar.http.problem.TooManyRequestsException;
import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.util.unit.DataSize;

/** How many long answers a client has at a time, and how fast it takes them. */
class LongReadsTest {
    private static final DataSize NO_MINIMUM = DataSize.ofBytes(0);

    private long now;

    /** A client that takes a thousand bytes in a number of milliseconds. */
    private OutputStream client(long milliseconds) {
        return new OutputStream() {
            @Override
            public void write(int single) {
                write(new byte[] {(byte) single}, 0, 1);
            }

            @Override
            public void write(byte[] buffer, int offset, int length) {
                now += TimeUnit.MILLISECONDS.toNanos(milliseconds) * length / 1_000;
            }
        };
    }

    private LongReads reads(DataSize minimum) {
        return new LongReads(new DcbSettings(1, minimum, false), () -> now);
    }

    private static void write(int bytes, LongReads.Answer answer) throws IOException {
        answer.write(new byte[bytes]);
    }

    @Test
    void a_further_long_answer_to_the_same_client_is_refused_until_the_first_one_ends() throws IOException {
        LongReads reads = reads(NO_MINIMUM);
        LongReads.Answer first = reads.begin("ann", client(0));
        write(3_000, first);
        write(3_000, first);

        LongReads.Answer second = reads.begin("ann", client(0));
        write(3_000, second);
        assertThatThrownBy(() -> write(3_000, second))
                .isInstanceOf(TooManyRequestsException.class)
                .hasMessageStartingWith("Too many long reads of this client (limit 1 at a time)");
        write(6_000, reads.begin("bob", client(0)));
        second.close();
        first.close();

        write(6_000, reads.begin("ann", client(0)));
    }

    @Test
    void short_answers_are_not_counted() {
        LongReads reads = reads(NO_MINIMUM);

        assertThatCode(() -> {
                    for (int i = 0; i < 10; i++) {
                        write(4 * 1024, reads.begin("ann", client(0)));
                    }
                })
                .doesNotThrowAnyException();
    }

    @Test
    void a_client_that_takes_less_than_the_minimum_is_disconnected_after_a_minute() {
        LongReads.Answer answer = reads(DataSize.ofBytes(1_000)).begin("ann", client(1_100));

        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        write(1_000, answer);
                    }
                })
                .isInstanceOf(BrokenAnswerException.class)
                .hasMessageContaining("too slowly");
        assertThat(Duration.ofNanos(now)).isBetween(Duration.ofMinutes(1), Duration.ofSeconds(62));
    }

    @Test
    void a_client_that_takes_the_minimum_gets_its_whole_answer() {
        LongReads.Answer answer = reads(DataSize.ofBytes(1_000)).begin("ann", client(1_000));

        assertThatCode(() -> {
                    for (int i = 0; i < 1_000; i++) {
                        write(1_000, answer);
                    }
                })
                .doesNotThrowAnyException();
    }
}
