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
import dev.registrar.examples.TokenRevocationTest.Exams.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A student registers for an exam with a token that an instructor has issued. A token can be used once, unless it has
 * been revoked. Its state is folded from its own events, so there is no table of valid tokens.
 *
 * @see OptInTokenTest for tokens that expire
 */
@OnEveryStore
class TokenRevocationTest {
    private final ExampleStore example;
    private final Exams exams;

    TokenRevocationTest(ExampleStore example) {
        this.example = example;
        this.exams = new Exams(example.emptied());
    }

    record TokenIssued(String token, String exam) {}

    record TokenRedeemed(String token, String exam, String student) {}

    record TokenRevoked(String token, String exam) {}

    /** The part of an application that registers students for exams. */
    static final class Exams {
        private final EventStore store;

        /** The outcome of a request. */
        enum Answer {
            DONE("Done"),
            TOKEN_IS_TAKEN("Exam registration token already exists."),
            NOT_FOUND("Exam registration token not found."),
            IS_REVOKED("Exam registration token has been revoked."),
            IS_REVOKED_ALREADY("Exam registration token has already been revoked."),
            IS_USED("Exam registration token has already been used."),
            IS_USED_BEFORE_ITS_REVOCATION("Cannot revoke a token that has already been redeemed."),
            CONCURRENT_UPDATE("Failed to redeem token due to concurrent updates. Please try again.");

            private final String message;

            Answer(String message) {
                this.message = message;
            }

            String message() {
                return message;
            }
        }

        Exams(EventStore store) {
            this.store = store;
        }

        Answer issue(String token, String exam) {
            TokenStatus projection = new TokenStatus(token);
            Projected projected = store.project(projection);
            return switch (projected.state(projection)) {
                case Status.Unknown unknown -> append(issued(token, exam), projected);
                case Status.Open open -> Answer.TOKEN_IS_TAKEN;
                case Status.Used used -> Answer.TOKEN_IS_TAKEN;
                case Status.Revoked revoked -> Answer.TOKEN_IS_TAKEN;
            };
        }

        Answer redeem(String token, String student) {
            TokenStatus projection = new TokenStatus(token);
            Projected projected = store.project(projection);
            return switch (projected.state(projection)) {
                case Status.Unknown unknown -> Answer.NOT_FOUND;
                case Status.Open(String exam) -> append(redeemed(token, exam, student), projected);
                case Status.Used used -> Answer.IS_USED;
                case Status.Revoked revoked -> Answer.IS_REVOKED;
            };
        }

        Answer revoke(String token) {
            TokenStatus projection = new TokenStatus(token);
            Projected projected = store.project(projection);
            return switch (projected.state(projection)) {
                case Status.Unknown unknown -> Answer.NOT_FOUND;
                case Status.Open(String exam) -> append(revoked(token, exam), projected);
                case Status.Used used -> Answer.IS_USED_BEFORE_ITS_REVOCATION;
                case Status.Revoked revoked -> Answer.IS_REVOKED_ALREADY;
            };
        }

        private Answer append(Event event, Projected seen) {
            return switch (store.append(List.of(event), seen.appendCondition())) {
                case Appended appended -> Answer.DONE;
                case Conflict conflict -> Answer.CONCURRENT_UPDATE;
                case StoreReplaced replaced -> Answer.CONCURRENT_UPDATE;
            };
        }
    }

    /** The progress of a token. */
    sealed interface Status {
        record Unknown() implements Status {}

        record Open(String exam) implements Status {}

        record Used() implements Status {}

        record Revoked() implements Status {}
    }

    /** Follows one token. */
    record TokenStatus(String token) implements Projection<Status> {

        @Override
        public Query query() {
            return Query.of(QueryItem.types("TokenIssued", "TokenRedeemed", "TokenRevoked")
                    .tagged(tag(token)));
        }

        @Override
        public Status initial() {
            return new Status.Unknown();
        }

        @Override
        public Status apply(Status status, SequencedEvent event) {
            return switch (event.event().type()) {
                case "TokenIssued" ->
                    new Status.Open(Json.data(event.event(), TokenIssued.class).exam());
                case "TokenRedeemed" -> new Status.Used();
                default -> new Status.Revoked();
            };
        }
    }

    static Event issued(String token, String exam) {
        return Json.event(new TokenIssued(token, exam), tag(token), "exam:" + exam);
    }

    static Event redeemed(String token, String exam, String student) {
        return Json.event(new TokenRedeemed(token, exam, student), tag(token), "exam:" + exam, "student:" + student);
    }

    static Event revoked(String token, String exam) {
        return Json.event(new TokenRevoked(token, exam), tag(token), "exam:" + exam);
    }

    private static String tag(String token) {
        return "examToken:" + token;
    }

    @Test
    void a_token_can_be_issued_once() {
        assertThat(exams.issue("t1", "algebra")).isEqualTo(Answer.DONE);

        assertThat(exams.issue("t1", "algebra").message()).isEqualTo("Exam registration token already exists.");
        assertThat(example.happened(TokenIssued.class)).containsExactly(new TokenIssued("t1", "algebra"));
    }

    @Test
    void a_token_registers_one_student() {
        example.given(issued("t1", "algebra"));

        assertThat(exams.redeem("t1", "ann")).isEqualTo(Answer.DONE);
        assertThat(example.happened(TokenRedeemed.class)).containsExactly(new TokenRedeemed("t1", "algebra", "ann"));
        assertThat(exams.redeem("t1", "bob").message()).isEqualTo("Exam registration token has already been used.");
    }

    @Test
    void an_unknown_token_cannot_be_redeemed_or_revoked() {
        example.given(issued("t1", "algebra"));

        assertThat(exams.redeem("t2", "ann").message()).isEqualTo("Exam registration token not found.");
        assertThat(exams.revoke("t2").message()).isEqualTo("Exam registration token not found.");
    }

    @Test
    void a_revoked_token_registers_no_student() {
        example.given(issued("t1", "algebra"), issued("t2", "algebra"));

        assertThat(exams.revoke("t1")).isEqualTo(Answer.DONE);
        assertThat(exams.redeem("t1", "ann").message()).isEqualTo("Exam registration token has been revoked.");
        assertThat(exams.redeem("t2", "ann")).isEqualTo(Answer.DONE);
        assertThat(example.happened(TokenRevoked.class)).containsExactly(new TokenRevoked("t1", "algebra"));
    }

    @Test
    void a_token_can_be_revoked_once_and_not_after_its_use() {
        example.given(issued("t1", "algebra"), revoked("t1", "algebra"));
        example.given(issued("t2", "algebra"), redeemed("t2", "algebra", "ann"));

        assertThat(exams.revoke("t1").message()).isEqualTo("Exam registration token has already been revoked.");
        assertThat(exams.revoke("t2").message()).isEqualTo("Cannot revoke a token that has already been redeemed.");
    }

    /* The instructor revokes the token after the student's request has read it and before it appends. */
    @Test
    void a_token_revoked_during_its_redemption_registers_no_student() {
        example.given(issued("t1", "algebra"));
        Projected seen = example.store().project(new TokenStatus("t1"));
        assertThat(exams.revoke("t1")).isEqualTo(Answer.DONE);

        assertThat(example.store().append(List.of(redeemed("t1", "algebra", "ann")), seen.appendCondition()))
                .isInstanceOf(Conflict.class);
        assertThat(example.happened(TokenRedeemed.class)).isEmpty();
    }
}
