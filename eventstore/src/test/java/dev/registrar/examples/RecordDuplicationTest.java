package dev.registrar.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendCondition;
import dev.registrar.eventstore.AppendResult.Appended;
import dev.registrar.eventstore.AppendResult.Conflict;
import dev.registrar.eventstore.AppendResult.StoreReplaced;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.EventStore;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Position;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.examples.RecordDuplicationTest.Orders.Answer;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A form that is sent twice places one order: it carries a token that can be used once. The application reads nothing,
 * since the append condition alone requires that no event has the token.
 *
 * @see <a href="https://dcb.events/examples/prevent-record-duplication/">the published example and its cases</a>
 */
@OnEveryStore
class RecordDuplicationTest {
    private final ExampleStore example;
    private final Orders orders;

    RecordDuplicationTest(ExampleStore example) {
        this.example = example;
        this.orders = new Orders(example.emptied());
    }

    record OrderPlaced(String orderId, String idempotencyToken) {}

    /** The part of an application that takes orders. */
    static final class Orders {
        private final EventStore store;

        /** The outcome of an order. */
        enum Answer {
            PLACED("Placed"),
            RE_SUBMISSION("Re-submission");

            private final String message;

            Answer(String message) {
                this.message = message;
            }

            /** The message of the published example. */
            String message() {
                return message;
            }
        }

        Orders(EventStore store) {
            this.store = store;
        }

        Answer place(String orderId, String token) {
            Query used = Query.of(QueryItem.types("OrderPlaced").tagged(tag(token)));
            return switch (store.append(List.of(placed(orderId, token)), AppendCondition.failIfEventsMatch(used))) {
                case Appended appended -> Answer.PLACED;
                case Conflict conflict -> Answer.RE_SUBMISSION;
                case StoreReplaced never -> throw new AssertionError("The condition rests on no read");
            };
        }
    }

    static Event placed(String orderId, String token) {
        return Json.event(new OrderPlaced(orderId, token), "order:" + orderId, tag(token));
    }

    private static String tag(String token) {
        return "idempotency:" + token;
    }

    @Test
    void an_order_with_a_used_token_is_a_re_submission_with_any_id() {
        example.given(placed("o12345", "11111"));

        assertThat(orders.place("o54321", "11111").message()).isEqualTo("Re-submission");
        assertThat(example.happened(OrderPlaced.class)).containsExactly(new OrderPlaced("o12345", "11111"));
    }

    @Test
    void an_order_with_a_new_token_is_placed() {
        example.given(placed("o12345", "11111"));

        assertThat(orders.place("o54321", "22222")).isEqualTo(Answer.PLACED);
        assertThat(example.happened(OrderPlaced.class))
                .containsExactly(new OrderPlaced("o12345", "11111"), new OrderPlaced("o54321", "22222"));
    }

    /** The same without a tag: the second request gets the answer of the first. */
    @Test
    void under_an_idempotency_key_a_repetition_gets_the_first_answer() {
        IdempotencyKey key = new IdempotencyKey("11111", "place an order");
        Append request = Append.of(Json.event(new OrderPlaced("o12345", "11111"), "order:o12345"))
                .under(key);

        assertThat(example.store().append(request)).isEqualTo(new Appended(Position.of(1), Position.of(1), false));
        assertThat(example.store().append(request)).isEqualTo(new Appended(Position.of(1), Position.of(1), true));
        assertThat(example.happened(OrderPlaced.class)).hasSize(1);
    }
}
