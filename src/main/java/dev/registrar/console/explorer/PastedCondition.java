package dev.registrar.console.explorer;

import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

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
            .build();

    /** The text is no condition. The message is a sentence for the person. */
    static final class UnreadableConditionException extends Exception {
        UnreadableConditionException(String message) {
            super(message);
        }
    }

    static PastedCondition of(String text) throws UnreadableConditionException {
        JsonNode pasted = json(text);
        if (!pasted.isObject()) {
            throw new UnreadableConditionException(
                    "The pasted text is JSON, but no object. Paste the body of an append, or its condition.");
        }
        if (pasted.hasNonNull("condition")) {
            return condition(pasted.get("condition"), "condition");
        }
        if (pasted.has("failIfEventsMatch")) {
            return condition(pasted, "");
        }
        if (pasted.has("items")) {
            return new PastedCondition(form(pasted, ""), 0);
        }
        throw new UnreadableConditionException(
                pasted.has("events")
                        ? "The pasted append has no condition, so it cannot have been refused by one."
                        : "The pasted object has no 'condition', no 'failIfEventsMatch' and no 'items'. Paste the body of"
                                + " an append, or its condition.");
    }

    private static JsonNode json(String text) throws UnreadableConditionException {
        try {
            JsonNode json = JSON.readTree(text);
            if (json.isMissingNode()) {
                throw new UnreadableConditionException(
                        "Nothing was pasted. Paste the body of an append, or its condition.");
            }
            return json;
        } catch (JacksonException broken) {
            throw new UnreadableConditionException(
                    broken.getLocation() == null
                            ? "The pasted text is not JSON."
                            : "The pasted text is not JSON from line %d, column %d on. Correct it there, or paste it again."
                                    .formatted(
                                            broken.getLocation().getLineNr(),
                                            broken.getLocation().getColumnNr()));
        }
    }

    private static PastedCondition condition(JsonNode condition, String at) throws UnreadableConditionException {
        requireObject(condition, at);
        String query = in(at, "failIfEventsMatch");
        if (!condition.has("failIfEventsMatch")) {
            throw new UnreadableConditionException("'%s' is missing.".formatted(query));
        }
        JsonNode after = condition.path("after");
        if (!after.isMissingNode()
                && !after.isNull()
                && !(after.isIntegralNumber() && after.canConvertToLong() && after.asLong() >= 0)) {
            throw new UnreadableConditionException(
                    "'%s' must be a position, a whole number from 0 on.".formatted(in(at, "after")));
        }
        return new PastedCondition(
                form(condition.get("failIfEventsMatch"), query), after.isNumber() ? after.asLong() : 0);
    }

    private static QueryForm form(JsonNode query, String at) throws UnreadableConditionException {
        requireObject(query, at);
        JsonNode items = query.path("items");
        if (items.isMissingNode() || items.isNull()) {
            return new QueryForm(List.of());
        }
        requireArray(items, in(at, "items"));
        List<QueryForm.Row> rows = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            String item = "%s[%d]".formatted(in(at, "items"), i);
            requireObject(items.get(i), item);
            QueryForm.Row row = new QueryForm.Row(
                    texts(items.get(i).path("types"), in(item, "types")),
                    texts(items.get(i).path("tags"), in(item, "tags")));
            if (row.isEmpty()) {
                // The form has no row for an item that matches everything, but then the other items change nothing.
                return new QueryForm(List.of());
            }
            rows.add(row);
        }
        return new QueryForm(rows);
    }

    private static List<String> texts(JsonNode texts, String at) throws UnreadableConditionException {
        if (texts.isMissingNode() || texts.isNull()) {
            return List.of();
        }
        requireArray(texts, at);
        List<String> values = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            JsonNode text = texts.get(i);
            if (!text.isString() || text.asString().isEmpty()) {
                throw new UnreadableConditionException(
                        "'%s[%d]' must be a text of at least one character.".formatted(at, i));
            }
            values.add(text.asString());
        }
        return values;
    }

    private static void requireObject(JsonNode node, String at) throws UnreadableConditionException {
        if (!node.isObject()) {
            throw new UnreadableConditionException("'%s' must be an object.".formatted(at));
        }
    }

    private static void requireArray(JsonNode node, String at) throws UnreadableConditionException {
        if (!node.isArray()) {
            throw new UnreadableConditionException("'%s' must be a list.".formatted(at));
        }
    }

    private static String in(String object, String field) {
        return object.isEmpty() ? field : object + "." + field;
    }
}
