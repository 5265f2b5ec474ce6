package dev.registrar.http.description;

import dev.registrar.decision.CommandRegistry;
import dev.registrar.eventstore.KebabCase;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.http.dcb.DeclaredProjection.Kind;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Completes the schemas with what annotations cannot express: the types of commands, the store's limits, which are
 * settings, and alternatives.
 */
@SuppressWarnings("rawtypes")
final class CompleteSchemas {
    /** Any text without U+0000, which PostgreSQL's text cannot hold. */
    private static final String TEXT = "^[^\\x00]*$";

    private CompleteSchemas() {}

    static void complete(Components components, CommandRegistry<?, ?> commands, StoreLimits limits) {
        addCommands(components, commands);
        addLimits(components.getSchemas(), limits);
    }

    /* A command is one of the registered types, each with a schema of its own. */
    private static void addCommands(Components components, CommandRegistry<?, ?> commands) {
        Discriminator discriminator = new Discriminator().propertyName("type");
        Schema<?> command = new JsonSchema().discriminator(discriminator);
        for (String type : commands.types()) {
            String name = type + "Command";
            components.addSchemas(
                    name, command(type, data(components, commands.entry(type).form())));
            discriminator.mapping(type, RecordSchemas.REFERENCE + name);
            command.addOneOfItem(reference(name));
        }
        components.addSchemas("Command", command);
    }

    private static Schema<?> data(Components components, Class<?> form) {
        ResolvedSchema data = ModelConverters.getInstance(true).readAllAsResolvedSchema(form);
        data.referencedSchemas.forEach(components::addSchemas);
        return reference(data.schema.getName());
    }

    private static Schema<?> command(String name, Schema<?> data) {
        Schema<?> type = new JsonSchema().types(Set.of("string"));
        type.setConst(name);
        Schema<?> command = new JsonSchema().types(Set.of("object"));
        command.addProperty("type", type).addProperty("data", data);
        return command.required(List.of("type", "data"));
    }

    private static Schema<?> reference(String name) {
        return new JsonSchema().$ref(RecordSchemas.REFERENCE + name);
    }

    private static void addLimits(Map<String, Schema> schemas, StoreLimits limits) {
        Schema<?> append = named(schemas, "DcbAppend");
        Schema<?> events = property(append, "events");
        events.minItems(1).maxItems(limits.maxEventsPerAppend());
        append.getProperties().put("events", oneOrList(events));
        texts(append, "locks", limits.maxLocksPerAppend(), limits.maxKeyLength())
                .minItems(1);

        Schema<?> event = named(schemas, "DcbNewEvent");
        text(property(event, "type"), limits.maxTypeLength());
        texts(event, "tags", limits.maxTagsPerEvent(), limits.maxTagLength());

        property(named(schemas, "DcbQuery"), "items").maxItems(limits.maxItemsPerQuery());
        Schema<?> item = named(schemas, "DcbQueryItem");
        texts(item, "types", limits.maxTypesPerItem(), limits.maxTypeLength());
        texts(item, "tags", limits.maxTagsPerItem(), limits.maxTagLength());

        needsField(named(schemas, "DcbProjector"));
        beginsOnce(named(schemas, "DcbReadOptions"));
    }

    private static Schema<?> property(Schema<?> schema, String name) {
        return named(schema.getProperties(), name);
    }

    private static Schema<?> named(Map<String, Schema> schemas, String name) {
        Schema<?> schema = schemas.get(name);
        if (schema == null) {
            throw new IllegalStateException("The description of the API has no schema '%s'".formatted(name));
        }
        return schema;
    }

    private static Schema<?> texts(Schema<?> schema, String name, int most, int longest) {
        Schema<?> list = property(schema, name).maxItems(most);
        text(list.getItems(), longest);
        return list;
    }

    private static void text(Schema<?> text, int longest) {
        text.minLength(1).maxLength(longest).pattern(TEXT);
    }

    private static Schema<?> oneOrList(Schema<?> list) {
        Schema<?> either = new JsonSchema().description(list.getDescription());
        list.setDescription(null);
        return either.addOneOfItem(list.getItems()).addOneOfItem(list);
    }

    /* A projector has either a kind without a field, or a field. */
    private static void needsField(Schema<?> projector) {
        Schema<Object> kind = new Schema<>();
        Arrays.stream(Kind.values())
                .filter(each -> !each.needsField())
                .forEach(each -> kind.addEnumItemObject(KebabCase.of(each)));
        projector.addAnyOfItem(object("kind", kind));
        projector.addAnyOfItem(
                object("field", new JsonSchema().types(Set.of("string"))).addRequiredItem("field"));
    }

    /* A read has "from" or "after", not both; zero and null count as absent. */
    private static void beginsOnce(Schema<?> options) {
        for (String name : List.of("from", "after")) {
            Schema<Object> absent = new Schema<>();
            absent.addEnumItemObject(0);
            absent.addEnumItemObject(null);
            options.addAnyOfItem(object(name, absent));
        }
    }

    private static Schema<?> object(String property, Schema<?> value) {
        return new JsonSchema().types(Set.of("object")).addProperty(property, value);
    }
}
