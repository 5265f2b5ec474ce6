package dev.registrar.eventstore.metrics;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The name and description of a meter.
 *
 * @param name the name, with dots between its parts
 * @param description what the meter measures, in one phrase
 * @param unit the unit of the values, in the plural; null for counts of events and for times
 * @param tags the tags, which distinguish meters of the same name
 */
public record Meter(
        String name, String description, @Nullable String unit, Map<String, String> tags) {

    public Meter {
        tags = Map.copyOf(tags);
    }

    public static Meter of(String name, String description) {
        return new Meter(name, description, null, Map.of());
    }

    public Meter in(String unitOfValues) {
        return new Meter(name, description, unitOfValues, tags);
    }

    public Meter tagged(String key, String value) {
        Map<String, String> all = new TreeMap<>(tags);
        all.put(key, value);
        return new Meter(name, description, unit, all);
    }
}
