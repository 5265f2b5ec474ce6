package dev.registrar.http.dcb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStream;
import dev.registrar.eventstore.Head;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.StoreUnavailableException;
import dev.registrar.http.problem.BrokenAnswerException;
import java.time.Instant;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletResponse;
import tools.jackson.databind.json.JsonMapper;

/** What becomes of an answer when the store fails in the middle of it. */
class DcbEventsTest {
    private final DcbEvents events = new DcbEvents(JsonMapper.shared());
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    /** A store that goes away after so many events. */
    private static final class FailingStream implements EventStream {
        private int left;

        FailingStream(int events) {
            this.left = events;
        }

        @Override
        public Head head() {
            return new Head(Position.START, new UUID(0, 0), null);
        }

        @Override
        public boolean hasNext() {
            if (left == 0) {
                throw new StoreUnavailableException("The database went away");
            }
            return true;
        }

        @Override
        public SequencedEvent next() {
            left--;
            return new SequencedEvent(Position.of(1), Event.of("Noted", "{}"), Instant.EPOCH);
        }

        @Override
        public void close() {}
    }

    @Test
    void a_started_answer_is_aborted_on_failure_not_ended() {
        assertThatThrownBy(() -> events.writeArray(new FailingStream(10_000), response))
                .isInstanceOf(BrokenAnswerException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);

        assertThat(response.isCommitted()).isTrue();
    }

    @Test
    void an_answer_that_has_not_begun_becomes_a_problem() {
        assertThatThrownBy(() -> events.writeLines(new FailingStream(3), response))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(response.isCommitted()).isFalse();
        assertThat(response.getContentAsByteArray()).isEmpty();
    }
}
