package dev.registrar.eventstore.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.registrar.eventstore.Append;
import dev.registrar.eventstore.AppendResult;
import dev.registrar.eventstore.Event;
import dev.registrar.eventstore.IdempotencyKey;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.SequencedEvent;
import dev.registrar.eventstore.Tag;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Text is opaque (S18, S21): any characters are read back as they were given and match only themselves. */
public interface TextContract extends StoreUnderTest {

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"b\":1,\"a\":2,\"b\":3}",
                "{\"grade\":1.0,\"other\":1.00,\"third\":1e2}",
                "{\"long\":123456789012345678901234567890,\"small\":0.000000000000000000000000000001}",
                "{\"escaped\":\"\\u0000 \\u00e9 \\ud83c\\udf93 \\ud83c\"}",
                "{\"emoji\":\"\ud83c\udf93\ud83d\udc69\u200d\ud83c\udf93\",\"greek\":\"\u03b1\u03b2\u03b3\"}",
                " { \"spaced\" : [ 1 , 2 ] } ",
                "\t{\r\n\t\"lines\": 1\n}\n",
                "{\"quotes\":\"\\\"'`\",\"doubled\":\"''\\\"\\\"\"}",
                "{\"backslashes\":\"\\\\ \\\\\\\\ \\\\n \\\\.\"}",
                "{\"control\":\"\u0001\u001f\u007f\u0085\u2028\"}",
                "{\"separators\":\"{a,b};(c|d),NULL,\\\\N\"}",
                "{\"placeholders\":\"? $1 :name %s ${x} $$\"}",
                "[]",
                "null",
                "NULL",
                "\"\"",
                "",
                "not JSON at all"
            })
    default void a_payload_comes_back_byte_for_byte(String payload) {
        append(Event.of("Any", payload, "tag").withMetadata(payload));

        assertThat(theEvent().event().payload()).isEqualTo(payload);
        assertThat(theEvent().event().metadata()).isEqualTo(payload);
    }

    @Test
    default void a_large_payload_comes_back() {
        String payload = "\"" + "\u00e9\ud83c\udf93x\\n".repeat(100_000) + "\"";

        append(Event.of("Large", payload), event("Small"));

        assertThat(store().last(Query.of(QueryItem.types("Large")))
                        .map(event -> event.event().payload()))
                .contains(payload);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a,b",
                ",",
                "{a}",
                "{",
                "}",
                "{}",
                "\"quoted\"",
                "\"",
                "it's",
                "''",
                "back\\slash",
                "\\",
                "\\\\",
                "\\N",
                "unit\u001fseparator",
                "\u001f",
                "record\u001eseparator",
                "tab\tand\nline\r\nbreak",
                "stra\u00dfe \u03b1\u03b2\u03b3 \u4f60\u597d",
                "\ud83c\udf93",
                "\u202eright to left",
                "\ufeffmark",
                "NULL",
                "null",
                " ",
                " leading and trailing ",
                "100%",
                "under_score",
                "(a|b)&!c:*",
                "? $1 :name ${x}",
                "'; drop table events; --",
                "\u0001",
                "\uffff"
            })
    default void a_tag_or_type_with_any_characters_comes_back_and_is_found_by_itself_alone(String text) {
        append(
                event(text, text, "other"),
                event("Other", "other"),
                event("Other", text + "x"),
                event("Other", "x" + text),
                event(text + "x"));

        assertMatches(List.of(1L), QueryItem.tags(text));
        assertMatches(List.of(1L), QueryItem.types(text));
        assertMatches(List.of(1L), QueryItem.types(text).tagged(text, "other"));
        SequencedEvent first = store().read(Query.of(QueryItem.tags(text))).next();
        assertThat(first.event().type()).isEqualTo(text);
        assertThat(first.event().tags()).containsExactly(Tag.of(text), Tag.of("other"));
    }

    @Test
    default void tags_are_not_split_or_joined_at_any_separator() {
        append(
                event("Any", "a,b"),
                event("Any", "a", "b"),
                event("Any", "a\u001fb"),
                event("Any", "b", "a"),
                event("Any", "{a,b}"));

        assertMatches(List.of(2L, 4L), QueryItem.tags("a", "b"));
        assertMatches(List.of(1L), QueryItem.tags("a,b"));
        assertMatches(List.of(3L), QueryItem.tags("a\u001fb"));
        assertMatches(List.of(5L), QueryItem.tags("{a,b}"));
    }

    @Test
    default void an_idempotency_key_with_any_characters_is_itself_alone() {
        for (String text : List.of("a,b", "{\"'\\", "\u001f\ud83c\udf93", "NULL", "Key", "key")) {
            List<Event> events = List.of(event("Any", text));
            Append request = Append.of(events).under(IdempotencyKey.of(text, events));

            AppendResult first = store().append(request);

            assertThat(first)
                    .isInstanceOfSatisfying(
                            AppendResult.Appended.class,
                            appended -> assertThat(appended.repeated()).isFalse());
            assertThat(store().append(request))
                    .isInstanceOfSatisfying(
                            AppendResult.Appended.class,
                            appended -> assertThat(appended.repeated()).isTrue());
        }
    }
}
