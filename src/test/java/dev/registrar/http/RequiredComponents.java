package dev.registrar.http;

import com.fasterxml.jackson.databind.JavaType;
import io.swagger.v3.core.converter.AnnotatedType;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverterContext;
import io.swagger.v3.core.util.Json;
import io.swagger.v3.oas.models.media.Schema;
import java.lang.reflect.RecordComponent;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/** Marks the non-null components of a record as required in its schema. */
final class RequiredComponents implements ModelConverter {
    private static final String REFERENCE = "#/components/schemas/";

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
                for (RecordComponent component : java.getRawClass().getRecordComponents()) {
                    require(component, schema);
                }
            }
        }
        return resolved;
    }

    private static void require(RecordComponent component, Schema<?> schema) {
        String name = component.getName();
        boolean isRequired =
                schema.getRequired() != null && schema.getRequired().contains(name);
        if (!isRequired
                && schema.getProperties().containsKey(name)
                && !component.getAnnotatedType().isAnnotationPresent(Nullable.class)) {
            schema.addRequiredItem(name);
        }
    }
}
