package dev.registrar.eventstore.postgres;

import dev.registrar.eventstore.StoreLimits;
import dev.registrar.eventstore.postgres.options.StoreOptions;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.convert.ApplicationConversionService;
import org.springframework.util.unit.DataSize;

/** Store options with some values changed, which are named as in a configuration file: {@code group.max-wait}. */
final class NamedOptions {
    private static final Set<String> SIZES = Set.of("page-size", "read-memory", "client-read-memory");

    private final Map<String, Object> values;

    private NamedOptions(Map<String, ?> values) {
        this.values = new HashMap<>(values);
    }

    static StoreOptions of(Map<String, ?> values) {
        NamedOptions named = new NamedOptions(values);
        StoreOptions options = named.changed(StoreOptions.defaults(), "");
        if (!named.values.isEmpty()) {
            throw new IllegalArgumentException("Unknown options: " + named.values.keySet());
        }
        return options;
    }

    private static String kebab(RecordComponent component) {
        return component.getName().replaceAll("([A-Z])", "-$1").toLowerCase(Locale.ROOT);
    }

    @SuppressWarnings("unchecked")
    private <T extends Record> T changed(T options, String prefix) {
        RecordComponent[] components = options.getClass().getRecordComponents();
        Object[] arguments = Arrays.stream(components)
                .map(component -> value(options, component, prefix))
                .toArray();
        try {
            Constructor<?> constructor = options.getClass()
                    .getDeclaredConstructor(Arrays.stream(components)
                            .map(RecordComponent::getType)
                            .toArray(Class<?>[]::new));
            constructor.setAccessible(true);
            return (T) constructor.newInstance(arguments);
        } catch (InvocationTargetException refused) {
            throw refused.getCause() instanceof RuntimeException failure ? failure : new IllegalStateException(refused);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }

    private @Nullable Object value(Record options, RecordComponent component, String prefix) {
        try {
            component.getAccessor().setAccessible(true);
            Object present = component.getAccessor().invoke(options);
            String name = prefix + kebab(component);
            if (present instanceof Record nested) {
                // The limits have no prefix of their own.
                return changed(nested, nested instanceof StoreLimits ? "" : name + ".");
            }
            Object changed = values.remove(name);
            if (changed == null) {
                return present;
            }
            return SIZES.contains(name) && changed instanceof String text
                    ? (Object) DataSize.parse(text).toBytes()
                    : ApplicationConversionService.getSharedInstance().convert(changed, component.getType());
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
