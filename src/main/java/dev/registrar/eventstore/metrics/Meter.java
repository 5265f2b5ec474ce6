package dev.registrar.eventstore.metrics;

import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What a meter is called and what it measures.
 *
 * @param name with dots between its parts
 * @param description of what is measured, in one sentence
 * @param unit of its values, in the plural; null for a count of events and for times, which have a unit of their own
 * @param tags that tell apart meters of one name
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
