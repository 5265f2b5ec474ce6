package dev.registrar.http.description;

import dev.registrar.decision.CommandRegistry;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.List;
import java.util.Set;

/** Describes a command as one of the registered types, each with a schema of its own. */
final class CommandSchemas {
    private CommandSchemas() {}

    static void add(Components components, CommandRegistry<?, ?> commands) {
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
}
