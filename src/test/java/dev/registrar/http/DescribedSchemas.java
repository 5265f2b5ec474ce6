package dev.registrar.http;

import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.JsonSchema;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Completes the schemas of the description: a pattern matches the whole value; a request object has only the described
 * fields; an optional field may be null.
 */
final class DescribedSchemas {
    private static final String REFERENCE = "#/components/schemas/";

    private final OpenAPI api;

    DescribedSchemas(OpenAPI api) {
        this.api = api;
    }

    void complete() {
        Set<Schema<?>> sent = reachable(operations().flatMap(DescribedSchemas::sent));
        named().filter(sent::contains).forEach(DescribedSchemas::close);
        Set<Schema<?>> all = reachable(Stream.concat(named(), operations().flatMap(DescribedSchemas::all)));
        all.forEach(DescribedSchemas::anchor);
    }

    private Stream<Schema<?>> named() {
        return api.getComponents().getSchemas().values().stream().map(schema -> schema);
    }

    private Stream<Operation> operations() {
        return api.getPaths().values().stream().flatMap(path -> path.readOperations().stream());
    }

    private static Stream<Schema<?>> sent(Operation operation) {
        Stream<Schema<?>> body = operation.getRequestBody() == null
                ? Stream.of()
                : schemas(operation.getRequestBody().getContent());
        return Stream.concat(body, parameters(operation).flatMap(parameter -> schemas(parameter.getContent())));
    }

    private static Stream<Schema<?>> all(Operation operation) {
        return Stream.concat(sent(operation), parameters(operation).<Schema<?>>mapMulti((parameter, found) -> {
            if (parameter.getSchema() != null) {
                found.accept(parameter.getSchema());
            }
        }));
    }

    private static Stream<Parameter> parameters(Operation operation) {
        return operation.getParameters() == null ? Stream.of() : operation.getParameters().stream();
    }

    private static Stream<Schema<?>> schemas(@Nullable Content content) {
        return content == null
                ? Stream.of()
                : content.values().stream().map(MediaType::getSchema).map(schema -> schema);
    }

    /* The schemas and all schemas that they reference. */
    private Set<Schema<?>> reachable(Stream<? extends Schema<?>> roots) {
        Set<Schema<?>> reached = Collections.newSetFromMap(new IdentityHashMap<>());
        roots.forEach(root -> reach(root, reached));
        return reached;
    }

    private void reach(@Nullable Schema<?> schema, Set<Schema<?>> reached) {
        if (schema == null || !reached.add(schema)) {
            return;
        }
        if (schema.get$ref() != null) {
            reach(api.getComponents().getSchemas().get(schema.get$ref().substring(REFERENCE.length())), reached);
        }
        reach(schema.getItems(), reached);
        reachAll(schema.getProperties() == null ? null : schema.getProperties().values(), reached);
        reachAll(schema.getOneOf(), reached);
        reachAll(schema.getAnyOf(), reached);
    }

    private void reachAll(@SuppressWarnings("rawtypes") @Nullable Collection<Schema> parts, Set<Schema<?>> reached) {
        if (parts != null) {
            for (Schema<?> part : List.copyOf(parts)) {
                reach(part, reached);
            }
        }
    }

    private static void close(Schema<?> schema) {
        if (schema.getProperties() == null) {
            return;
        }
        schema.setAdditionalProperties(false);
        List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
        schema.getProperties().replaceAll((name, property) -> required.contains(name) ? property : orNull(property));
    }

    /* For an optional field, null and absence are equivalent. */
    private static Schema<?> orNull(Schema<?> schema) {
        if (schema.get$ref() != null) {
            Schema<?> reference = new JsonSchema();
            reference.set$ref(schema.get$ref());
            Schema<?> either = new JsonSchema();
            either.setAnyOf(new ArrayList<>(List.of(reference, new JsonSchema().types(Set.of("null")))));
            either.setDescription(schema.getDescription());
            return either;
        }
        if (schema.getTypes() != null) {
            schema.addType("null");
            if (schema.getEnum() != null) {
                schema.getEnum().add(null);
            }
        }
        return schema;
    }

    /* The pattern of a validation annotation matches the whole value; in JSON Schema it may match any part. */
    private static void anchor(Schema<?> schema) {
        String pattern = schema.getPattern();
        if (pattern != null && !pattern.startsWith("^")) {
            schema.setPattern("^(?:%s)$".formatted(pattern));
        }
    }
}
