package dev.registrar.http;

import dev.registrar.decision.CommandRegistry;
import dev.registrar.decision.CommandRegistry.Entry;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.converter.ResolvedSchema;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.media.Discriminator;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.Schema;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Describes a command as one of the registered types, each with a schema of its own. */
final class DescribedCommands {
    private static final String REFERENCE = "#/components/schemas/";

    private DescribedCommands() {}

    static void complete(Components components, CommandRegistry<?, ?> commands) {
        Discriminator discriminator = new Discriminator().propertyName("type");
        Schema<?> command = new JsonSchema();
        for (String type : commands.types()) {
            String name = type + "Command";
            components.addSchemas(name, command(components, commands.entry(type)));
            discriminator.mapping(type, REFERENCE + name);
            command.addOneOfItem(reference(name));
        }
        command.setDiscriminator(discriminator);
        components.addSchemas(CommandController.COMMAND, command);
    }

    private static Schema<?> command(Components components, Entry<?, ?, ?> entry) {
        ResolvedSchema form = ModelConverters.getInstance(true).readAllAsResolvedSchema(entry.form());
        form.referencedSchemas.forEach(components::addSchemas);
        Schema<?> type = new JsonSchema().types(Set.of("string"));
        type.setConst(entry.type());
        Schema<?> command = new JsonSchema().types(Set.of("object"));
        command.addProperty("type", type);
        command.addProperty("data", reference(form.schema.getName()));
        command.setRequired(new ArrayList<>(List.of("type", "data")));
        return command;
    }

    private static Schema<?> reference(String name) {
        Schema<?> reference = new JsonSchema();
        reference.set$ref(REFERENCE + name);
        return reference;
    }
}
