package dev.registrar.autoconfigure;

import dev.registrar.concurrent.CpuOptions;
import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import dev.registrar.options.Bounds;
import dev.registrar.projection.ProjectionOptions;
import dev.registrar.subscription.LiveOptions;
import java.lang.reflect.RecordComponent;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.BeanUtils;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.context.properties.bind.DataObjectPropertyName;
import org.springframework.util.ReflectionUtils;
import org.springframework.util.unit.DataSize;

/** Binds settings to the library's options, which check their bounds themselves. */
final class OptionsBinder {
    /*
     * Why not by @ConfigurationProperties: Spring Boot takes the default of a record's component from an annotation of
     * Spring's, and the library knows no Spring. Here a component without a setting keeps the value that it has in the
     * default options. The settings' descriptions for editors are in additional-spring-configuration-metadata.json.
     */
    private final Binder binder;

    OptionsBinder(Binder binder) {
        this.binder = binder;
    }

    StoreOptions store() {
        return bind("registrar.store", StoreOptions.defaults());
    }

    /** @param maxSearches what the pool of the views allows */
    ProjectionOptions projections(int maxSearches) {
        ProjectionOptions bound = bind(
                "registrar.projections",
                ProjectionOptions.with(options -> options.maxSearches = Math.min(options.maxSearches, maxSearches)));
        Bounds.check("projections.maxSearches", bound.maxSearches(), 1, maxSearches);
        return bound;
    }

    LiveOptions live() {
        return bind("registrar.live", LiveOptions.defaults());
    }

    CpuOptions cpu() {
        return bind("registrar.cpu", CpuOptions.defaults());
    }

    private <T extends Record> T bind(String prefix, T defaults) {
        @SuppressWarnings("unchecked")
        Class<T> type = (Class<T>) defaults.getClass();
        RecordComponent[] components = type.getRecordComponents();
        @Nullable Object[] values = new @Nullable Object[components.length];
        for (int i = 0; i < components.length; i++) {
            values[i] =
                    value(prefix, components[i], ReflectionUtils.invokeMethod(components[i].getAccessor(), defaults));
        }
        return BeanUtils.instantiateClass(BeanUtils.getResolvableConstructor(type), values);
    }

    private @Nullable Object value(String prefix, RecordComponent component, @Nullable Object usual) {
        String name = prefix + "." + DataObjectPropertyName.toDashedForm(component.getName());
        return switch (usual) {
            // The limits have no prefix of their own.
            case StoreLimits limits -> bind(prefix, limits);
            case Record options -> bind(name, options);
            case Long bytes ->
                binder.bind(name, DataSize.class).map(DataSize::toBytes).orElse(bytes);
            case null, default ->
                binder.bind(name, component.getType()).map(Object.class::cast).orElse(usual);
        };
    }
}
