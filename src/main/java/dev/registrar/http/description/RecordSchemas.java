package dev.registrar.http.description;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Completes the schemas of records: a component that is not null is required, and a pattern matches the whole value.
 */
final class RecordSchemas implements ModelConverter {
    static final String REFERENCE = "#/components/schemas/";

    @Override
    public @Nullable Schema<?> resolve(
            AnnotatedType type, ModelConverterContext context, Iterator<ModelConverter> chain) {
        if (!chain.hasNext()) {
            return null;
        }
        Schema<?> resolved = chain.next().resolve(type, context, chain);
        JavaType java = Json.mapper().constructType(type.getType());
        if (resolved != null && java != null && java.getRawClass().isRecord()) {
            String reference = resolved.get$ref();
            Schema<?> schema = reference == null
                    ? resolved
                    : context.getDefinedModels().get(reference.substring(REFERENCE.length()));
            if (schema != null && schema.getProperties() != null) {
                complete(schema, java.getRawClass().getRecordComponents());
            }
        }
        return resolved;
    }

    private static void complete(Schema<?> schema, RecordComponent[] components) {
        for (RecordComponent component : components) {
            String name = component.getName();
            Schema<?> property = schema.getProperties().get(name);
            if (property != null) {
                anchor(property);
                List<String> required = schema.getRequired() == null ? List.of() : schema.getRequired();
                if (!required.contains(name) && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
                    schema.addRequiredItem(name);
                }
            }
        }
    }

    /** The pattern of a validation annotation matches the whole value; in JSON Schema it may match any part. */
    static void anchor(Schema<?> schema) {
        String pattern = schema.getPattern();
        if (pattern != null && !pattern.startsWith("^")) {
            schema.setPattern("^(?:%s)$".formatted(pattern));
        }
        if (schema.getItems() != null) {
            anchor(schema.getItems());
        }
    }
}
