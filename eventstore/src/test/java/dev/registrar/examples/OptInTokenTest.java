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
import dev.registrar.examples.OptInTokenTest.SignUps.Answer;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A sign-up is confirmed with the one-time password sent to its address, once and within an hour. The events themselves
 * are the list of open passwords: an item with two tags finds the password.
 *
 * @see <a href="https://dcb.events/examples/opt-in-token/">the published example and its cases</a>
 */
@OnEveryStore
class OptInTokenTest {
    private static final String JOHN = "john.doe@example.com";
    private static final String JANE = "jane.doe@example.com";

    private final ExampleStore example;
    private final SignUps signUps;

    OptInTokenTest(ExampleStore example) {
        this.example = example;
        this.signUps = new SignUps(example.emptied(), example.clock());
    }

    record SignUpInitiated(String emailAddress, String otp, String name) {}

    record SignUpConfirmed(String emailAddress, String otp, String name) {}

    /** The part of an application that confirms sign-ups. */
    static final class SignUps {
        private static final Duration VALIDITY = Duration.ofMinutes(60);

        private final EventStore store;
        private final InstantSource clock;

        /** The outcome of a confirmation. */
        enum Answer {
            CONFIRMED("Sign-up is confirmed"),
            NO_PENDING_SIGN_UP("No pending sign-up for this OTP / email address"),
            OTP_WAS_ALREADY_USED("OTP was already used"),
            OTP_EXPIRED("OTP expired"),
            CONCURRENT_UPDATE("Concurrent update");

            private final String message;

            Answer(String message) {
                this.message = message;
            }

            /** The message of the published example. */
            String message() {
                return message;
            }
        }

        SignUps(EventStore store, InstantSource clock) {
            this.store = store;
            this.clock = clock;
        }

        Answer confirm(String emailAddress, String otp) {
            SignUpProgress projection = new SignUpProgress(emailAddress, otp);
            Projected projected = store.project(projection);
            return switch (projected.state(projection)) {
                case Progress.None none -> Answer.NO_PENDING_SIGN_UP;
                case Progress.Confirmed confirmed -> Answer.OTP_WAS_ALREADY_USED;
                case Progress.Pending pending when isExpired(pending) -> Answer.OTP_EXPIRED;
                case Progress.Pending pending -> {
                    List<Event> events = List.of(confirmed(emailAddress, otp, pending.name()));
                    yield switch (store.append(events, projected.appendCondition())) {
                        case Appended appended -> Answer.CONFIRMED;
                        case Conflict conflict -> Answer.CONCURRENT_UPDATE;
                        case StoreReplaced replaced -> Answer.CONCURRENT_UPDATE;
                    };
                }
            };
        }

        private boolean isExpired(Progress.Pending pending) {
            return clock.instant().isAfter(pending.since().plus(VALIDITY));
        }
    }

    /** The progress of a sign-up. */
    sealed interface Progress {
        record None() implements Progress {}

        record Pending(String name, Instant since) implements Progress {}

        record Confirmed() implements Progress {}
    }

    /** Follows the sign-up of one address with one password. */
    record SignUpProgress(String emailAddress, String otp) implements Projection<Progress> {

        @Override
        public Query query() {
            return Query.of(
                    QueryItem.types("SignUpInitiated", "SignUpConfirmed").tagged(tags(emailAddress, otp)));
        }

        @Override
        public Progress initial() {
            return new Progress.None();
        }

        @Override
        public Progress apply(Progress progress, SequencedEvent event) {
            return event.event().type().equals("SignUpInitiated")
                    ? new Progress.Pending(
                            Json.data(event.event(), SignUpInitiated.class).name(), event.recordedAt())
                    : new Progress.Confirmed();
        }
    }

    static Event initiated(String emailAddress, String otp, String name) {
        return Json.event(new SignUpInitiated(emailAddress, otp, name), tags(emailAddress, otp));
    }

    static Event confirmed(String emailAddress, String otp, String name) {
        return Json.event(new SignUpConfirmed(emailAddress, otp, name), tags(emailAddress, otp));
    }

    private static String[] tags(String emailAddress, String otp) {
        return new String[] {"email:" + Json.hash(emailAddress), "otp:" + otp};
    }

    @Test
    void an_unknown_password_confirms_nothing() {
        assertThat(signUps.confirm(JOHN, "000000").message())
                .isEqualTo("No pending sign-up for this OTP / email address");
    }

    @Test
    void the_password_of_another_sign_up_confirms_nothing() {
        example.given(initiated(JOHN, "111111", "John Doe"), initiated(JANE, "999999", "Jane Doe"));

        assertThat(signUps.confirm(JANE, "111111").message())
                .isEqualTo("No pending sign-up for this OTP / email address");
    }

    @Test
    void a_password_is_used_once() {
        example.given(initiated(JOHN, "222222", "John Doe"), confirmed(JOHN, "222222", "John Doe"));

        assertThat(signUps.confirm(JOHN, "222222").message()).isEqualTo("OTP was already used");
    }

    @Test
    void a_valid_password_confirms_the_sign_up_under_its_name() {
        example.given(initiated(JOHN, "444444", "John Doe"));

        assertThat(signUps.confirm(JOHN, "444444")).isEqualTo(Answer.CONFIRMED);
        assertThat(example.happened(SignUpConfirmed.class))
                .containsExactly(new SignUpConfirmed(JOHN, "444444", "John Doe"));
        assertThat(signUps.confirm(JOHN, "444444").message()).isEqualTo("OTP was already used");
    }

    @Test
    void a_password_expires_after_sixty_minutes() {
        example.given(Duration.ofMinutes(61), initiated(JOHN, "333333", "John Doe"));

        assertThat(signUps.confirm(JOHN, "333333").message()).isEqualTo("OTP expired");
        assertThat(example.happened(SignUpConfirmed.class)).isEmpty();
    }

    @Test
    void a_password_is_valid_for_sixty_minutes() {
        example.given(Duration.ofMinutes(60), initiated(JOHN, "333333", "John Doe"));

        assertThat(signUps.confirm(JOHN, "333333")).isEqualTo(Answer.CONFIRMED);
    }

    @Test
    void an_expired_password_can_be_sent_again() {
        example.given(Duration.ofMinutes(61), initiated(JOHN, "333333", "John Doe"));
        example.given(initiated(JOHN, "333333", "John Doe"));

        assertThat(signUps.confirm(JOHN, "333333")).isEqualTo(Answer.CONFIRMED);
    }
}
