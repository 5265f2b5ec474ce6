package dev.registrar.console.explorer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.registrar.console.explorer.PastedCondition.UnreadableConditionException;
import dev.registrar.eventstore.Query;
import dev.registrar.eventstore.QueryItem;
import dev.registrar.eventstore.StoreLimits;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PastedConditionTest {
    private static final Query QUERY =
            Query.of(QueryItem.types("RoomBooked", "RoomClosed").tagged("room:r1"), QueryItem.tags("day:1"));

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'events': [{'type': 'RoomBooked', 'data': {}}], 'condition': {'failIfEventsMatch': %s, 'after': 17}}",
                "{'failIfEventsMatch': %s, 'after': 17, 'basis': null}",
                " {'condition': {'after': 17, 'failIfEventsMatch': %s}, 'locks': []}\n"
            })
    void a_condition_is_found_in_what_was_pasted(String pasted) throws UnreadableConditionException {
        String query = "{'items': [{'types': ['RoomBooked', 'RoomClosed'], 'tags': ['room:r1']}, {'tags': ['day:1']}]}";

        PastedCondition condition = PastedCondition.of(pasted.formatted(query).replace('\'', '"'));

        assertThat(condition.form().query(StoreLimits.DEFAULT)).isEqualTo(QUERY);
        assertThat(condition.after()).isEqualTo(17);
    }

    @Test
    void a_query_alone_is_a_condition_on_all_events() throws UnreadableConditionException {
        PastedCondition condition = PastedCondition.of("{\"items\": [{\"tags\": [\"day:1\"]}]}");

        assertThat(condition.form().query(StoreLimits.DEFAULT)).isEqualTo(Query.of(QueryItem.tags("day:1")));
        assertThat(condition.after()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'items': []}", "{'items': [{'tags': ['a']}, {}]}", "{'items': null}"})
    void a_query_that_matches_everything_stays_so(String query) throws UnreadableConditionException {
        PastedCondition condition =
                PastedCondition.of("{'failIfEventsMatch': %s}".formatted(query).replace('\'', '"'));

        assertThat(condition.form().query(StoreLimits.DEFAULT)).isEqualTo(Query.all());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "~~ | Nothing was pasted",
                "{'a': | is not JSON from line 1, column",
                "[] | is not one JSON object",
                "5 | is not one JSON object",
                "{} {} | is not one JSON object",
                "{} | has no 'condition' with a 'failIfEventsMatch', and no 'items'",
                "{'events': []} | without a condition cannot have been refused",
                "{'events': [], 'condition': null} | without a condition cannot have been refused",
                "{'condition': 5} | '/condition' must be an object",
                "{'condition': {'after': 1}} | has no 'condition' with a 'failIfEventsMatch'",
                "{'failIfEventsMatch': {}, 'after': -1} | 'after' must be a position",
                "{'failIfEventsMatch': {}, 'after': 1.5} | '/after' must be a whole number",
                "{'failIfEventsMatch': {}, 'after': '17'} | '/after' must be a whole number",
                "{'failIfEventsMatch': {}, 'after': 99999999999999999999} | '/after' must be a whole number",
                "{'failIfEventsMatch': {'items': {}}} | '/failIfEventsMatch/items' must be a list",
                "{'items': [null]} | '/items",
                "{'items': [{'types': 'A'}]} | '/items/0/types' must be a list",
                "{'items': [{'tags': ['a', {}]}]} | '/items/0/tags/1' must be a string",
                "{'items': [{'tags': ['a', 5]}]} | '/items/0/tags/1' must be a string",
                "{'items': [{'types': [true]}]} | '/items/0/types/0' must be a string",
                "{'items': [{'tags': ['']}]} | must be a text of at least one character",
                "{'items': [{'types': ['A'], 'tags': ['']}]} | must be a text of at least one character"
            })
    void other_text_is_refused_with_a_sentence(String pasted, String sentence) {
        assertThatThrownBy(() -> PastedCondition.of(pasted.replace('\'', '"')))
                .isInstanceOf(UnreadableConditionException.class)
                .hasMessageContaining(sentence)
                .hasMessageEndingWith(".");
    }
}
