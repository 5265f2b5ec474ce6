package dev.registrar.http;

import dev.registrar.eventstore.KebabCase;
import dev.registrar.http.dcb.DeclaredProjection.Kind;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Completes the schemas of the event store's API with what annotations cannot express: alternatives, and characters
 * that the store refuses. {@code DescriptionController} adds the store's limits, which are settings.
 */
final class DescribedStoreSchemas {
    /** Any text without U+0000, which PostgreSQL's text cannot hold. */
    static final String TEXT = "[^\\x00]*";

    private DescribedStoreSchemas() {}

    @SuppressWarnings("rawtypes")
    static void complete(Map<String, Schema> schemas) {
        Schema<?> append = named(schemas, "DcbAppend");
        Schema<?> list = property(append, "events");
        list.minItems(1);
        append.getProperties().put("events", oneOrList(list));
        texts(property(append, "locks"));
        property(append, "locks").minItems(1);

        Schema<?> event = named(schemas, "DcbNewEvent");
        text(property(event, "type"));
        texts(property(event, "tags"));
        event.getProperties().put("data", json(property(event, "data"), false));
        event.getProperties().put("metadata", json(property(event, "metadata"), true));

        Schema<?> item = named(schemas, "DcbQueryItem");
        texts(property(item, "types"));
        texts(property(item, "tags"));
        needsField(named(schemas, "DcbProjector"));
        beginsOnce(named(schemas, "DcbReadOptions"));
    }

    /* A read has "from" or "after", not both; zero and null count as absent. */
    @SuppressWarnings("rawtypes")
    private static void beginsOnce(Schema<?> options) {
        List<Schema> either = new ArrayList<>();
        for (String name : List.of("from", "after")) {
            Schema<Object> absent = new Schema<>();
            absent.addEnumItemObject(0);
            absent.addEnumItemObject(null);
            Schema<?> without = new JsonSchema().types(Set.of("object"));
            without.addProperty(name, absent);
            either.add(without);
        }
        options.setAnyOf(either);
    }

    /* A projector has either a kind without a field, or a field. */
    private static void needsField(Schema<?> projector) {
        Schema<String> kind = new Schema<>();
        Stream.of(Kind.values())
                .filter(each -> !each.needsField())
                .forEach(each -> kind.addEnumItemObject(KebabCase.of(each)));
        Schema<?> withoutField = new JsonSchema().types(Set.of("object"));
        withoutField.addProperty("kind", kind);
        Schema<?> withField = new JsonSchema().types(Set.of("object"));
        withField.addProperty("field", new JsonSchema().types(Set.of("string")));
        withField.addRequiredItem("field");
        projector.setAnyOf(new ArrayList<>(List.of(withoutField, withField)));
    }

    private static Schema<?> property(Schema<?> schema, String name) {
        return named(schema.getProperties(), name);
    }

    @SuppressWarnings("rawtypes")
    private static Schema<?> named(Map<String, Schema> schemas, String name) {
        Schema<?> schema = schemas.get(name);
        if (schema == null) {
            throw new IllegalStateException("The description of the API has no schema '%s'".formatted(name));
        }
        return schema;
    }

    private static Schema<?> oneOrList(Schema<?> list) {
        Schema<?> either = new JsonSchema();
        either.setDescription(list.getDescription());
        list.setDescription(null);
        either.setOneOf(new ArrayList<>(List.of(list.getItems(), list)));
        return either;
    }

    private static void texts(Schema<?> list) {
        text(list.getItems());
    }

    private static void text(Schema<?> text) {
        text.minLength(1).pattern(TEXT);
    }

    /*
     * The store keeps the content of a string. Of any other value it keeps the source text, in which control characters
     * are escaped.
     */
    private static Schema<?> json(Schema<?> described, boolean mayBeNull) {
        Set<String> types = new LinkedHashSet<>(List.of("object", "array", "number", "boolean"));
        if (mayBeNull) {
            types.add("null");
        }
        Schema<?> either = new JsonSchema();
        either.setDescription(described.getDescription());
        either.setAnyOf(new ArrayList<>(
                List.of(new JsonSchema().types(Set.of("string")).pattern(TEXT), new JsonSchema().types(types))));
        return either;
    }
}
