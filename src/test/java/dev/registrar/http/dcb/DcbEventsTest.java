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
import dev.registrar.security.Caller;
import dev.registrar.security.CallerAuthentication;
import dev.registrar.security.Scope;
import java.time.Instant;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.util.unit.DataSize;
import tools.jackson.databind.json.JsonMapper;

/** The response when the store fails, or the caller's login ends, while it is sent. */
class DcbEventsTest {
    private static final MockHttpServletRequest REQUEST = new MockHttpServletRequest();

    private final DcbEvents events =
            new DcbEvents(JsonMapper.shared(), new LongReads(new DcbSettings(1, DataSize.ofBytes(0), false)));
    private final MockHttpServletResponse response = new MockHttpServletResponse();

    /** A store that fails after a number of events. */
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
    void a_started_response_is_aborted_and_not_ended_on_failure() {
        assertThatThrownBy(() -> events.writeArray(new FailingStream(10_000), REQUEST, response))
                .isInstanceOf(BrokenAnswerException.class)
                .hasCauseInstanceOf(StoreUnavailableException.class);

        assertThat(response.isCommitted()).isTrue();
    }

    @Test
    void a_response_that_has_not_started_becomes_a_problem() {
        assertThatThrownBy(() -> events.writeLines(new FailingStream(3), REQUEST, response))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(response.isCommitted()).isFalse();
        assertThat(response.getContentAsByteArray()).isEmpty();
    }

    @Test
    void a_started_response_is_aborted_when_the_login_ends() {
        login(Instant.now().minusSeconds(1));

        assertThatThrownBy(() -> events.writeLines(new FailingStream(10_000), REQUEST, response))
                .isInstanceOf(BrokenAnswerException.class)
                .hasMessageContaining("The login has expired");

        assertThat(response.isCommitted()).isTrue();
    }

    @Test
    void a_login_that_lasts_does_not_end_a_response() {
        login(Instant.now().plusSeconds(600));

        assertThatThrownBy(() -> events.writeLines(new FailingStream(10_000), REQUEST, response))
                .hasCauseInstanceOf(StoreUnavailableException.class);
    }

    private static void login(Instant end) {
        Caller caller = new Caller("https://issuer.example", "machine", null, null, Set.of());
        SecurityContextHolder.getContext().setAuthentication(CallerAuthentication.of(caller, Set.of(Scope.READ), end));
    }

    @AfterEach
    void noCallerIsKnown() {
        SecurityContextHolder.clearContext();
    }
}
