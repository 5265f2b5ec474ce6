package dev.registrar.decision;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.decision.EventCodec.Encoded;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.Tag;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonEventCodecTest {
    private static final Instant NOON = Instant.parse("2030-01-01T12:00:00Z");
    private static final JsonEventCodec<Desk> PLAIN = JsonEventCodec.of(Desk.class, Desk::tags);
    private static final JsonEventCodec<Desk> GROWN = PLAIN.formerly(BookLent.class, "BookIssued", "Issued")
            .upcast(BookLent.class, 1, payload -> payload.put("days", 14))
            .upcast(
                    BookLent.class,
                    2,
                    payload -> payload.put("days", payload.get("days").intValue() * 2));

    sealed interface Desk {
        String book();

        default Set<Tag> tags() {
            return Set.of(Tag.of("book:" + book()));
        }
    }

    record BookLent(String book, int days, @Nullable Instant at) implements Desk {
        BookLent {
            if (days < 0) {
                throw new IllegalArgumentException("A loan has 0 days or more but had " + days);
            }
        }
    }

    sealed interface Corrected extends Desk {}

    record BookFound(String book) implements Corrected {}

    record BookMended(String book) implements Corrected {}

    @Test
    void an_event_is_stored_under_the_name_of_its_class_and_read_back() {
        Encoded encoded = PLAIN.encode(new BookLent("b1", 14, NOON));

        assertThat(encoded.type()).isEqualTo("BookLent");
        assertThat(encoded.tags()).containsExactly(Tag.of("book:b1"));
        assertThat(encoded.payload()).isEqualTo("""
                {"book":"b1","days":14,"at":"2030-01-01T12:00:00Z"}""");
        assertThat(PLAIN.decode(encoded.event())).isEqualTo(new BookLent("b1", 14, NOON));
    }

    @Test
    void events_of_nested_sealed_interfaces_are_events_of_the_domain() {
        assertThat(PLAIN.decode(PLAIN.encode(new BookFound("b1")).event())).isEqualTo(new BookFound("b1"));
    }

    @Test
    void an_event_may_be_stored_under_another_name() {
        JsonEventCodec<Desk> named = PLAIN.named(BookFound.class, "desk.book-found");

        assertThat(named.encode(new BookFound("b1")).type()).isEqualTo("desk.book-found");
        assertThat(named.decode("desk.book-found", "{\"book\":\"b1\"}")).isEqualTo(new BookFound("b1"));
        assertThatThrownBy(() -> named.decode("BookFound", "{\"book\":\"b1\"}"))
                .hasMessage("Unknown event type: no event of Desk has the type 'BookFound'");
    }

    @ParameterizedTest
    @ValueSource(strings = {"BookLent", "BookIssued", "Issued"})
    void an_event_is_read_under_its_current_and_former_names(String type) {
        assertThat(GROWN.decode(type, "{\"book\":\"b1\",\"days\":7,\"@version\":3}"))
                .isEqualTo(new BookLent("b1", 7, null));
    }

    @Test
    void a_payload_is_upgraded_step_by_step_to_the_current_version() {
        assertThat(GROWN.decode("BookIssued", "{\"book\":\"b1\"}")).isEqualTo(new BookLent("b1", 28, null));
        assertThat(GROWN.decode("BookLent", "{\"book\":\"b1\",\"@version\":1}"))
                .isEqualTo(new BookLent("b1", 28, null));
        assertThat(GROWN.decode("BookLent", "{\"book\":\"b1\",\"days\":5,\"@version\":2}"))
                .isEqualTo(new BookLent("b1", 10, null));
        assertThat(GROWN.decode("BookLent", "{\"book\":\"b1\",\"days\":5,\"@version\":3}"))
                .isEqualTo(new BookLent("b1", 5, null));
    }

    @Test
    void a_new_payload_has_the_current_version() {
        Encoded encoded = GROWN.encode(new BookLent("b1", 5, null));

        assertThat(encoded.type()).isEqualTo("BookLent");
        assertThat(encoded.payload()).isEqualTo("""
                {"book":"b1","days":5,"at":null,"@version":3}""");
        assertThat(GROWN.decode(encoded.event())).isEqualTo(new BookLent("b1", 5, null));
        assertThat(GROWN.encode(new BookFound("b1")).payload()).isEqualTo("{\"book\":\"b1\"}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"book\":\"b1\",\"days\":5,\"@version\":0}",
                "{\"book\":\"b1\",\"days\":5,\"@version\":\"3\"}",
                "{\"book\":\"b1\",\"days\":5,\"@version\":null}",
                "{\"book\":\"b1\",\"days\":-1,\"@version\":3}",
                "{\"book\":\"b1\",\"days\":null,\"@version\":3}",
                "{\"book\":\"b1\",\"days\":\"soon\",\"@version\":3}",
                "{\"book\":\"b1\",\"at\":\"noon\",\"@version\":3}",
                "{\"book\":\"b1\",\"@version\":2}",
                "{\"book\":",
                "[]",
                "null",
                ""
            })
    void a_payload_that_does_not_fit_is_unreadable(String payload) {
        Event stored = Event.of("BookLent", payload);

        assertThat(GROWN.readable(stored)).isEmpty();
        assertThat(GROWN.unreadable(stored))
                .hasValueSatisfying(reason -> assertThat(reason).contains("BookLent"));
    }

    @Test
    void a_payload_of_a_later_version_is_not_ignored() {
        Event stored = Event.of("BookLent", "{\"book\":\"b1\",\"days\":5,\"@version\":4}");

        assertThatThrownBy(() -> GROWN.readable(stored))
                .isInstanceOf(NewerEventException.class)
                .hasMessage(
                        "A 'BookLent' event has payload version 4, but this instance reads versions up to 3; upgrade it");
        assertThat(GROWN.unreadable(stored)).isEmpty();
    }

    @Test
    void a_release_may_read_a_new_name_before_the_next_release_writes_it() {
        JsonEventCodec<Desk> first = PLAIN.named(BookLent.class, "BookIssued").formerly(BookLent.class, "BookLent");
        JsonEventCodec<Desk> next = PLAIN.formerly(BookLent.class, "BookIssued");
        BookLent lent = new BookLent("b1", 14, null);

        assertThat(first.encode(lent).type()).isEqualTo("BookIssued");
        assertThat(first.decode(next.encode(lent).event())).isEqualTo(lent);
        assertThat(next.decode(first.encode(lent).event())).isEqualTo(lent);
        assertThat(first.types(BookLent.class).types())
                .isEqualTo(next.types(BookLent.class).types());
    }

    @Test
    void properties_that_a_later_version_added_are_ignored() {
        assertThat(PLAIN.decode("BookFound", "{\"book\":\"b1\",\"shelf\":3}")).isEqualTo(new BookFound("b1"));
    }

    @Test
    void a_type_of_another_domain_is_unreadable() {
        assertThat(PLAIN.unreadable(Event.of("Other", "{}")))
                .contains("Unknown event type: no event of Desk has the type 'Other'");
    }

    @Test
    void queries_match_events_under_former_names_too() {
        Query query = Query.of(
                QueryItem.types("BookLent", "BookFound").tagged("book:b1"), QueryItem.tags("t"), QueryItem.any());

        assertThat(GROWN.withFormerTypes(query))
                .isEqualTo(Query.of(
                        QueryItem.types("BookLent", "BookIssued", "Issued", "BookFound")
                                .tagged("book:b1"),
                        QueryItem.tags("t"),
                        QueryItem.any()));
        assertThat(GROWN.types(BookFound.class, BookLent.class))
                .isEqualTo(QueryItem.types("BookFound", "BookLent", "BookIssued", "Issued"));
        assertThat(PLAIN.withFormerTypes(query)).isSameAs(query);
    }

    @Test
    void a_sealed_interface_stands_for_its_events_in_a_query() {
        assertThat(GROWN.types(Corrected.class)).isEqualTo(QueryItem.types("BookFound", "BookMended"));
        assertThat(GROWN.types(Desk.class))
                .isEqualTo(QueryItem.types("BookLent", "BookIssued", "Issued", "BookFound", "BookMended"));
    }

    @Test
    void two_events_cannot_share_a_type() {
        assertThatThrownBy(() -> PLAIN.named(BookFound.class, "BookLent"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'BookLent'");
        assertThatThrownBy(() -> PLAIN.formerly(BookFound.class, "BookLent"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'BookLent'");
        assertThatThrownBy(() -> PLAIN.formerly(BookFound.class, "BookFound"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("current type");
    }

    @Test
    void a_version_cannot_be_left_out() {
        assertThatThrownBy(() -> PLAIN.upcast(BookLent.class, 2, payload -> payload))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("The next conversion step of BookLent must be from version 1 but is from version 2");
    }

    @Test
    void a_codec_requires_events_that_can_be_listed() {
        interface Open {}

        assertThatThrownBy(() -> JsonEventCodec.of(Open.class, event -> List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("neither sealed");
    }
}
