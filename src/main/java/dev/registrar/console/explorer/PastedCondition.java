package dev.registrar.console.explorer;

import com.fasterxml.jackson.annotation.Nulls;
import dev.registrar.console.explorer.QueryForm.Row;
import dev.registrar.http.problem.UnreadableBody;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.exc.InputCoercionException;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * An append condition that a person has pasted as JSON: the body of {@code POST /dcb/append}, its condition alone, or a
 * query alone.
 *
 * @param form the condition's query
 * @param after the position up to which the condition ignores events; 0 if the text names none
 */
record PastedCondition(QueryForm form, long after) {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .withCoercionConfig(
                    LogicalType.Textual,
                    texts -> texts.setCoercion(CoercionInputShape.Integer, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Float, CoercionAction.Fail)
                            .setCoercion(CoercionInputShape.Boolean, CoercionAction.Fail))
            .changeDefaultNullHandling(handling -> handling.withContentNulls(Nulls.FAIL))
            .build();

    /** The text is no condition. The message is a sentence for the person. */
    static final class UnreadableConditionException extends Exception {
        UnreadableConditionException(String message) {
            super(message);
        }
    }

    /** An append, a condition or a query: whichever fields it has. */
    private record Pasted(
            @Nullable Pasted condition,
            @Nullable Pasted failIfEventsMatch,
            @Nullable List<Item> items,
            @Nullable Long after) {}

    private record Item(
            @Nullable List<String> types, @Nullable List<String> tags) {
        Row row() {
            return new Row(types == null ? List.of() : types, tags == null ? List.of() : tags);
        }

        boolean hasEmptyText() {
            return (types != null && types.contains("")) || (tags != null && tags.contains(""));
        }
    }

    static PastedCondition of(String text) throws UnreadableConditionException {
        Pasted pasted = read(text);
        Pasted condition = pasted.condition() == null ? pasted : pasted.condition();
        Pasted query = condition.failIfEventsMatch();
        if (query == null && pasted.items() == null) {
            throw new UnreadableConditionException(
                    "The pasted object has no 'condition' with a 'failIfEventsMatch', and no 'items'. An append without a"
                            + " condition cannot have been refused by one. Paste the body of an append, or its condition.");
        }
        long after = condition.after() == null ? 0 : condition.after();
        if (after < 0) {
            throw new UnreadableConditionException("'after' must be a position, a whole number from 0 on.");
        }
        return new PastedCondition(form(query == null ? pasted : query), after);
    }

    /*
     * The form has no row for an item that matches everything, but then the other items change nothing. It drops empty
     * texts, without which the query would match more.
     */
    private static QueryForm form(Pasted query) throws UnreadableConditionException {
        List<Item> items = query.items() == null ? List.of() : query.items();
        if (items.stream().anyMatch(Item::hasEmptyText)) {
            throw new UnreadableConditionException("Each type and each tag must be a text of at least one character.");
        }
        List<Row> rows = items.stream().map(Item::row).toList();
        return new QueryForm(rows.stream().anyMatch(Row::isEmpty) ? List.of() : rows);
    }

    private static Pasted read(String text) throws UnreadableConditionException {
        if (text.isBlank()) {
            throw new UnreadableConditionException(
                    "Nothing was pasted. Paste the body of an append, or its condition.");
        }
        try {
            Pasted pasted = JSON.readValue(text, Pasted.class);
            if (pasted != null) {
                return pasted;
            }
        } catch (DatabindException | InputCoercionException other) {
            if (!other.getPath().isEmpty()) {
                throw new UnreadableConditionException(
                        "'%s' must be %s.".formatted(UnreadableBody.pointer(other), UnreadableBody.expected(other)));
            }
        } catch (JacksonException broken) {
            throw new UnreadableConditionException(
                    broken.getLocation() == null
                            ? "The pasted text is not JSON."
                            : "The pasted text is not JSON from line %s, column %s on. Correct it there, or paste it again."
                                    .formatted(
                                            broken.getLocation().getLineNr(),
                                            broken.getLocation().getColumnNr()));
        }
        throw new UnreadableConditionException(
                "The pasted text is not one JSON object. Paste the body of an append, or its condition.");
    }
}
